#include "transform/parallel/flatten/split_rows.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {

using namespace ir;

bool has_loop(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    return std::holds_alternative<Nest>(stm.exp) || std::holds_alternative<Loop>(stm.exp);
  });
}

void keep_needed(Nest& nest) {
  NameSet wanted = names_among(nest.point.body.result);
  nest.point.body.stms = statements_for(wanted, nest.point.body.stms, true);
}

namespace {

bool is_stored(const Out& out) { return out.kind == OutKind::store && out.destinations.empty(); }

bool has_check(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) { return stm.pattern.empty(); });
}

/// The results that are stored, or all others.
void keep_results(Stm& stm, bool stored) {
  Nest& nest = std::get<Nest>(stm.exp);
  std::vector<bool> results, values, outs;
  for (const Out& out : nest.outs) {
    outs.push_back(is_stored(out) != stored);
    results.insert(results.end(), out.results(), outs.back());
    values.insert(values.end(), out.indices() + out.values(), outs.back());
  }
  simplify::erase_flagged(stm.pattern, results);
  simplify::erase_flagged(nest.point.body.result, values);
  simplify::erase_flagged(nest.point.result_types, values);
  simplify::erase_flagged(nest.outs, outs);
  keep_needed(nest);
}

/// What the rows hold is read from them.
void read_rows(Nest& nest, const Nest& rows, const std::vector<Param>& of_rows) {
  std::vector<DimIndex> indices;
  for (const Param& index : nest.point.params) indices.push_back(Atom(index.name));
  for (std::size_t i = 0; i < of_rows.size(); ++i) {
    for (Stm& stm : nest.point.body.stms)
      if (stm.pattern.size() == 1 && rows.point.body.result[i] == Atom(stm.pattern[0].name)) stm.exp = Index{of_rows[i].name, indices, false};
  }
  keep_needed(nest);
}

}  // namespace

std::optional<Split> split_rows(const Stm& stm) {
  const auto* nest = std::get_if<Nest>(&stm.exp);
  const auto stored = nest ? std::count_if(nest->outs.begin(), nest->outs.end(), is_stored) : 0;
  if (stored == 0 || stored == static_cast<std::ptrdiff_t>(nest->outs.size()) || !nest->accumulators.empty()) return std::nullopt;
  if (has_check(nest->point.body)) return std::nullopt;
  Split split{stm, stm};
  keep_results(split.rows, true);
  keep_results(*split.left, false);
  Nest& left = std::get<Nest>(split.left->exp);
  read_rows(left, std::get<Nest>(split.rows.exp), split.rows.pattern);
  return has_loop(left.point.body) ? std::nullopt : std::optional(std::move(split));
}

}  // namespace boustro::parallel
