#include "transform/parallel/flatten/sums_apart.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/perfect_nest.hpp"
#include "transform/parallel/flatten/rows_of_points.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

bool is_loop(const Stm& stm) {
  return std::holds_alternative<Nest>(stm.exp) || std::holds_alternative<Loop>(stm.exp);
}

/// The nest that ends the point, if threads of their own for its points pay.
const Nest* long_nest(const Body& point) {
  const auto* nest = point.stms.empty() ? nullptr : std::get_if<Nest>(&point.stms.back().exp);
  if (!nest || !std::any_of(nest->point.body.stms.begin(), nest->point.body.stms.end(), is_loop)) return nullptr;
  const bool constant = std::all_of(nest->space.begin(), nest->space.end(), [](const Atom& extent) { return literal_in(extent); });
  return constant ? nullptr : nest;
}

bool is_sum(const Stm& stm) {
  return is_loop(stm) && std::all_of(stm.pattern.begin(), stm.pattern.end(), [](const Param& param) { return param.type.is_scalar(); });
}

}  // namespace

std::optional<std::vector<Stm>> sums_apart(const Stm& stm, Names& names, const facts::Callees& callees) {
  const auto& nest = std::get<Nest>(stm.exp);
  const auto& stms = nest.point.body.stms;
  if (nest.over != Level::grid || !stores_new_arrays(nest) || !long_nest(nest.point.body)) return std::nullopt;
  const RowsOfPoints rows(stm, names, callees);
  std::vector<Param> scalars, all;
  Stm rest = stm;
  std::vector<Stm> left;
  for (const Stm& part : stms) {
    if (!is_sum(part)) {
      left.push_back(part);
      continue;
    }
    const std::vector<Param> of_all = rows.of_all(part.pattern);
    const std::vector<Stm> reads = rows.views(part.pattern, of_all);
    left.insert(left.end(), reads.begin(), reads.end());
    scalars.insert(scalars.end(), part.pattern.begin(), part.pattern.end());
    all.insert(all.end(), of_all.begin(), of_all.end());
  }
  std::get<Nest>(rest.exp).point.body.stms = std::move(left);
  if (scalars.empty() || !perfect_nest(std::get<Nest>(rest.exp))) return std::nullopt;
  NameSet wanted;
  for (const Param& scalar : scalars) wanted.insert(scalar.name);
  return std::vector<Stm>{rows.nest_for(statements_for(wanted, stms), scalars, all), std::move(rest)};
}

}  // namespace boustro::parallel
