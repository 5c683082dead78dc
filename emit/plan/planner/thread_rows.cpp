#include "emit/plan/planner/thread_rows.hpp"

#include <algorithm>

#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

bool is_of_threads(const ir::Nest& nest) { return nest.over == ir::Level::grid && nest.each == ir::Level::thread; }

/// The last dimension of the nest, if each point makes a row there.
std::optional<std::size_t> dimension_of_rows(const ir::Stm& stm, const ir::Name& made) {
  const auto* nest = std::get_if<ir::Nest>(&stm.exp);
  if (!nest || !is_of_threads(*nest)) return std::nullopt;
  std::size_t result = nest->accumulators.size();
  for (const ir::Out& out : nest->outs) {
    for (const std::size_t end = result + out.results(); result < end; ++result) {
      const ir::Param& param = stm.pattern[result];
      if (param.name != made) continue;
      const auto kept = static_cast<std::size_t>(out.rank);
      const bool is_row = out.kind == ir::OutKind::store && kept == nest->space.size() && param.type.shape.size() > kept;
      return is_row ? std::optional(kept - 1) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// All of the dimension, or at least from its beginning on.
bool is_from_start(const ir::DimIndex& index) {
  const auto* slice = std::get_if<ir::Slice>(&index);
  const auto is = [](const ir::Atom& atom, std::int64_t number) {
    const values::PrimValue* literal = ir::literal_in(atom);
    return literal && literal->as_int() == number;
  };
  return slice && is(slice->start, 0) && is(slice->stride, 1);
}

/// Which dimension of the part it is, if the indices leave it.
std::optional<std::size_t> dimension_of_part(const std::vector<ir::DimIndex>& indices, std::size_t dimension) {
  const std::size_t given = indices.size();
  if (dimension < given && !is_from_start(indices[dimension])) return std::nullopt;
  const auto end = indices.begin() + static_cast<std::ptrdiff_t>(std::min(given, dimension));
  const auto picked = std::count_if(indices.begin(), end, [](const ir::DimIndex& index) { return std::holds_alternative<ir::Atom>(index); });
  return dimension - static_cast<std::size_t>(picked);
}

/// How often the body of a point reads the array, if always its own rows: at its innermost index in that dimension.
std::optional<int> own_reads(const ir::Nest& nest, const ir::Body& body, const ir::Name& array, std::size_t dimension) {
  if (std::find(body.result.begin(), body.result.end(), ir::Atom(array)) != body.result.end()) return std::nullopt;
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    if (!ir::free_names(stm).contains(array)) continue;
    if (const auto* index = std::get_if<ir::Index>(&stm.exp)) {
      if (index->array != array) return std::nullopt;
      const auto left = dimension_of_part(index->indices, dimension);
      const bool own = left ? own_reads(nest, body, stm.pattern[0].name, *left).has_value()
                            : index->indices[dimension] == ir::DimIndex(ir::Atom(nest.point.params.back().name));
      if (!own) return std::nullopt;
      ++count;
      continue;
    }
    bool is_operand = std::holds_alternative<ir::Nest>(stm.exp);  // of whom nobody knows what becomes of it
    ir::for_each_atom(stm.exp, [&](const ir::Atom& atom) { is_operand = is_operand || atom == ir::Atom(array); });
    if (is_operand) return std::nullopt;
    std::optional<int> reads = 0;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) {
      const auto more = own_reads(nest, inner, array, dimension);
      reads = reads && more ? std::optional(*reads + *more) : std::nullopt;
    });
    if (!reads) return std::nullopt;
    count += *reads;
  }
  return count;
}

/// Whether threads alone read it, also in other orders of its dimensions.
bool is_read_by_threads(const std::vector<ir::Stm>& stms, std::size_t from, const ir::Name& array, std::size_t dimension,
                        const Uses& uses) {
  int count = 0;
  for (std::size_t k = from; k < stms.size(); ++k) {
    if (!ir::free_names(stms[k]).contains(array)) continue;
    if (const auto* view = std::get_if<ir::Rearrange>(&stms[k].exp)) {
      const auto place = std::find(view->permutation.begin(), view->permutation.end(), static_cast<int>(dimension));
      const auto seen = static_cast<std::size_t>(place - view->permutation.begin());
      if (!is_read_by_threads(stms, k + 1, stms[k].pattern[0].name, seen, uses)) return false;
      ++count;
      continue;
    }
    const auto* nest = std::get_if<ir::Nest>(&stms[k].exp);
    const auto reads = nest && is_of_threads(*nest) ? own_reads(*nest, nest->point.body, array, dimension) : std::nullopt;
    if (!reads) return false;
    count += *reads;
  }
  return count > 0 && count == uses.of(array).count;
}

/// How the only statement that uses the array sees it.
std::optional<std::vector<int>> only_seen_as(const std::vector<ir::Stm>& stms, std::size_t from, const ir::Name& array, const Uses& uses) {
  if (uses.of(array).count != 1) return std::nullopt;
  for (std::size_t k = from; k < stms.size(); ++k)
    if (const auto* view = std::get_if<ir::Rearrange>(&stms[k].exp); view && view->array == array) return view->permutation;
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> order_in_memory(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Name& made, const Uses& uses) {
  const auto dimension = dimension_of_rows(stms[at], made);
  if (!dimension) return std::nullopt;
  if (!is_read_by_threads(stms, at + 1, made, *dimension, uses)) return only_seen_as(stms, at + 1, made, uses);
  const auto& pattern = stms[at].pattern;
  const auto place = std::find_if(pattern.begin(), pattern.end(), [&](const ir::Param& param) { return param.name == made; });
  std::vector<int> order;
  for (int d = 0; d < place->type.rank(); ++d)
    if (d != static_cast<int>(*dimension)) order.push_back(d);
  order.push_back(static_cast<int>(*dimension));
  return order;
}

}  // namespace boustro::plan::planner
