#include "transform/parallel/flatten/loops_apart.hpp"

#include <algorithm>

#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/perfect_nest.hpp"
#include "transform/parallel/flatten/rows_of_points.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// The nest that ends the point is for more threads than there are points.
bool ends_in_nest(const Body& point) {
  const auto* nest = point.stms.empty() ? nullptr : std::get_if<Nest>(&point.stms.back().exp);
  return nest && std::any_of(nest->space.begin(), nest->space.end(), [](const Atom& extent) { return name_in(extent) != nullptr; });
}

}  // namespace

std::optional<std::vector<Stm>> loops_apart(const Stm& stm, Names& names, const facts::Callees& callees) {
  const auto& nest = std::get<Nest>(stm.exp);
  const auto& stms = nest.point.body.stms;
  if (nest.over != Level::grid || !stores_new_arrays(nest) || !ends_in_nest(nest.point.body)) return std::nullopt;
  auto parts = RowsOfPoints(stm, names, callees).loops_first(free_names(stms.back()), stms.size() - 1);
  if (!parts || parts->back().pattern.empty()) return std::nullopt;
  const Stm& rest = parts->back();
  if (perfect_nest(std::get<Nest>(rest.exp))) return parts;
  auto others = loops_apart(rest, names, callees);
  if (!others) return std::nullopt;
  parts->pop_back();
  parts->insert(parts->end(), others->begin(), others->end());
  return parts;
}

}  // namespace boustro::parallel
