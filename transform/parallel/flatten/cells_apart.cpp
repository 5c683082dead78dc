#include "transform/parallel/flatten/cells_apart.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "transform/facts/access.hpp"
#include "transform/facts/inequalities.hpp"
#include "transform/parallel/flatten/placed_additions.hpp"
#include "transform/parallel/flatten/recomputed.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;
using facts::Polynomial;

/// Products of indices with larger numbers might wrap around.
constexpr std::int64_t largest_coefficient = 1 << 24;

/// So many are looked at: a nest with hundreds of additions should not take seconds.
constexpr std::size_t most_pairs = 4096;

/// A comparison of i64 that holds.
struct Comparison {
  CmpOpKind kind;
  Atom lhs, rhs;
};

Comparison opposite(const Comparison& c) {
  switch (c.kind) {
    case CmpOpKind::eq: return {CmpOpKind::ne, c.lhs, c.rhs};
    case CmpOpKind::ne: return {CmpOpKind::eq, c.lhs, c.rhs};
    case CmpOpKind::lt: return {CmpOpKind::le, c.rhs, c.lhs};
    case CmpOpKind::le: break;
  }
  return {CmpOpKind::lt, c.rhs, c.lhs};
}

/// The cell of an addition, by names of one point, and what holds where the point comes to it.
struct Cell {
  std::vector<Stm> stms;
  std::vector<std::optional<Atom>> at;  // nothing where an index is too much to be seen through
  std::vector<Comparison> holding;
};

/// x / y, rounded down, of a positive divisor.
struct Quotient {
  Polynomial numerator;
  std::int64_t divisor;
};

/// What varies, at one point and at the other one.
struct Pair {
  Name first, second;
};

class Meetings {
 public:
  Meetings(const Nest& nest, const facts::Sizes& known, Names& names, const PlacedAdditions& additions)
      : nest_(nest), sizes_(known), names_(names), additions_(additions), outside_(free_names(nest.point)) {
    for (const Atom& extent : nest.space)
      if (const Name* size = name_in(extent)) sizes_.declare_size(*size, 1);  // else there is no point
  }

  Meeting of(const PlacedAddition& x, const PlacedAddition& y) {
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
      const std::vector<Polynomial> zeros = differences(first, second, equal, x.what == y.what);
      if (std::any_of(zeros.begin(), zeros.end(), [&](const Polynomial& zero) { return is_never_zero(zero); })) return Meeting::never;
      for (const Polynomial& zero : zeros) conclude(zero);
      if (same_.size() > known) continue;
      if (!(first.holding.empty() && second.holding.empty())) {
        const facts::Inequalities holding = inequalities(first, second, equal, zeros);
        if (std::any_of(zeros.begin(), zeros.end(), [&](const Polynomial& zero) { return is_never_zero(zero, holding); })) return Meeting::never;
        conclude_from_order(zeros, holding, x.what == y.what);
        if (same_.size() > known) continue;
      }
      if (!is_one_point()) return Meeting::of_points;
      return x.what == y.what && std::all_of(x.iterations.begin(), x.iterations.end(), [&](const Name& name) { return is_same(name); })
                 ? Meeting::never
                 : Meeting::in_a_point;
    }
  }

 private:
  Cell cell_of(const PlacedAddition& addition) {
    Cell cell;
    const auto computed = [&](const Atom& atom) -> std::optional<Atom> {
      Builder trial(names_);
      Recomputed again(trial, {});
      for (const Body* body : addition.bodies) again.know(*body);
      const Atom value = again.value(atom);
      if (again.failed()) return std::nullopt;
      cell.stms.insert(cell.stms.end(), trial.stms.begin(), trial.stms.end());
      return value;
    };
    for (const Atom& index : addition.what->indices) cell.at.push_back(computed(index));
    for (const Taken& branch : addition.branches)
      if (const auto condition = computed(branch.condition)) note_holding(*condition, branch.holds, cell);
    return cell;
  }

  static void note_holding(const Atom& condition, bool holds, Cell& cell) {
    const auto defines = [&](const Stm& stm) { return Atom(stm.pattern.at(0).name) == condition; };
    const auto stm = std::find_if(cell.stms.begin(), cell.stms.end(), defines);
    const auto* compared = stm == cell.stms.end() ? nullptr : std::get_if<CmpOp>(&stm->exp);
    if (!compared || compared->type != PrimType::i64) return;
    const Comparison comparison{compared->kind, compared->lhs, compared->rhs};
    cell.holding.push_back(holds ? comparison : opposite(comparison));
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
    for (Comparison& comparison : cell.holding) {
      comparison.lhs = substitute(comparison.lhs, others);
      comparison.rhs = substitute(comparison.rhs, others);
    }
  }

  std::optional<Atom> extent_of(const Pair& pair) const {
    const auto found = additions_.extents.find(pair.first);
    if (found == additions_.extents.end()) return std::nullopt;
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
    note_quotients(before);
    return equal;
  }

  void note_quotients(const std::vector<const Stm*>& stms) {
    quotients_.clear();
    for (const Stm* stm : stms) {
      const auto* op = std::get_if<BinOp>(&stm->exp);
      const PrimValue* divisor = op && op->kind == BinOpKind::div && op->type == PrimType::i64 ? literal_in(op->rhs) : nullptr;
      if (divisor && divisor->as_int() > 0 && divisor->as_int() <= largest_coefficient)
        quotients_.emplace(stm->pattern[0].name, Quotient{sizes_.value(op->lhs), divisor->as_int()});
    }
  }

  /// What is 0 where both points add to one cell: the differences of its indices, and, between points that come to the same addition, of what
  /// is equal there.
  std::vector<Polynomial> differences(const Cell& first, const Cell& second, const Substitution& equal, bool one_addition) const {
    const auto value = [&](const Atom& atom) { return sizes_.value(substitute(atom, equal)); };
    std::vector<Polynomial> result;
    for (std::size_t k = 0; k < std::min(first.at.size(), second.at.size()); ++k)
      if (first.at[k] && second.at[k]) result.push_back(value(*first.at[k]) - value(*second.at[k]));
    for (std::size_t k = 0; one_addition && k < first.holding.size(); ++k) {
      const Comparison &x = first.holding[k], &y = second.holding.at(k);
      if (x.kind == CmpOpKind::eq) result.push_back(value(x.lhs) - value(x.rhs) - (value(y.lhs) - value(y.rhs)));
    }
    std::erase_if(result, [](const Polynomial& p) { return !is_safe(p); });
    return result;
  }

  /// What holds at both points, and the bounds of all that is mentioned there and in these polynomials.
  facts::Inequalities inequalities(const Cell& first, const Cell& second, const Substitution& equal, const std::vector<Polynomial>& others) {
    std::vector<Polynomial> known, unequal;
    for (const Cell* cell : {&first, &second})
      for (const Comparison& c : cell->holding) {
        const Polynomial distance = sizes_.value(substitute(c.rhs, equal)) - sizes_.value(substitute(c.lhs, equal));
        if (!is_safe(distance) || !has_bounds(distance)) continue;
        if (c.kind == CmpOpKind::ne) unequal.push_back(distance);
        else known.push_back(c.kind == CmpOpKind::lt ? distance - Polynomial(1) : distance);
        if (c.kind == CmpOpKind::eq) known.push_back(Polynomial() - distance);
      }
    for (Polynomial& p : known)
      if (std::any_of(unequal.begin(), unequal.end(), [&](const Polynomial& q) { return p == q || p == Polynomial() - q; })) p = p - Polynomial(1);
    add_bounds(others, known);
    facts::Inequalities result;
    for (const Polynomial& p : known) result.add(p);
    return result;
  }

  /// Of indices and sizes alone, whose arithmetic does not wrap around.
  bool has_bounds(const Polynomial& p) const {
    const NameSet names = p.names();
    return std::all_of(names.begin(), names.end(), [&](const Name& name) {
      const auto quotient = quotients_.find(name);
      return quotient == quotients_.end() ? sizes_.not_negative(Polynomial(name)) : has_bounds(quotient->second.numerator);
    });
  }

  /// Itself, or in what it is a quotient of.
  bool mentions(const Polynomial& p, const Name& name) const {
    const NameSet names = p.names();
    return names.contains(name) || std::any_of(names.begin(), names.end(), [&](const Name& other) {
             const auto quotient = quotients_.find(other);
             return quotient != quotients_.end() && mentions(quotient->second.numerator, name);
           });
  }

  void add_bounds(const std::vector<Polynomial>& others, std::vector<Polynomial>& known) const {
    NameSet done;
    std::vector<Polynomial> open = known;
    open.insert(open.end(), others.begin(), others.end());
    while (!open.empty()) {
      const NameSet names = open.back().names();
      open.pop_back();
      for (const Name& name : names) {
        if (!done.insert(name).second) continue;
        if (const auto quotient = quotients_.find(name); quotient != quotients_.end()) {
          open.push_back(quotient->second.numerator);
          continue;
        }
        for (const Polynomial& least : {Polynomial(name) - Polynomial(1), Polynomial(name)})
          if (sizes_.not_negative(least)) {
            known.push_back(least);
            break;
          }
        const auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& one) { return one.first == name || one.second == name; });
        const auto extent = pair == pairs_.end() ? std::nullopt : extent_of(*pair);
        if (!extent) continue;
        known.push_back(sizes_.value(*extent) - Polynomial(1) - Polynomial(name));
        open.push_back(known.back());
      }
    }
  }

  /// Less than 0, or more, if the conditions at both points tell.
  bool is_never_zero(const Polynomial& p, const facts::Inequalities& holding) const {
    return has_bounds(p) && (is_positive(p, holding) || is_positive(Polynomial() - p, holding));
  }

  /// A quotient q = x / c takes c times the inequality, where c * q is between x - c + 1 and x.
  bool is_positive(Polynomial p, const facts::Inequalities& holding) const {
    for (const auto& [name, quotient] : quotients_) {
      if (!p.mentions(name)) continue;
      const auto linear = p.linear_in(name);
      const auto slope = linear ? linear->slope.constant() : std::nullopt;
      if (!slope) return false;
      const Polynomial least = *slope > 0 ? quotient.numerator - Polynomial(quotient.divisor - 1) : quotient.numerator;
      const bool divides = *slope % quotient.divisor == 0;
      p = divides ? Polynomial(*slope / quotient.divisor) * least + linear->rest
                  : Polynomial(*slope) * least + Polynomial(quotient.divisor) * linear->rest;
    }
    return holding.imply_not_negative(p - Polynomial(1));
  }

  /// Numbers of both points that cannot be in either order are the same.
  void conclude_from_order(const std::vector<Polynomial>& zeros, const facts::Inequalities& holding, bool one_addition) {
    for (const Pair& pair : pairs_) {
      if (same_.contains(pair.second) || !extent_of(pair)) continue;
      const auto impossible = [&](const Name& less, const Name& more) {
        facts::Inequalities ordered = holding;
        ordered.add(Polynomial(more) - Polynomial(less) - Polynomial(1));
        return std::any_of(zeros.begin(), zeros.end(), [&](const Polynomial& zero) {
          return (mentions(zero, less) || mentions(zero, more)) && is_never_zero(zero, ordered);
        });
      };
      // One addition says the same of both orders.
      if (!impossible(pair.first, pair.second) || !(one_addition || impossible(pair.second, pair.first))) continue;
      same_.emplace(pair.second, pair.first);
      return;
    }
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
  const PlacedAdditions& additions_;
  const NameSet outside_;
  std::vector<Pair> pairs_;
  std::unordered_map<Name, Quotient> quotients_;
  Substitution same_;  // variables of the other point that are proven to be what they are at the first one
};

}  // namespace

Meeting meeting_in_cells(const Nest& nest, const facts::Sizes& known, Names& names) {
  PlacedAdditions additions;
  if (!additions.find(nest)) return Meeting::of_points;
  Meetings meetings(nest, known, names, additions);
  Meeting result = Meeting::never;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < additions.all.size(); ++i)
    for (std::size_t j = i; j < additions.all.size(); ++j) {
      const PlacedAddition &x = additions.all[i], &y = additions.all[j];
      const auto indices = [](const PlacedAddition& addition) { return std::vector<DimIndex>(addition.what->indices.begin(), addition.what->indices.end()); };
      if (x.accumulator != y.accumulator || facts::are_disjoint(indices(x), indices(y))) continue;
      result = ++pairs > most_pairs ? Meeting::of_points : std::min(result, meetings.of(x, y));
      if (result == Meeting::of_points) return result;
    }
  return result;
}

}  // namespace boustro::parallel
