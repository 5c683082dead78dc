#include "transform/facts/thread_rows.hpp"

#include <algorithm>
#include <unordered_map>

#include "transform/facts/joint_sums.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::facts {
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

/// The index of a sum, and what it is moved by the same for all summands.
ir::NameSet indices_of_summands(const ir::Nest& sum) {
  const ir::NameSet inside = ir::bound_names(sum.point.body.stms);
  const ir::Name& index = sum.point.params.back().name;
  const auto is_same = [&](const ir::Atom& atom) { return atom != ir::Atom(index) && (!ir::name_in(atom) || !inside.contains(*ir::name_in(atom))); };
  ir::NameSet result{index};
  for (const ir::Stm& stm : sum.point.body.stms) {
    const auto* op = std::get_if<ir::BinOp>(&stm.exp);
    const bool moved = op && op->kind == ir::BinOpKind::add && ((op->lhs == ir::Atom(index) && is_same(op->rhs)) || (op->rhs == ir::Atom(index) && is_same(op->lhs)));
    if (moved) result.insert(stm.pattern[0].name);
  }
  return result;
}

/// By the first result of each sum that several threads compute: indices along which these are neighbours.
using Summands = std::unordered_map<ir::Name, ir::NameSet>;
Summands summands_of(const ir::Nest& nest) {
  Summands result;
  const auto joint = joint_sums_of(nest);
  if (!joint || tiling_of(nest).has_value()) return result;  // tiles go through rows
  for (const std::size_t at : joint->sums) {
    const ir::Stm& sum = nest.point.body.stms[at];
    result.emplace(sum.pattern[0].name, indices_of_summands(std::get<ir::Nest>(sum.exp)));
  }
  return result;
}

bool is_one_of(const ir::DimIndex& index, const ir::NameSet& names) {
  const auto* atom = std::get_if<ir::Atom>(&index);
  return atom && ir::name_in(*atom) && names.contains(*ir::name_in(*atom));
}

/// How often a body reads the array, if always rows that are its own: at one of these indices in that dimension, or of a sum.
std::optional<int> own_reads(const ir::NameSet& own_indices, const Summands& sums, const ir::Body& body, const ir::Name& array, std::size_t dimension) {
  if (std::find(body.result.begin(), body.result.end(), ir::Atom(array)) != body.result.end()) return std::nullopt;
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    if (!ir::free_names(stm).contains(array)) continue;
    if (const auto* index = std::get_if<ir::Index>(&stm.exp)) {
      if (index->array != array) return std::nullopt;
      const auto left = dimension_of_part(index->indices, dimension);
      const bool own = left ? own_reads(own_indices, sums, body, stm.pattern[0].name, *left).has_value() : is_one_of(index->indices[dimension], own_indices);
      if (!own) return std::nullopt;
      ++count;
      continue;
    }
    const auto sum = stm.pattern.empty() ? sums.end() : sums.find(stm.pattern[0].name);
    bool is_operand = sum == sums.end() && std::holds_alternative<ir::Nest>(stm.exp);  // of whom nobody knows what becomes of it
    ir::for_each_atom(stm.exp, [&](const ir::Atom& atom) { is_operand = is_operand || atom == ir::Atom(array); });
    if (is_operand) return std::nullopt;
    std::optional<int> reads = 0;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) {
      const auto more = own_reads(sum == sums.end() ? own_indices : sum->second, sums, inner, array, dimension);
      reads = reads && more ? std::optional(*reads + *more) : std::nullopt;
    });
    if (!reads) return std::nullopt;
    count += *reads;
  }
  return count;
}

/// Whether threads alone read it, also in other orders of its dimensions.
bool is_read_by_threads(const std::vector<ir::Stm>& stms, std::size_t from, const ir::Name& array, std::size_t dimension,
                        const UseCount& uses) {
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
    if (!nest || !is_of_threads(*nest)) return false;
    const auto reads = own_reads({nest->point.params.back().name}, summands_of(*nest), nest->point.body, array, dimension);
    if (!reads) return false;
    count += *reads;
  }
  return count > 0 && count == uses(array);
}

/// How the only statement that uses the array sees it.
std::optional<std::vector<int>> only_seen_as(const std::vector<ir::Stm>& stms, std::size_t from, const ir::Name& array, const UseCount& uses) {
  if (uses(array) != 1) return std::nullopt;
  for (std::size_t k = from; k < stms.size(); ++k)
    if (const auto* view = std::get_if<ir::Rearrange>(&stms[k].exp); view && view->array == array) return view->permutation;
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> order_in_memory(const std::vector<ir::Stm>& stms, std::size_t at, const ir::Name& made, const UseCount& uses) {
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

}  // namespace boustro::facts
