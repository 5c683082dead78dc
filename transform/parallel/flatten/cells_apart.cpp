#include "transform/parallel/flatten/cells_apart.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "transform/facts/access.hpp"
#include "transform/facts/history.hpp"
#include "transform/parallel/flatten/recomputed.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using facts::Polynomial;

/// Products of indices with larger numbers might wrap around.
constexpr std::int64_t largest_coefficient = 1 << 24;

/// So many are looked at: a nest with hundreds of additions should not take seconds.
constexpr std::size_t most_pairs = 4096;

// ---- Which additions there are

/// An addition, and where it stands in the nest.
struct PlacedUpdate {
  std::size_t accumulator;
  const UpdateAcc* what;
  std::vector<const Body*> bodies;  // around it, that of the point first
  std::vector<Name> iterations;     // what tells those of the loops and nests in the point around it
};

class Updates {
 public:
  /// False if some additions may be elsewhere.
  bool find(const Nest& nest) {
    for (std::size_t i = 0; i < nest.accumulators.size(); ++i) inputs_.emplace(nest.point.params[i].name, i);
    note(nest);
    return body(nest.point.body) && facts::keeps_places(nest, [&](const Atom& atom) { return input_of(atom); });
  }

  std::vector<PlacedUpdate> all;
  std::unordered_map<Name, Atom> extents;  // of indices: of the nest, of those inside of it, and of loops

 private:
  /// An accumulator that a point makes for itself.
  static constexpr std::size_t own = static_cast<std::size_t>(-1);

  void note(const Nest& nest) {
    for (std::size_t d = 0; d < nest.space.size(); ++d) extents.emplace(nest.point.params[nest.accumulators.size() + d].name, nest.space[d]);
  }

  bool body(const Body& body) {
    bodies_.push_back(&body);
    const bool known = std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) { return this->stm(stm); });
    bodies_.pop_back();
    return known;
  }

  bool stm(const Stm& stm) {
    if (const auto* update = std::get_if<UpdateAcc>(&stm.exp)) {
      const auto input = inputs_.find(update->accumulator);
      if (input == inputs_.end()) return false;
      if (input->second != own) all.push_back({input->second, update, bodies_, iterations_});
    }
    if (const auto* call = std::get_if<Call>(&stm.exp))
      if (std::any_of(call->args.begin(), call->args.end(), [&](const Atom& arg) { return input_of(arg).has_value(); })) return false;
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) note(*nest);
    if (const auto* loop = std::get_if<Loop>(&stm.exp))
      if (const auto* form = std::get_if<ForLoop>(&loop->form); form && form->type == PrimType::i64) extents.emplace(form->index, form->bound);
    if (const auto* with = std::get_if<WithAcc>(&stm.exp))
      for (std::size_t i = 0; i < with->inputs.size(); ++i) inputs_.emplace(with->fn.params[i].name, own);
    const auto same = [&](const Name& from, const Name& to) {
      if (const auto input = inputs_.find(from); input != inputs_.end()) inputs_.insert_or_assign(to, std::size_t(input->second));
    };
    facts::accumulators_into(stm.exp, same);
    bool known = true;
    const std::size_t around = iterations_.size();
    add_iterations(stm.exp);
    for_each_body(stm.exp, [&](const Body& inner) { known = known && body(inner); });
    iterations_.resize(around);
    facts::accumulators_out_of(stm, same);
    return known && facts::keeps_places(stm.exp, [&](const Atom& atom) { return input_of(atom); });
  }

  void add_iterations(const Exp& exp) {
    match(
        exp,  //
        [&](const Nest& e) {
          for (const Param& param : e.point.params)
            if (!param.type.accumulator) iterations_.push_back(param.name);
        },
        [&](const Loop& e) {
          const auto* form = std::get_if<ForLoop>(&e.form);
          iterations_.push_back(form ? form->index : std::get<WhileLoop>(e.form).condition);  // which is the same in many
        },
        [](const If&) {}, [](const WithAcc&) {},
        [&](const auto& e) { for_each_lambda(Exp(e), [&](const Lambda&) { iterations_.emplace_back(); }); });  // nothing tells them
  }

  std::optional<std::size_t> input_of(const Atom& atom) const {
    const Name* name = name_in(atom);
    const auto found = name ? inputs_.find(*name) : inputs_.end();
    return found == inputs_.end() ? std::nullopt : std::optional(found->second);
  }

  std::unordered_map<Name, std::size_t> inputs_;  // accumulators by all of their names
  std::vector<const Body*> bodies_;
  std::vector<Name> iterations_;
};

// ---- What two of them say of their points

/// The cell of an addition, by names of one point.
struct Cell {
  std::vector<Stm> stms;
  std::vector<std::optional<Atom>> at;  // nothing where an index is too much to be seen through
};

/// What varies, at one point and at the other one.
struct Pair {
  Name first, second;
};

class Meetings {
 public:
  Meetings(const Nest& nest, const facts::Sizes& known, Names& names, const Updates& updates)
      : nest_(nest), sizes_(known), names_(names), updates_(updates), outside_(free_names(nest.point)) {
    for (const Atom& extent : nest.space)
      if (const Name* size = name_in(extent)) sizes_.declare_size(*size, 1);  // else there is no point
  }

  Meeting of(const PlacedUpdate& x, const PlacedUpdate& y) {
    pairs_.clear(), same_.clear();
    const Cell first = cell_of(x);
    Cell second = cell_of(y);
    for (const Param& param : nest_.point.params)
      if (!param.type.accumulator) add_pair(param.name);
    for (const Cell* cell : {&first, &std::as_const(second)})
      for (const Name& name : names_in(*cell)) add_pair(name);
    move_to_other_point(second);
    for (std::size_t known = 0;; known = same_.size()) {
      const Substitution equal = equal_names(first, second);
      for (std::size_t k = 0; k < std::min(first.at.size(), second.at.size()); ++k) {
        if (!first.at[k] || !second.at[k]) continue;
        const Polynomial difference = sizes_.value(substitute(*first.at[k], equal)) - sizes_.value(substitute(*second.at[k], equal));
        if (!is_safe(difference)) continue;
        if (is_never_zero(difference)) return Meeting::never;
        conclude(difference);
      }
      if (same_.size() > known) continue;
      if (!is_one_point()) return Meeting::of_points;
      return x.what == y.what && std::all_of(x.iterations.begin(), x.iterations.end(), [&](const Name& name) { return is_same(name); })
                 ? Meeting::never
                 : Meeting::in_a_point;
    }
  }

 private:
  Cell cell_of(const PlacedUpdate& update) {
    Cell cell;
    for (const Atom& index : update.what->indices) {
      Builder trial(names_);
      Recomputed again(trial, {});
      for (const Body* body : update.bodies) again.know(*body);
      const Atom value = again.value(index);
      cell.at.push_back(again.failed() ? std::nullopt : std::optional(value));
      if (!again.failed()) cell.stms.insert(cell.stms.end(), trial.stms.begin(), trial.stms.end());
    }
    return cell;
  }

  static NameSet names_in(const Cell& cell) {
    Body body{cell.stms, {}};
    for (const auto& index : cell.at)
      if (index) body.result.push_back(*index);
    return free_names(body);
  }

  /// Of a name from inside of the point. Of an index, that it has bounds, if they are the same for all points.
  void add_pair(const Name& name) {
    const auto is_there = [&](const Pair& pair) { return pair.first == name; };
    if (outside_.contains(name) || std::any_of(pairs_.begin(), pairs_.end(), is_there)) return;
    pairs_.push_back({name, names_.bind_fresh(name.base, names_.type_of(name))});
    const auto extent = extent_of(pairs_.back());
    if (!extent) return;
    sizes_.declare_index(pairs_.back().first, *extent);
    sizes_.declare_index(pairs_.back().second, *extent);
  }

  void move_to_other_point(Cell& cell) const {
    Substitution others;
    for (const Pair& pair : pairs_) others.emplace(pair.first, pair.second);
    for (Stm& stm : cell.stms) substitute(stm, others);
    for (auto& index : cell.at)
      if (index) index = substitute(*index, others);
  }

  std::optional<Atom> extent_of(const Pair& pair) const {
    const auto found = updates_.extents.find(pair.first);
    if (found == updates_.extents.end()) return std::nullopt;
    const Name* name = name_in(found->second);
    return !name || outside_.contains(*name) || nest_has(*name) ? std::optional(found->second) : std::nullopt;
  }
  bool nest_has(const Name& extent) const { return std::find(nest_.space.begin(), nest_.space.end(), Atom(extent)) != nest_.space.end(); }

  /// The same computation of the same operands is the same number. Defines them all.
  Substitution equal_names(const Cell& first, const Cell& second) {
    Substitution equal = same_;
    std::vector<const Stm*> before;
    std::vector<Stm> stms = first.stms;
    stms.insert(stms.end(), second.stms.begin(), second.stms.end());
    for (Stm& stm : stms) {
      substitute(stm, equal);
      const auto known = std::find_if(before.begin(), before.end(), [&](const Stm* other) { return other->exp == stm.exp; });
      if (known != before.end()) {
        equal.insert_or_assign(stm.pattern.at(0).name, (*known)->pattern.at(0).name);
        continue;
      }
      sizes_.define(stm);
      before.push_back(&stm);
    }
    return equal;
  }

  static bool is_safe(const Polynomial& p) {
    return std::all_of(p.terms().begin(), p.terms().end(), [](const auto& term) {
      return term.first.empty() || (-largest_coefficient <= term.second && term.second <= largest_coefficient);
    });
  }

  bool is_never_zero(const Polynomial& p) const { return sizes_.less(0, p) || sizes_.less(p, 0) || is_no_multiple(p); }

  /// All terms but a constant one are multiples of a number. Of indices alone, which do not wrap around.
  bool is_no_multiple(const Polynomial& p) const {
    std::int64_t divisor = 0, rest = 0;
    for (const auto& [product, coefficient] : p.terms()) {
      if (product.empty()) rest = coefficient;
      else divisor = std::gcd(divisor, coefficient);
    }
    const NameSet names = p.names();
    return divisor > 1 && rest % divisor != 0 && std::all_of(names.begin(), names.end(), [&](const Name& name) { return is_index(name); });
  }

  bool is_index(const Name& name) const {
    const auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& one) { return one.first == name || one.second == name; });
    return pair != pairs_.end() && extent_of(*pair).has_value();
  }

  /// From p = 0, of which variables the two values are the same. Each has the same factor in p, with opposite signs.
  void conclude(Polynomial p) {
    std::vector<facts::Digit> digits;
    std::vector<Pair> told;
    for (const Pair& pair : pairs_) {
      if (!p.mentions(pair.first) && !p.mentions(pair.second)) continue;
      const auto first = p.linear_in(pair.first);
      const auto second = first ? first->rest.linear_in(pair.second) : std::nullopt;
      if (!second || first->slope.mentions(pair.second) || first->slope + second->slope != Polynomial(0)) return;
      p = second->rest;
      const auto extent = extent_of(pair);
      if (!extent) return;
      digits.push_back({first->slope, sizes_.value(*extent)});
      told.push_back(pair);
    }
    if (p != Polynomial(0) || !facts::are_told_apart(digits, sizes_)) return;
    for (const Pair& pair : told) same_.emplace(pair.second, pair.first);
  }

  bool is_one_point() const {
    return std::all_of(nest_.point.params.begin(), nest_.point.params.end(), [&](const Param& param) {
      return param.type.accumulator || is_same(param.name);
    });
  }
  bool is_same(const Name& name) const {
    return std::any_of(same_.begin(), same_.end(), [&](const auto& pair) { return pair.second == Atom(name); });
  }

  const Nest& nest_;
  facts::Sizes sizes_;
  Names& names_;
  const Updates& updates_;
  const NameSet outside_;
  std::vector<Pair> pairs_;
  Substitution same_;  // variables of the other point that are proven to be what they are at the first one
};

}  // namespace

Meeting meeting_in_cells(const Nest& nest, const facts::Sizes& known, Names& names) {
  Updates updates;
  if (!updates.find(nest)) return Meeting::of_points;
  Meetings meetings(nest, known, names, updates);
  Meeting result = Meeting::never;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < updates.all.size(); ++i)
    for (std::size_t j = i; j < updates.all.size(); ++j) {
      const PlacedUpdate &x = updates.all[i], &y = updates.all[j];
      const auto indices = [](const PlacedUpdate& update) { return std::vector<DimIndex>(update.what->indices.begin(), update.what->indices.end()); };
      if (x.accumulator != y.accumulator || facts::are_disjoint(indices(x), indices(y))) continue;
      result = ++pairs > most_pairs ? Meeting::of_points : std::min(result, meetings.of(x, y));
      if (result == Meeting::of_points) return result;
    }
  return result;
}

}  // namespace boustro::parallel
