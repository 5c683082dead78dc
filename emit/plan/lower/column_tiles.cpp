#include "emit/plan/lower/column_tiles.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"
#include "transform/ir/nest.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// Nothing is combined in there, or carried on.
bool only_stores(const ir::Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const ir::Stm& stm) {
    if (std::holds_alternative<ir::Loop>(stm.exp)) return false;
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    bool result = !nest || (nest->accumulators.empty() && std::all_of(nest->outs.begin(), nest->outs.end(), [](const ir::Out& out) {
                              return out.kind == ir::OutKind::store;
                            }));
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { result = result && only_stores(inner); });
    ir::for_each_lambda(stm.exp, [&](const ir::Lambda& inner) { result = result && only_stores(inner.body); });
    return result;
  });
}

/// From the last row to the first.
bool is_backwards(const Expr& stride) {
  return stride.head == Head(Op::mul) && std::any_of(stride.args.begin(), stride.args.end(), [](const Expr& arg) { return int_value(arg).value_or(0) < 0; });
}

/// The last dimension lies first, and forwards: where an array without columns begins is a place then; all others behind it, in their order.
bool lies_in_columns(const View& array) {
  const Memory* memory = array.memory();
  if (!memory || array.rank() < 2 || is_backwards(memory->strides.back())) return false;
  const std::vector<Scalar> others(array.extents.begin(), array.extents.end() - 1);
  const std::vector<Expr> dense = dense_strides(others);
  return memory->strides.back() != lit(1) && std::equal(dense.begin(), dense.end(), memory->strides.begin());
}

bool has_vectors(PrimType elem) {
  return elem == PrimType::f64 || elem == PrimType::f32 || elem == PrimType::i64 || elem == PrimType::i32;
}

/// Scratch memory has room for it, whatever the entry finds out.
bool is_bounded(const Context& context, const View& row) {
  return std::all_of(row.extents.begin() + 1, row.extents.end(),
                     [&](const Scalar& extent) { return extent.upper && !context.is_late(*extent.upper); });
}

/// The rows as those of an array whose point `first` has the first of them.
View from_point(View rows, const Expr& first) {
  auto& memory = std::get<Memory>(rows.data);
  memory.offset = minus(memory.offset, times(first, memory.strides[0]));
  return rows;
}

}  // namespace

bool stores_columns(Code& code, const ir::Nest& nest, const std::vector<OutPlace>& places) {
  if (!nest.accumulators.empty() || nest.outs.size() != 1 || nest.outs[0].kind != ir::OutKind::store) return false;
  const View& result = places[0].arrays[0];
  return has_vectors(result.elem) && lies_in_columns(result) && is_bounded(code.context(), result) && only_stores(nest.point.body);
}

void in_column_tiles(Code& code, const ir::Stm& stm, const ir::Nest& nest, const std::vector<OutPlace>& places, const Scalar& work) {
  const Scalar points = code.extents({nest.space[0]})[0];
  const View result = places[0].arrays[0];
  Parts parts = code.parts_of(points, work, std::nullopt);
  code.define(parts);
  code.loop_over(parts, [&] {
    std::vector<Scalar> extents = result.extents;
    extents[0] = {.expr = runtime::max_lanes(), .upper = runtime::max_lanes(), .exact = true};
    const View rows = code.temporary(stm.pattern[0].name.base + "_rows", result.elem, extents);
    LoopForm tiles = code.tiles_of(parts, points.expr);
    const Expr end = *tiles.to;
    tiles.step = runtime::max_lanes();
    const auto one_tile = [&](const Scalar& tile) {
      const Expr tile_end = code.named("tile_end", runtime::min(tile.expr + runtime::max_lanes(), end));
      std::vector<OutPlace> in_tile = places;
      in_tile[0].arrays[0] = from_point(rows, tile.expr);
      Loops(code, stm, nest, in_tile, {}, {.from = tile.expr, .to = tile_end}).run();
      const Memory &from = *rows.memory(), &to = *result.memory();
      const Expr begin = plus(plus(to.base, to.offset), times(tile.expr, to.strides[0]));
      const Expr count = times(minus(tile_end, tile.expr), to.strides[0]);
      code.emit(Do{call("store_columns", {}, {begin, to.strides.back(), plus(from.base, from.offset), count, result.extents.back().expr})});
    };
    code.loop(points, "tile", one_tile, tiles);
    code.emit(Do{call("order_stores", {}, {})});
  });
}

}  // namespace boustro::plan::planner
