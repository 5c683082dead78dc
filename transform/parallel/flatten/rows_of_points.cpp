#include "transform/parallel/flatten/rows_of_points.hpp"

#include <algorithm>
#include <iterator>

#include "transform/facts/work.hpp"
#include "transform/ir/needed.hpp"
#include "transform/parallel/flatten/split_rows.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {

using namespace ir;

RowsOfPoints::RowsOfPoints(const Stm& stm, Names& names, const facts::Callees& callees)
    : stm_(stm), nest_(std::get<Nest>(stm.exp)), names_(names), aliases_(nest_.point.body.stms, callees), inside_(bound_names(nest_.point.body.stms)) {
  for (const Stm& part : nest_.point.body.stms) {
    if (part.pattern.empty()) break;
    before_checks_.push_back(part);
  }
  for (const Param& param : nest_.point.params) inside_.insert(param.name);
}

bool RowsOfPoints::is_outside(const Atom& atom) const {
  const Name* name = name_in(atom);
  return !name || !inside_.contains(*name);
}

bool RowsOfPoints::may_leave(const Param& row) const {
  const auto& result = nest_.point.body.result;
  return std::all_of(row.type.shape.begin(), row.type.shape.end(), [&](const Atom& size) { return is_outside(size); }) &&
         !aliases_.is_consumed(row.name) && std::count(result.begin(), result.end(), Atom(row.name)) <= 1;
}

std::optional<std::vector<Stm>> RowsOfPoints::needed(NameSet wanted, std::size_t at) const {
  const std::vector<Stm>& stms = nest_.point.body.stms;
  std::vector<Stm> found = statements_for(wanted, {stms.begin(), stms.begin() + static_cast<std::ptrdiff_t>(at)});
  if (!std::all_of(found.begin(), found.end(), facts::is_repeatable) || !facts::is_cheap(found, facts::values_for(stms[at], found))) return std::nullopt;
  return found;
}

Param RowsOfPoints::of_all(const Param& row) const {
  if (const auto place = place_in_results(row.name)) return stm_.pattern[*place];
  Type type = row.type;
  type.shape.insert(type.shape.begin(), nest_.space.begin(), nest_.space.end());
  return names_.fresh_param(row.name.base, type);
}

std::vector<Param> RowsOfPoints::of_all(const std::vector<Param>& rows) const {
  std::vector<Param> all;
  for (const Param& row : rows) all.push_back(of_all(row));
  return all;
}

std::vector<Stm> RowsOfPoints::views(const std::vector<Param>& rows, const std::vector<Param>& all) const {
  std::vector<DimIndex> indices;
  for (const Param& index : nest_.point.params) indices.push_back(Atom(index.name));
  std::vector<Stm> views;
  for (std::size_t i = 0; i < rows.size(); ++i) views.push_back({{rows[i]}, Index{all[i].name, indices, false}, stm_.origin, {}});
  return views;
}

Stm RowsOfPoints::nest_for(std::vector<Stm> stms, const std::vector<Param>& rows, const std::vector<Param>& all) const {
  Nest nest = nest_;
  nest.outs.assign(rows.size(), nest_.outs[0]);
  nest.point.body = {std::move(stms), {}};
  nest.point.result_types.clear();
  for (const Param& row : rows) {
    nest.point.body.result.push_back(row.name);
    nest.point.result_types.push_back(row.type);
  }
  nest.point = rename(nest.point, names_);
  return {all, nest, stm_.origin, stm_.attributes};
}

Stm RowsOfPoints::rest(const std::vector<Param>& rows, const std::vector<Param>& all, const std::optional<Stm>& left) const {
  Stm rest = stm_;
  Nest& nest = std::get<Nest>(rest.exp);
  const std::vector<Stm> seen = views(rows, all);
  std::vector<Stm> stms;
  for (const Stm& stm : nest.point.body.stms) {
    const auto is_of = [&](const Stm& view) { return std::count_if(stm.pattern.begin(), stm.pattern.end(), [&](const Param& param) { return param.name == view.pattern[0].name; }) > 0; };
    const auto before = stms.size();
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(stms), is_of);
    if (stms.size() == before) stms.push_back(stm);
    else if (left) stms.push_back(*left);
  }
  std::vector<bool> done(rest.pattern.size());
  for (const Param& row : rows)
    if (const auto place = place_in_results(row.name)) done[*place] = true;
  simplify::erase_flagged(rest.pattern, done);
  simplify::erase_flagged(nest.outs, done);
  simplify::erase_flagged(nest.point.body.result, done);
  simplify::erase_flagged(nest.point.result_types, done);
  NameSet wanted = names_among(nest.point.body.result);
  nest.point.body.stms = statements_for(wanted, stms, true);
  return rest;
}

namespace {

bool of_scalars(const std::vector<Param>& pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [](const Param& param) { return param.type.is_scalar(); });
}

bool is_loop(const Stm& stm) {
  return std::holds_alternative<Nest>(stm.exp) || std::holds_alternative<Loop>(stm.exp) || std::holds_alternative<WithAcc>(stm.exp);
}

}  // namespace

std::optional<std::vector<Stm>> RowsOfPoints::loops_first(NameSet wanted, std::size_t at) const {
  std::vector<Stm> before(nest_.point.body.stms.begin(), nest_.point.body.stms.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<Param> rows;
  std::optional<Stm> left;
  for (const Stm& stm : statements_for(wanted, before)) {
    if (facts::is_repeatable(stm)) continue;
    if (!is_loop(stm) || !std::all_of(stm.pattern.begin(), stm.pattern.end(), [&](const Param& row) { return may_leave(row); })) return std::nullopt;
    if (!rows.empty() && !(of_scalars(rows) && of_scalars(stm.pattern))) break;
    const auto split = rows.empty() ? split_rows(stm) : std::nullopt;
    if (split) *std::find_if(before.begin(), before.end(), [&](const Stm& one) { return one.pattern == stm.pattern; }) = split->rows;
    if (split) left = split->left;
    const auto& leaving = split ? split->rows.pattern : stm.pattern;
    rows.insert(rows.end(), leaving.begin(), leaving.end());
  }
  if (rows.empty()) return std::nullopt;
  NameSet names;
  for (const Param& row : rows) names.insert(row.name);
  std::vector<Stm> needed = statements_for(names, before);
  const bool can_leave = std::all_of(needed.begin(), needed.end(), [&](const Stm& stm) {
    return facts::is_repeatable(stm) || std::find(rows.begin(), rows.end(), stm.pattern[0]) != rows.end();
  });
  if (!can_leave) return std::nullopt;
  std::vector<Param> all = of_all(rows);
  Stm others = rest(rows, all, left);
  const NameSet used = free_names(others.exp);
  std::vector<bool> unused;
  for (const Param& one : all) unused.push_back(!used.contains(one.name) && std::find(stm_.pattern.begin(), stm_.pattern.end(), one) == stm_.pattern.end());
  simplify::erase_flagged(rows, unused);
  simplify::erase_flagged(all, unused);
  return std::vector<Stm>{nest_for(std::move(needed), rows, all), std::move(others)};
}

std::optional<std::size_t> RowsOfPoints::place_in_results(const Name& row) const {
  const auto& result = nest_.point.body.result;
  const auto found = std::find(result.begin(), result.end(), Atom(row));
  return found == result.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - result.begin()));
}

}  // namespace boustro::parallel
