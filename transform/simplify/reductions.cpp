// Reductions of arrays that hardly exist, and by operators that are several.
#include <algorithm>
#include <limits>
#include <utility>

#include "transform/ir/needed.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

// Before:  reduce op ne xs    (xs: [0]t)
// After:   ne
RuleResult reduce_of_known_width(Stm& stm, Context& context) {
  const auto* e = std::get_if<Reduce>(&stm.exp);
  if (!e || !is_literal(e->width, 0)) return std::nullopt;
  Rewrite result;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Name* array = name_in(e->neutral[i]);
    const bool is_array = array && !context.names.type_of(*array).is_scalar();
    Exp value = is_array ? Exp(Copy{*array}) : Exp(AtomExp{e->neutral[i]});
    result.push_back(let(stm.pattern[i], std::move(value), stm));
  }
  return result;
}

// Before:  map f xs, scan op ne xs    (xs: [0]t)
// After:   an array without elements
RuleResult elements_of_nothing(Stm& stm, Context&) {
  const auto* map = std::get_if<Map>(&stm.exp);
  const auto* scan = std::get_if<Scan>(&stm.exp);
  const bool applies = (map && map->accumulators.empty() && is_literal(map->width, 0)) || (scan && is_literal(scan->width, 0));
  if (!applies) return std::nullopt;
  Rewrite result;
  for (const Param& param : stm.pattern) result.push_back(let(param, Scratch{param.type.elem, param.type.shape}, stm));
  return result;
}

namespace {

using Positions = std::vector<std::size_t>;

/// The components of the operator, those together that depend on each other.
std::vector<Positions> independent_groups(const Lambda& op) {
  const std::size_t count = op.result_types.size();
  Positions group(count);
  for (std::size_t i = 0; i < count; ++i) group[i] = i;
  for (std::size_t i = 0; i < count; ++i) {
    NameSet needed = names_among({op.body.result[i]});
    statements_for(needed, op.body.stms);
    for (std::size_t j = 0; j < count; ++j) {
      if (!needed.contains(op.params[j].name) && !needed.contains(op.params[count + j].name)) continue;
      const std::size_t theirs = group[j], ours = group[i];  // not references to what is replaced
      std::replace(group.begin(), group.end(), theirs, ours);
    }
  }
  std::vector<Positions> groups;
  for (std::size_t i = 0; i < count; ++i) {
    Positions members;
    for (std::size_t j = 0; j < count; ++j)
      if (group[j] == i) members.push_back(j);
    if (!members.empty()) groups.push_back(std::move(members));
  }
  return groups;
}

/// All operations of the body, at any depth, yield their values and do nothing else.
bool never_fails(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) { return !may_fail(stm.exp); });
}

}  // namespace

namespace {

/// Whether the operator was `\x y -> f y x` for an f that commutes, and is f now.
bool put_in_order(Lambda& op) {
  if (op.params.size() != 2 || op.body.stms.size() != 1) return false;
  auto* e = std::get_if<BinOp>(&op.body.stms[0].exp);
  if (!e || !commutes(e->kind) || e->lhs != Atom(op.params[1].name) || e->rhs != Atom(op.params[0].name)) return false;
  std::swap(e->lhs, e->rhs);
  return true;
}

}  // namespace

// Before:  reduce (\x y -> min y x) inf xs
// After:   reduce (\x y -> min x y) inf xs     so that of elements that tie the first one wins in derivatives of both modes
RuleResult operands_in_order(Stm& stm, Context&) {
  bool any = false;
  if (auto* reduce = std::get_if<Reduce>(&stm.exp)) any = put_in_order(reduce->op);
  if (auto* scan = std::get_if<Scan>(&stm.exp)) any = put_in_order(scan->op);
  if (auto* e = std::get_if<ReduceByIndex>(&stm.exp))
    for (Histogram& histogram : e->histograms) any = put_in_order(histogram.op) || any;
  if (!any) return std::nullopt;
  return replaced(stm, std::move(stm.exp));
}

// Before:  reduce max x xs      where x is no literal
// After:   max x (reduce max (-inf) xs)      of which derivatives of any order are known
RuleResult reduce_from_value(Stm& stm, Context& context) {
  auto* e = std::get_if<Reduce>(&stm.exp);
  const auto kind = e ? as_binop(e->op) : std::nullopt;
  if (!kind || (*kind != BinOpKind::min && *kind != BinOpKind::max) || !name_in(e->neutral[0])) return std::nullopt;
  const Type type = stm.pattern[0].type;
  if (!values::is_float(type.elem)) return std::nullopt;
  Builder before(context.names, stm.origin);
  const double infinity = std::numeric_limits<double>::infinity();
  const Atom start = std::exchange(e->neutral[0], PrimValue::of_float(type.elem, *kind == BinOpKind::min ? infinity : -infinity));
  const Name rest = before.let(stm.pattern[0].name.base, std::move(stm.exp));
  return replaced(stm, BinOp{*kind, type.elem, start, rest}, before);
}

// Before:  reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) xs ys
// After:   reduce (+) 0 xs, reduce (*) 1 ys     whose operators more is known of; fusion makes one traversal of both
RuleResult independent_components(Stm& stm, Context& context) {
  const auto* e = std::get_if<Reduce>(&stm.exp);
  if (!e || e->arrays.size() < 2 || !never_fails(e->op.body)) return std::nullopt;
  const std::vector<Positions> groups = independent_groups(e->op);
  if (groups.size() < 2) return std::nullopt;
  const std::size_t count = e->arrays.size();
  Rewrite result;
  for (const Positions& group : groups) {
    Reduce one{e->width, {}, {}, {}, e->commutative};
    Stm part{{}, {}, stm.origin, stm.attributes};
    for (const std::size_t side : {std::size_t{0}, count})
      for (const std::size_t i : group) one.op.params.push_back(e->op.params[side + i]);
    for (const std::size_t i : group) {
      one.op.body.result.push_back(e->op.body.result[i]);
      one.op.result_types.push_back(e->op.result_types[i]);
      one.neutral.push_back(e->neutral[i]);
      one.arrays.push_back(e->arrays[i]);
      part.pattern.push_back(stm.pattern[i]);
    }
    NameSet needed = names_among(one.op.body.result);
    one.op.body.stms = statements_for(needed, e->op.body.stms);
    one.op = rename(one.op, context.names);
    part.exp = std::move(one);
    result.push_back(std::move(part));
  }
  return result;
}

}  // namespace boustro::simplify
