// The module `core`: a map with what follows it, as fusion makes it. The outs say which form it is. See
// transform/ir/core_module.hpp.
#include <algorithm>

#include "transform/lower/intrinsics/outs.hpp"

namespace boustro::lower {
namespace {

using ir::OutKind;

bool any_of_kind(const std::vector<ir::Out>& outs, OutKind kind) {
  return std::any_of(outs.begin(), outs.end(), [&](const ir::Out& out) { return out.kind == kind; });
}

std::vector<ir::Operator> operators_of(const std::vector<ir::Out>& outs) {
  std::vector<ir::Operator> operators;
  for (const ir::Out& out : outs)
    if (out.op) operators.push_back(*out.op);
  return operators;
}

ir::ReduceByIndex histograms_of(const ir::Map& map, const std::vector<ir::Out>& outs) {
  ir::ReduceByIndex result{map.width, {}, map.fn, map.arrays};
  for (const ir::Out& out : outs)
    result.histograms.push_back({out.bins, out.destinations, out.op->op, out.op->neutral});
  return result;
}

/// The function yields its parameters: indices, then values.
ir::Scatter scatter_of(const ir::Map& map, const ir::Out& out) {
  const auto middle = map.arrays.begin() + static_cast<std::ptrdiff_t>(out.indices());
  return {map.width, {map.arrays.begin(), middle}, out.destinations, {middle, map.arrays.end()}};
}

ir::Exp form_of(Context& context, ir::Map map, const std::vector<ir::Out>& outs) {
  if (any_of_kind(outs, OutKind::histogram)) return histograms_of(map, outs);
  if (any_of_kind(outs, OutKind::scatter)) {
    if (outs.size() != 1 || map.arrays.size() != outs[0].indices() + outs[0].values())
      refuse_core(context, "a scatter takes an array for each index and each value");
    return scatter_of(map, outs[0]);
  }
  if (any_of_kind(outs, OutKind::scan)) return ir::MapScan{map.width, operators_of(outs), map.fn, map.arrays};
  if (any_of_kind(outs, OutKind::reduce))
    return ir::MapReduce{map.width, operators_of(outs), map.fn, map.arrays, map.accumulators};
  return map;
}

/// Whether there are as many elements and results as arrays and outs.
bool map_fits(const ir::Map& map, const std::vector<ir::Out>& outs, const Type& made) {
  std::size_t results = 0;
  for (const ir::Out& out : outs) results += out.results();
  return map.fn.params.size() == map.accumulators.size() + map.arrays.size() &&
         results == (is_unit(made) ? 0 : leaves_of(made).size());
}

}  // namespace

Value lower_fused(Context& context, const Use& use) {
  context.uses_nests = true;
  const std::size_t first = use.intrinsic == check::Intrinsic::fused_acc ? 1 : 0;  // types and arguments before
  const Type* accumulators = first == 1 ? &use.type(0) : nullptr;
  const Type &element = use.type(first), &arrays = use.type(first + 1);
  const Type &values = use.type(first + 2), &made = use.type(first + 4);
  ir::Map map;
  map.width = atom_of(use.arg(0));
  if (accumulators) map.accumulators = arrays_as(context, use.arg(2), *accumulators);
  if (!is_unit(arrays)) map.arrays = arrays_as(context, use.arg(first + 2), arrays);
  const std::vector<ir::Out> outs = outs_of(context, use.arg(first + 3), 1);
  map.fn = lambda_of(context, use.arg(1), accumulators, element, values);
  if (!map_fits(map, outs, made))
    refuse_core(context, "the arrays, the function, the outs and the results of a map do not fit each other");
  const std::vector<ir::Name> operands = map.accumulators;
  return emit_form(context, operands, accumulators, made, form_of(context, std::move(map), outs));
}

}  // namespace boustro::lower
