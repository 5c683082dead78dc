#include "emit/plan/planner/layout.hpp"

#include <algorithm>

#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/planner/tables.hpp"

namespace boustro::plan::planner {

std::vector<Expr> dense_strides(const std::vector<Scalar>& extents, const Expr& unit) {
  std::vector<Expr> strides(extents.size(), unit);
  for (std::size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = times(extents[i].expr, strides[i]);
  return strides;
}

View dense_view(const Expr& pointer, PrimType elem, std::vector<Scalar> extents) {
  std::vector<Expr> strides = dense_strides(extents);
  return {elem, std::move(extents), Memory{pointer, lit(0), std::move(strides)}};
}

bool is_contiguous(const View& view) { return view.memory() && view.memory()->strides == dense_strides(view.extents); }

bool lies_dense(const View& view, const Tables& tables) {
  return is_contiguous(view) && !tables.hold(view) && !contains_element(view.memory()->offset);
}

Expr start_of(const View& view) {
  const Memory& memory = *view.memory();
  return is_zero(memory.offset) ? memory.base : memory.base + memory.offset;
}

bool is_dense(const View& view) {
  const Memory* memory = view.memory();
  return memory && (view.extents.empty() ||
                    memory->strides == dense_strides(view.extents, memory->strides.back()));
}

View rearranged_back(const View& array, const std::vector<int>& permutation) {
  View result = array;
  Memory memory = *array.memory();
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    const auto from = static_cast<std::size_t>(permutation[d]);
    result.extents[from] = array.extents[d];
    memory.strides[from] = array.memory()->strides[d];
  }
  result.data = std::move(memory);
  return result;
}

bool same_memory(const View& x, const View& y) {
  return x.memory() && y.memory() && x.memory()->base == y.memory()->base &&
         x.memory()->offset == y.memory()->offset && x.memory()->strides == y.memory()->strides;
}

bool is_read_backwards(const Memory& memory) {
  return std::any_of(memory.strides.begin(), memory.strides.end(), [](const Expr& stride) {
    return int_value(stride).value_or(0) < 0 || is_negated(stride);
  });
}

bool contains_element(const Expr& expr) {
  if (std::holds_alternative<Element>(expr.head)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), contains_element);
}

bool is_updatable(const View& array) {
  const Memory* memory = array.memory();
  return memory && !memory->base.type.read_only &&
         std::none_of(memory->strides.begin(), memory->strides.end(), is_zero);
}

}  // namespace boustro::plan::planner
