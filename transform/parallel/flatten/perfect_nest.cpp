#include "transform/parallel/flatten/perfect_nest.hpp"

#include <algorithm>

#include "transform/facts/work.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// The body's last statement, if all before it are cheap enough for every point of the inner nest.
const Stm* last_of(const Body& body) {
  if (body.stms.empty()) return nullptr;
  const Stm& last = body.stms.back();
  const std::vector<Stm> before(body.stms.begin(), body.stms.end() - 1);
  return facts::is_cheap(before, facts::values_for(last, before)) ? &last : nullptr;
}

/// Which result of the statement each result of the body is: a permutation, where only accumulators change places.
std::optional<std::vector<std::size_t>> as_results(const Stm& last, const Body& body) {
  if (last.pattern.size() != body.result.size()) return std::nullopt;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < body.result.size(); ++i) {
    const auto found =
        std::find_if(last.pattern.begin(), last.pattern.end(),
                     [&](const Param& param) { return Atom(param.name) == body.result[i]; });
    const auto at = static_cast<std::size_t>(found - last.pattern.begin());
    if (found == last.pattern.end() || (at != i && !found->type.accumulator)) return std::nullopt;
    order.push_back(at);
  }
  return order;
}

bool only_stores(const Nest& nest) {
  return std::all_of(nest.outs.begin(), nest.outs.end(),
                     [](const Out& out) { return out.kind == OutKind::store; });
}

bool mentions(const Shape& shape, const Lambda& point) {
  NameSet bound = bound_names(point.body.stms);
  for (const Param& param : point.params) bound.insert(param.name);
  return std::any_of(shape.begin(), shape.end(), [&](const Atom& size) {
    const Name* name = name_in(size);
    return name && bound.contains(*name);
  });
}

/// The accumulators of the inner nest are those that the outer point was given, or were bound before it; each result
/// goes where the outer point's goes.
Nest joined(const Nest& outer, const Nest& inner, std::vector<Stm> before, Body body,
            const std::vector<std::size_t>& order) {
  Nest nest = outer;
  nest.each = inner.each;
  nest.space.insert(nest.space.end(), inner.space.begin(), inner.space.end());
  const std::size_t accumulators = inner.accumulators.size();
  Lambda& point = nest.point;
  Substitution names;
  for (std::size_t i = 0; i < accumulators; ++i)
    names.emplace(inner.point.params[i].name, inner.accumulators[i]);
  substitute(body, names);
  point.params.insert(point.params.end(),
                      inner.point.params.begin() + static_cast<std::ptrdiff_t>(accumulators),
                      inner.point.params.end());
  point.body.stms = std::move(before);
  point.body.stms.insert(point.body.stms.end(), body.stms.begin(), body.stms.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    point.body.result[i] = body.result[order[i]];
    point.result_types[i] = inner.point.result_types[order[i]];
  }
  for (Out& out : nest.outs) out.rank += static_cast<int>(inner.space.size());
  return nest;
}

bool fits(const Nest& outer, const Nest& inner) {
  return inner.over == outer.each && only_stores(inner) && !mentions(inner.space, outer.point);
}

/// The nest in the branch of an If that adds on a condition.
std::optional<Nest> under_condition(const Nest& outer, const Stm& last, const If& branch) {
  const bool accumulates = outer.outs.empty() && branch.else_body.stms.empty();
  const Stm* under = accumulates ? last_of(branch.then_body) : nullptr;
  const auto* inner = under ? std::get_if<Nest>(&under->exp) : nullptr;
  const auto outer_order = as_results(last, outer.point.body);
  if (!inner || !outer_order || !inner->outs.empty() || !fits(outer, *inner)) return std::nullopt;
  const auto inner_order = as_results(*under, branch.then_body);
  if (!inner_order || mentions(inner->space, {{}, branch.then_body, {}})) return std::nullopt;

  // The branch with the inner point's body in the place of the inner nest.
  Substitution names;
  for (std::size_t i = 0; i < inner->accumulators.size(); ++i)
    names.emplace(inner->point.params[i].name, inner->accumulators[i]);
  Body body = inner->point.body;
  substitute(body, names);
  Stm guarded = last;
  Body& then_body = std::get<If>(guarded.exp).then_body;
  then_body.stms.pop_back();
  then_body.stms.insert(then_body.stms.end(), body.stms.begin(), body.stms.end());
  for (std::size_t i = 0; i < then_body.result.size(); ++i)
    then_body.result[i] = body.result[(*inner_order)[i]];

  Nest nest = outer;
  nest.each = inner->each;
  nest.space.insert(nest.space.end(), inner->space.begin(), inner->space.end());
  nest.point.params.insert(
      nest.point.params.end(),
      inner->point.params.begin() + static_cast<std::ptrdiff_t>(inner->accumulators.size()),
      inner->point.params.end());
  nest.point.body.stms.back() = std::move(guarded);
  return nest;
}

}  // namespace

void equal_row_as_nest(Body& point, Level level, Names& names) {
  const auto* row = point.stms.empty() ? nullptr : std::get_if<Replicate>(&point.stms.back().exp);
  if (!row || point.result != std::vector<Atom>{point.stms.back().pattern[0].name} || !names.type_of(row->value).is_scalar()) return;
  Nest nest;
  nest.over = nest.each = level;
  nest.space = row->shape;
  for (std::size_t d = 0; d < row->shape.size(); ++d) nest.point.params.push_back(names.fresh_param("j", scalar(PrimType::i64)));
  nest.point.body.result = {row->value};
  nest.point.result_types = {names.type_of(row->value)};
  Out out;
  out.rank = static_cast<int>(row->shape.size());
  nest.outs.push_back(std::move(out));
  point.stms.back().exp = std::move(nest);
}

std::optional<Nest> perfect_nest(const Nest& outer) {
  const Body& body = outer.point.body;
  const Stm* last = only_stores(outer) ? last_of(body) : nullptr;
  if (!last) return std::nullopt;
  if (const auto* branch = std::get_if<If>(&last->exp))
    return under_condition(outer, *last, *branch);
  const auto* inner = std::get_if<Nest>(&last->exp);
  const auto order = as_results(*last, body);
  if (!inner || !order || !fits(outer, *inner)) return std::nullopt;
  return joined(outer, *inner, {body.stms.begin(), body.stms.end() - 1}, inner->point.body, *order);
}

}  // namespace boustro::parallel
