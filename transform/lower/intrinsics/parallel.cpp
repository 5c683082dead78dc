// Map, reduce and scan.
#include "transform/ir/traversal.hpp"
#include "transform/ir/unnamed.hpp"
#include "transform/lower/application.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"

namespace boustro::lower {
namespace {

/// The arrays that a map yields whose function only rearranges components; nothing if it does more.
std::optional<std::vector<Atom>> rearranged(const ir::Map& map) {
  if (!map.fn.body.stms.empty()) return std::nullopt;
  std::vector<Atom> result;
  for (const Atom& atom : map.fn.body.result) {
    std::size_t i = 0;
    while (i < map.fn.params.size() && atom != Atom(map.fn.params[i].name)) ++i;
    if (i == map.fn.params.size()) return std::nullopt;
    result.push_back(map.arrays.at(i));
  }
  return result;
}

std::vector<Atom> as_atoms(const std::vector<ir::Name>& names) {
  return {names.begin(), names.end()};
}

}  // namespace

Value lower_map(Context& context, const Use& use) {
  ir::Map map;
  map.width = use.width(context, 0, use.arg(1));
  map.arrays = arrays_as(context, use.arg(1), array_of(map.width, use.type(0)));
  map.fn = lower_to_lambda(context, use.arg(0), {use.type(0)}, use.type(1));
  for (std::size_t i = 0; i < map.arrays.size(); ++i) {
    context.call_by_elements(map.arrays[i], map.fn.params[i].name);
    if (map.fn.params[i].type.is_scalar()) context.call_by_array(map.fn.params[i].name, map.arrays[i]);
  }
  if (const auto arrays = rearranged(map))
    return context.fresh(from_leaves(use.type(1), *arrays), use.type(1));
  const std::vector<std::string> bases(map.fn.result_types.size(), "xs");
  return from_leaves(use.type(1), as_atoms(context.emit_all(bases, std::move(map))));
}

Value lower_reduce(Context& context, const Use& use) {
  const Type& type = use.type(0);
  ir::Reduce reduce;
  reduce.width = use.width(context, 0, use.arg(2));
  reduce.neutral = leaves_as(context, use.arg(1), type);
  reduce.arrays = arrays_as(context, use.arg(2), array_of(reduce.width, type));
  reduce.op = lower_to_lambda(context, use.arg(0), {type, type}, type);
  reduce.commutative = use.intrinsic == check::Intrinsic::reduce_comm;
  const std::vector<std::string> bases(reduce.arrays.size(), base_of_fold(reduce.op));
  return from_leaves(type, as_atoms(context.emit_all(bases, std::move(reduce))));
}

Value lower_scan(Context& context, const Use& use) {
  const Type& type = use.type(0);
  ir::Scan scan;
  scan.width = use.width(context, 0, use.arg(2));
  scan.neutral = leaves_as(context, use.arg(1), type);
  scan.arrays = arrays_as(context, use.arg(2), array_of(scan.width, type));
  scan.op = lower_to_lambda(context, use.arg(0), {type, type}, type);
  const std::vector<std::string> bases(scan.arrays.size(), base_of_fold(scan.op) + "s");
  return from_leaves(type, as_atoms(context.emit_all(bases, std::move(scan))));
}

}  // namespace boustro::lower
