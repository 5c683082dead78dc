#include "transform/parallel/flatten/concatenations.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/memory.hpp"
#include "transform/parallel/flatten/moves.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// Where an array or scalar comes from: a result of a statement of the body.
struct Made {
  std::size_t at, result;
};

/// What stands in the same place in each of some concatenations.
struct Part {
  std::vector<Name> arrays;
  std::vector<Atom> scalars = {};        // that these are replicates of
  std::optional<std::size_t> maker = {};  // statement that computes the scalars, or the elements, for nobody else
};

bool makes_elements(const Nest& nest, const facts::Callees& callees) {
  return nest.over == Level::grid && nest.each == Level::thread && nest.space.size() == 1 && nest.accumulators.empty() &&
         std::all_of(nest.outs.begin(), nest.outs.end(), [](const Out& out) { return out.kind == OutKind::store; }) &&
         !needs_memory(nest.point.body, callees);
}

class ConcatenationJoiner {
 public:
  ConcatenationJoiner(Body& body, Names& names, const facts::Callees& callees) : body_(body), names_(names), callees_(callees) {}

  void run() {
    for (std::size_t first = 0; first < body_.stms.size(); ++first) {
      std::size_t end = first;
      while (end < body_.stms.size() && goes_with(first, end)) ++end;
      if (end > first) first = join(first, end);
    }
  }

 private:
  const Concat* concat(std::size_t at) const { return std::get_if<Concat>(&body_.stms[at].exp); }
  const Atom& width(const Name& array) const { return names_.type_of(array).shape[0]; }

  /// Whether the statement is a concatenation, and of the same widths as the first one.
  bool goes_with(std::size_t first, std::size_t at) const {
    const Concat *a = concat(first), *b = concat(at);
    if (!a || !b || body_.stms[at].pattern[0].type.rank() != 1) return false;
    for (std::size_t before = first; before < at; ++before)
      if (std::count(b->arrays.begin(), b->arrays.end(), body_.stms[before].pattern[0].name) > 0) return false;
    return a->width == b->width && std::equal(a->arrays.begin(), a->arrays.end(), b->arrays.begin(), b->arrays.end(),
                                              [&](const Name& x, const Name& y) { return width(x) == width(y); });
  }

  /// Returns where the last of them, or what they have become, stands.
  std::size_t join(std::size_t first, std::size_t end) {
    look();
    std::vector<Part> parts;
    for (std::size_t k = 0; k < concat(first)->arrays.size(); ++k) parts.push_back(part(k, first, end));
    if (std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.scalars.empty() && !part.maker; })) return end - 1;
    const std::set<std::size_t> gone = unneeded(parts);

    Stm joined{{}, {}, body_.stms[first].origin, {}};
    for (std::size_t at = first; at < end; ++at) joined.pattern.push_back(body_.stms[at].pattern[0]);
    Nest nest{.over = Level::grid, .each = Level::thread, .space = {concat(first)->width}, .point = {}, .accumulators = {}, .outs = {}};
    nest.point.params.push_back(names_.fresh_param("i", scalar(PrimType::i64)));
    Builder b(names_, joined.origin);
    nest.point.body.result = elements(b, parts, 0, nest.point.params[0].name);
    nest.point.body.stms = std::move(b.stms);
    for (const Param& array : joined.pattern) {
      nest.point.result_types.push_back(scalar(array.type.elem));
      nest.outs.emplace_back();
      nest.outs.back().rank = 1;
    }
    joined.exp = std::move(nest);

    body_.stms[end - 1] = std::move(joined);
    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(first), body_.stms.begin() + static_cast<std::ptrdiff_t>(end - 1));
    for (auto at = gone.rbegin(); at != gone.rend(); ++at) body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(*at));
    return first - gone.size();
  }

  /// Where names are made, and how often they are used: once by a statement, but in each place of a concatenation.
  void look() {
    made_.clear();
    uses_.clear();
    for (std::size_t at = 0; at < body_.stms.size(); ++at) {
      for (std::size_t i = 0; i < body_.stms[at].pattern.size(); ++i) made_[body_.stms[at].pattern[i].name] = {at, i};
      for (const Name& name : free_names(body_.stms[at])) ++uses_[name];
      if (const Concat* e = concat(at)) {
        for (const Name& name : std::set<Name>(e->arrays.begin(), e->arrays.end()))
          uses_[name] += std::count(e->arrays.begin(), e->arrays.end(), name) - 1;
      }
    }
    for (const Atom& atom : body_.result)
      if (const Name* name = name_in(atom)) ++uses_[*name];
  }

  Part part(std::size_t k, std::size_t first, std::size_t end) const {
    Part part;
    for (std::size_t at = first; at < end; ++at) part.arrays.push_back(concat(at)->arrays[k]);
    for (const Name& array : part.arrays) {
      const auto found = made_.find(array);
      const auto* replicate = found == made_.end() ? nullptr : std::get_if<Replicate>(&body_.stms[found->second.at].exp);
      if (replicate && replicate->shape.size() == 1) part.scalars.push_back(replicate->value);
    }
    if (part.scalars.size() != part.arrays.size()) part.scalars.clear();
    part.maker = maker(part, first);
    return part;
  }

  /// What the parts compute themselves, and replicates of it.
  std::set<std::size_t> unneeded(const std::vector<Part>& parts) const {
    std::set<std::size_t> result;
    for (const Part& part : parts) {
      if (!part.maker) continue;
      result.insert(*part.maker);
      if (part.scalars.empty()) continue;
      for (const Name& array : part.arrays) result.insert(made_.at(array).at);
    }
    return result;
  }

  /// The statement that all of them come from, if nobody else needs anything of it, and if it can be done by the part's threads.
  std::optional<std::size_t> maker(const Part& part, std::size_t before) const {
    std::vector<Name> values = part.arrays;
    if (!part.scalars.empty()) {
      const bool once = std::all_of(values.begin(), values.end(), [&](const Name& array) { return uses_.at(array) == 1; });
      if (!(width(part.arrays[0]) == int_atom(1)) || !once) return std::nullopt;
      values.clear();
      for (const Atom& atom : part.scalars)
        if (const Name* name = name_in(atom)) values.push_back(*name);
    }
    const auto found = values.empty() ? made_.end() : made_.find(values[0]);
    if (found == made_.end()) return std::nullopt;
    const Stm& stm = body_.stms[found->second.at];
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest || !(part.scalars.empty() ? makes_elements(*nest, callees_) : nest->over == Level::thread)) return std::nullopt;
    for (const Param& result : stm.pattern) {
      const auto uses = uses_.find(result.name);
      const auto here = std::count(values.begin(), values.end(), result.name);
      if (uses != uses_.end() && uses->second != here) return std::nullopt;
    }
    for (const Name& value : values)
      if (!made_.contains(value) || made_.at(value).at != found->second.at) return std::nullopt;
    return can_move_down(found->second.at, before) ? std::optional(found->second.at) : std::nullopt;
  }

  /// The replicates of a scalar between it and the concatenations only say what they are.
  bool can_move_down(std::size_t at, std::size_t before) const {
    Body rest = body_;
    for (Stm& stm : rest.stms)
      if (auto* replicate = std::get_if<Replicate>(&stm.exp); replicate && stm.pattern[0].type.rank() == 1) replicate->value = int_atom(0);
    return parallel::can_move_down(rest, at, before, callees_);
  }

  /// Those at an index into the parts from `k` on.
  std::vector<Atom> elements(Builder& b, const std::vector<Part>& parts, std::size_t k, const Atom& index) {
    if (k + 1 == parts.size()) return elements(b, parts[k], index);
    const Atom& count = width(parts[k].arrays[0]);
    If branch{b.cmp("here", CmpOpKind::lt, index, count), {}, {}};
    Builder here(names_, b.origin), behind(names_, b.origin);
    branch.then_body.result = elements(here, parts[k], index);
    branch.then_body.stms = std::move(here.stms);
    branch.else_body.result = elements(behind, parts, k + 1, behind.binop("i", BinOpKind::sub, index, count));
    branch.else_body.stms = std::move(behind.stms);
    std::vector<std::string> bases;
    for (const Name& array : parts[k].arrays) bases.push_back(array.base);
    std::vector<Atom> values;
    for (const Name& name : b.let_all(bases, std::move(branch))) values.push_back(name);
    return values;
  }

  std::vector<Atom> elements(Builder& b, const Part& part, const Atom& index) {
    std::vector<Atom> values;
    if (!part.scalars.empty()) {
      if (part.maker) b.add(body_.stms[*part.maker]);
      return part.scalars;
    }
    if (part.maker) {
      const std::vector<Atom> results = inline_lambda(b, std::get<Nest>(body_.stms[*part.maker].exp).point, {index});
      for (const Name& array : part.arrays) values.push_back(results[made_.at(array).result]);
      return values;
    }
    for (const Name& array : part.arrays) values.push_back(b.index("x", array, {index}));
    return values;
  }

  Body& body_;
  Names& names_;
  const facts::Callees& callees_;
  std::unordered_map<Name, Made> made_;
  std::unordered_map<Name, std::ptrdiff_t> uses_;
};

}  // namespace

void join_concatenations(Body& body, Names& names, const facts::Callees& callees) { ConcatenationJoiner(body, names, callees).run(); }

}  // namespace boustro::parallel
