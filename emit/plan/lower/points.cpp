#include "emit/plan/lower/points.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

View row_at(Code& code, View array, const std::vector<Scalar>& indices) {
  for (const Scalar& index : indices) array = code.row(array, index.expr);
  return array;
}

}  // namespace

std::size_t Points::first_value(std::size_t out) const {
  std::size_t first = nest_.accumulators.size();
  for (std::size_t k = 0; k < out; ++k) first += nest_.outs[k].indices() + nest_.outs[k].values();
  return first + nest_.outs[out].indices();
}

std::vector<bool> Points::counts(std::size_t out) const {
  const std::size_t first = first_value(out);
  std::vector<bool> counts;
  for (std::size_t k = 0; k < nest_.outs[out].values(); ++k)
    counts.push_back(nest_.point.body.result[first + k] ==
                     ir::Atom(nest_.point.params.back().name));
  return counts;
}

/// Arithmetic and views, which do not depend on what comes with the further dimensions.
bool Points::may_stand_here(const ir::Stm& stm, std::size_t dimensions) const {
  const ir::Exp& e = stm.exp;
  const bool plain =
      ir::is_scalar_operation(e) || std::holds_alternative<ir::Index>(e) ||
      std::holds_alternative<ir::Rearrange>(e);
  if (!plain || ir::may_fail(e)) return false;
  const ir::NameSet used = ir::free_names(stm);
  const auto& params = nest_.point.params;
  const auto first =
      params.begin() + static_cast<std::ptrdiff_t>(nest_.accumulators.size() + dimensions);
  return std::none_of(first, params.end(),
                      [&](const ir::Param& param) { return used.contains(param.name); });
}

void Points::enter(const std::vector<Scalar>& indices) {
  const std::size_t accumulators = nest_.accumulators.size(), dimensions = indices.size();
  if (dimensions == 0 || dimensions == nest_.space.size()) return;
  code_.bind(nest_.point.params[accumulators + dimensions - 1].name, indices.back());
  const std::vector<ir::Stm>& stms = nest_.point.body.stms;
  while (done_ < stms.size() && may_stand_here(stms[done_], dimensions)) code_.stm(stms[done_++]);
}

void Points::run(const std::vector<Scalar>& indices) {
  const std::size_t accumulators = nest_.accumulators.size();
  for (std::size_t i = 0; i < accumulators; ++i)
    code_.bind(nest_.point.params[i].name, code_.accumulator(nest_.accumulators[i]));
  for (std::size_t d = 0; d < indices.size(); ++d)
    code_.bind(nest_.point.params[accumulators + d].name, indices[d]);
  ir::Body rest = nest_.point.body;
  rest.stms.erase(rest.stms.begin(), rest.stms.begin() + static_cast<std::ptrdiff_t>(done_));
  const Results results = code_.body(rest, destinations(indices));
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) hand_over(out, results, indices);
}

/// Rows that are stored are made where they belong.
Destinations Points::destinations(const std::vector<Scalar>& indices) const {
  Destinations result(nest_.point.body.result.size());
  for (std::size_t out = 0; out < nest_.outs.size(); ++out) {
    if (nest_.outs[out].kind != ir::OutKind::store) continue;
    View row = row_at(code_, places_[out].arrays[0], indices);
    if (row.rank() > 0) result[first_value(out)] = std::move(row);
  }
  return result;
}

void Points::hand_over(std::size_t out, const Results& results,
                       const std::vector<Scalar>& indices) {
  switch (nest_.outs[out].kind) {
    case ir::OutKind::store:
      return store(out, indices);
    case ir::OutKind::reduce:
    case ir::OutKind::scan:
      return combine(out, results, indices);
    case ir::OutKind::histogram:
    case ir::OutKind::scatter:
      return write_by_index(out, results);
  }
}

void Points::store(std::size_t out, const std::vector<Scalar>& indices) {
  const View cell = row_at(code_, places_[out].arrays[0], indices);
  if (cell.rank() == 0)
    code_.store(cell, code_.final_value(nest_.point.body.result[first_value(out)]));
}

void Points::combine(std::size_t out, const Results& results, const std::vector<Scalar>& indices) {
  OutPlace& place = places_[out];
  const auto from = results.begin() + static_cast<std::ptrdiff_t>(first_value(out));
  code_.step(place.op, place.running,
             {from, from + static_cast<std::ptrdiff_t>(place.running.size())});
  if (nest_.outs[out].kind != ir::OutKind::scan) return;
  const Results stored = concluded(out, indices);
  for (std::size_t k = 0; k < place.arrays.size(); ++k)
    code_.put(row_at(code_, place.arrays[k], indices), stored[k]);
}

Results Points::concluded(std::size_t out, const std::vector<Scalar>& indices) {
  const auto& epilogue = nest_.outs[out].epilogue;
  if (!epilogue) return places_[out].running;
  for (std::size_t d = 0; d < indices.size(); ++d) code_.bind(epilogue->params[d].name, indices[d]);
  for (std::size_t k = 0; k < places_[out].running.size(); ++k)
    code_.bind(epilogue->params[indices.size() + k].name, places_[out].running[k]);
  return code_.body(epilogue->body);
}

void Points::write_by_index(std::size_t out, const Results& results) {
  const ir::Out& what = nest_.outs[out];
  const std::size_t first = first_value(out), rank = what.indices();
  OutPlace& place = places_[out];
  const auto end = nest_.point.body.result.begin() + static_cast<std::ptrdiff_t>(first);
  const std::vector<ir::Atom> indices(end - static_cast<std::ptrdiff_t>(rank), end);
  std::vector<Scalar> at;
  for (std::size_t k = 0; k < rank; ++k) {
    Scalar index = std::get<Scalar>(results[first - rank + k]);
    index.expr = code_.named(what.op ? "bin" : "index", index.expr);
    at.push_back(std::move(index));
  }
  const Results values(results.begin() + static_cast<std::ptrdiff_t>(first),
                       results.begin() + static_cast<std::ptrdiff_t>(first + what.values()));
  const View& whole =
      place.accumulators.empty() ? place.arrays[0] : place.accumulators[0].destination;
  code_.guarded(code_.inside(at, whole.extents), [&] {
    for (std::size_t k = 0; k < place.accumulators.size(); ++k) {
      const View cell = row_at(code_, place.accumulators[k].destination, at);
      code_.add_to(code_.with_peers(place.accumulators[k], cell, indices), cell, values[k]);
    }
    Results cells;
    for (const View& array : place.arrays) cells.push_back(row_at(code_, array, at));
    if (what.op && !cells.empty()) return code_.step_in_place(*what.op, cells, values);
    for (std::size_t k = 0; k < cells.size(); ++k) code_.put(std::get<View>(cells[k]), values[k]);
  });
}

}  // namespace boustro::plan::planner
