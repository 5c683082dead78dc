#include "transform/parallel/flatten/nests_apart.hpp"

#include <algorithm>

#include "transform/ir/needed.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/operands.hpp"
#include "transform/parallel/flatten/rows_of_points.hpp"
#include "transform/parallel/flatten/split_rows.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

class Parter {
 public:
  Parter(const Stm& stm, Names& names, const facts::Callees& callees) : stm_(stm), rows_(stm, names, callees), nest_(rows_.nest()), names_(names) {}

  std::optional<std::vector<Stm>> run() {
    if (nest_.over != Level::grid || !stores_new_arrays(nest_)) return std::nullopt;
    for (std::size_t at = 0; at < rows_.before_checks().size(); ++at) {
      const auto split = split_of(rows_.before_checks()[at]);
      if (!split || !can_leave(*split)) continue;
      if (const auto needed = rows_.needed(free_names(split->rows.exp), at)) return apart(*split, *needed);
      if (auto parts = rows_.loops_first(free_names(split->rows.exp), at)) return parts;
    }
    return std::nullopt;
  }

 private:
  /// Rows that take a loop for each element, or those that the point stores anyway.
  std::optional<Split> split_of(const Stm& stm) const {
    const auto* inner = std::get_if<Nest>(&stm.exp);
    if (!inner) return std::nullopt;
    const bool takes_long = has_loop(inner->point.body);
    if (stores_new_arrays(*inner)) return takes_long ? std::optional(Split{stm, std::nullopt}) : std::nullopt;
    auto split = split_rows(stm);
    return split && (takes_long || are_results(split->rows.pattern)) ? split : std::nullopt;
  }

  bool are_results(const std::vector<Param>& rows) const {
    const auto& result = nest_.point.body.result;
    return std::all_of(rows.begin(), rows.end(), [&](const Param& row) { return std::find(result.begin(), result.end(), Atom(row.name)) != result.end(); });
  }

  bool can_leave(const Split& split) const {
    const auto& space = std::get<Nest>(split.rows.exp).space;
    const auto& rows = split.rows.pattern;
    return std::any_of(space.begin(), space.end(), [](const Atom& extent) { return name_in(extent) != nullptr; }) &&
           std::all_of(rows.begin(), rows.end(), [&](const Param& row) { return rows_.may_leave(row); }) && !is_all(rows);
  }

  /// Then the two are a perfect nest.
  bool is_all(const std::vector<Param>& rows) const {
    const auto& result = nest_.point.body.result;
    return std::all_of(result.begin(), result.end(), [&](const Atom& one) {
      return std::any_of(rows.begin(), rows.end(), [&](const Param& row) { return one == Atom(row.name); });
    });
  }

  std::vector<Stm> apart(const Split& split, const std::vector<Stm>& needed) {
    const std::vector<Param> all = rows_.of_all(split.rows.pattern);
    std::vector<Stm> of_rows = needed;
    of_rows.push_back(split.rows);
    std::vector<Stm> parts{rows_.nest_for(std::move(of_rows), split.rows.pattern, all)};
    Stm rest = rows_.rest(split.rows.pattern, all, split.left);
    std::vector<Stm> seen = views_of_rows(std::get<Nest>(rest.exp), rest.pattern);
    if (!rest.pattern.empty()) parts.push_back(std::move(rest));
    parts.insert(parts.end(), seen.begin(), seen.end());
    return parts;
  }

  /// Results that are nothing but rows seen otherwise: all at once, and no more of the nest.
  std::vector<Stm> views_of_rows(Nest& nest, std::vector<Param>& pattern) {
    std::vector<Stm> views;
    std::vector<bool> seen;
    Body& body = nest.point.body;
    for (std::size_t i = 0; i < body.result.size(); ++i) {
      const Stm* view = definition(body, body.result[i]);
      const auto* rearranged = view ? std::get_if<Rearrange>(&view->exp) : nullptr;
      const Stm* row = rearranged ? definition(body, rearranged->array) : nullptr;
      const auto* read = row ? std::get_if<Index>(&row->exp) : nullptr;
      seen.push_back(read && is_point(*read));
      if (!seen.back()) continue;
      const int outer = static_cast<int>(nest.space.size());
      std::vector<int> permutation;
      for (int d = 0; d < outer; ++d) permutation.push_back(d);
      for (const int d : rearranged->permutation) permutation.push_back(outer + d);
      views.push_back({{pattern[i]}, Rearrange{permutation, read->array}, stm_.origin, {}});
    }
    simplify::erase_flagged(nest.outs, seen);
    simplify::erase_flagged(pattern, seen);
    simplify::erase_flagged(body.result, seen);
    simplify::erase_flagged(nest.point.result_types, seen);
    keep_needed(nest);
    return views;
  }

  static const Stm* definition(const Body& body, const Atom& atom) {
    const Name* name = name_in(atom);
    const auto found = std::find_if(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      return name && stm.pattern.size() == 1 && stm.pattern[0].name == *name;
    });
    return found == body.stms.end() ? nullptr : &*found;
  }

  /// The row of an array at the indices of the point.
  bool is_point(const Index& read) const {
    const auto& params = nest_.point.params;
    return std::equal(read.indices.begin(), read.indices.end(), params.begin(), params.end(),
                      [](const DimIndex& index, const Param& param) { return index == DimIndex(Atom(param.name)); });
  }

  const Stm& stm_;
  const RowsOfPoints rows_;
  const Nest& nest_;
  Names& names_;
};

}  // namespace

std::optional<std::vector<Stm>> nests_apart(const Stm& stm, Names& names, const facts::Callees& callees) {
  return Parter(stm, names, callees).run();
}

}  // namespace boustro::parallel
