#include "transform/parallel/flatten/loops_apart.hpp"

#include <algorithm>
#include <functional>

#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/perfect_nest.hpp"
#include "transform/parallel/flatten/rows_of_points.hpp"
#include "transform/parallel/flatten/split_rows.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// A nest for more threads than there are points, whose results are nothing but results of the point: at the end, behind what does not need it.
std::optional<Stm> ending_in_nest(const Stm& stm) {
  Stm result = stm;
  Body& body = std::get<Nest>(result.exp).point.body;
  const auto is_result = [&](const Param& row) { return std::find(body.result.begin(), body.result.end(), Atom(row.name)) != body.result.end(); };
  for (auto at = body.stms.end(); at != body.stms.begin();) {
    const auto* inner = std::get_if<Nest>(&(--at)->exp);
    if (!inner) continue;
    const bool many = std::any_of(inner->space.begin(), inner->space.end(), [](const Atom& extent) { return name_in(extent) != nullptr; });
    const bool needed = std::any_of(at + 1, body.stms.end(), [&](const Stm& later) {
      const NameSet used = free_names(later);
      return std::any_of(at->pattern.begin(), at->pattern.end(), [&](const Param& row) { return used.contains(row.name); });
    });
    if (!many || needed || !stores_new_arrays(*inner) || !std::all_of(at->pattern.begin(), at->pattern.end(), is_result)) return std::nullopt;
    std::rotate(at, at + 1, body.stms.end());
    return result;
  }
  return std::nullopt;
}

/// The nest with some of its results.
Stm with_results(Stm stm, const std::function<bool(const Atom&)>& is_kept) {
  Nest& nest = std::get<Nest>(stm.exp);
  std::vector<bool> gone;
  for (const Atom& result : nest.point.body.result) gone.push_back(!is_kept(result));
  simplify::erase_flagged(stm.pattern, gone);
  simplify::erase_flagged(nest.outs, gone);
  simplify::erase_flagged(nest.point.body.result, gone);
  simplify::erase_flagged(nest.point.result_types, gone);
  keep_needed(nest);
  return stm;
}

/// The perfect nest, and one for what else the points yield.
std::optional<std::vector<Stm>> in_two(const Stm& stm, Names& names) {
  const auto& stms = std::get<Nest>(stm.exp).point.body.stms;
  const auto of_last = [&](const Atom& result) {
    return std::any_of(stms.back().pattern.begin(), stms.back().pattern.end(), [&](const Param& row) { return result == Atom(row.name); });
  };
  const Stm rows = with_results(stm, of_last);
  if (!perfect_nest(std::get<Nest>(rows.exp))) return std::nullopt;
  Stm others = with_results(stm, [&](const Atom& result) { return !of_last(result); });
  if (others.pattern.empty()) return std::vector<Stm>{rows};
  Nest& nest = std::get<Nest>(others.exp);
  nest.point = rename(nest.point, names);
  return std::vector<Stm>{others, rows};
}

std::optional<std::vector<Stm>> apart(const Stm& stm, Names& names, const facts::Callees& callees) {
  if (auto parts = in_two(stm, names)) return parts;
  const auto& body = std::get<Nest>(stm.exp).point.body;
  NameSet wanted = free_names(body.stms.back());
  wanted.merge(names_among(body.result));
  auto parts = RowsOfPoints(stm, names, callees).loops_first(wanted, body.stms.size() - 1);
  if (!parts || parts->back().pattern.empty()) return std::nullopt;
  auto others = apart(parts->back(), names, callees);
  if (!others) return std::nullopt;
  parts->pop_back();
  parts->insert(parts->end(), others->begin(), others->end());
  return parts;
}

}  // namespace

std::optional<std::vector<Stm>> loops_apart(const Stm& stm, Names& names, const facts::Callees& callees) {
  const auto& nest = std::get<Nest>(stm.exp);
  if (nest.over != Level::grid || !stores_new_arrays(nest) || perfect_nest(nest)) return std::nullopt;
  const auto ending = ending_in_nest(stm);
  return ending ? apart(*ending, names, callees) : std::nullopt;
}

}  // namespace boustro::parallel
