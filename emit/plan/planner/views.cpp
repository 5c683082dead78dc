// Arrays as views: rows, slices and other shapes cost nothing where index arithmetic can say them.
#include <algorithm>
#include <numeric>

#include "emit/plan/planner/code.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan::planner {
namespace {

}  // namespace

// ---- Parts

namespace {

/// index * stride for the outermost dimension of a view; as `int` only if the whole view is known
/// to be small.
Expr scaled(Context& context, const View& view, const Expr& index, const Expr& stride) {
  const bool narrow = index.type.prim == PrimType::i32 && !int_value(index);
  const bool grows = int_value(stride) ? *int_value(stride) > 1 || *int_value(stride) < -1
                                       : stride.type.prim == PrimType::i32;
  if (!narrow || !grows) return times(index, stride);
  std::optional<Expr> size = lit(1);
  for (const Scalar& extent : view.extents) {
    if (size) size = extent.upper ? std::optional(times(*size, *extent.upper)) : std::nullopt;
  }
  if (size && context.limit_to_int(*size)) return times(index, stride);
  return times(cast(PrimType::i64, index), stride);
}

}  // namespace

View Code::row(const View& array, const Expr& index) {
  View result{array.elem, {array.extents.begin() + 1, array.extents.end()}, array.data};
  if (const Memory* memory = array.memory()) {
    const bool back = int_value(memory->strides[0]) == -1;
    const Expr offset =
        back ? minus(memory->offset, index)
             : plus(memory->offset, scaled(context_, array, index, memory->strides[0]));
    result.data =
        Memory{memory->base, offset, {memory->strides.begin() + 1, memory->strides.end()}};
  } else if (const auto* counting = std::get_if<Counting>(&array.data)) {
    const bool back = int_value(counting->step) == -1;
    result.data = Constant{back ? minus(counting->start, index)
                                : plus(counting->start, times(index, counting->step)),
                           counting->range};
  }
  return result;
}

/// How many elements a slice takes: at most as many as there are, as has been checked.
Scalar Code::bounded_count(const ir::Atom& count, const Scalar& extent) {
  Scalar result = scalar(count);
  if (result.upper && !context_.is_late(*result.upper)) return result;
  if (!extent.upper || context_.is_late(*extent.upper)) return result;
  result.upper = extent.upper;
  bind(std::get<ir::Name>(count), result);
  return result;
}

View Code::slice(const View& array, const std::vector<ir::DimIndex>& indices) {
  const Memory* memory = array.memory();
  View result{array.elem, {}, array.data};
  Memory part{memory ? memory->base : lit(0), memory ? memory->offset : lit(0), {}};
  for (std::size_t dim = 0; dim < array.extents.size(); ++dim) {
    const Expr stride = memory ? memory->strides[dim] : lit(1);
    const ir::Slice* range = dim < indices.size() ? std::get_if<ir::Slice>(&indices[dim]) : nullptr;
    const View rest{array.elem,
                    {array.extents.begin() + static_cast<std::ptrdiff_t>(dim), array.extents.end()},
                    {}};
    if (dim < indices.size() && !range) {
      const Expr at = index(std::get<ir::Atom>(indices[dim]));
      part.offset = plus(part.offset, scaled(context_, rest, at, stride));
      if (const auto* counting = std::get_if<Counting>(&array.data)) {
        result.data = Constant{plus(counting->start, times(at, counting->step)), counting->range};
      }
    } else if (range) {
      const Expr start = index(range->start), step = index(range->stride);
      part.offset = plus(part.offset, scaled(context_, rest, start, stride));
      part.strides.push_back(times(step, stride));
      result.extents.push_back(bounded_count(range->count, array.extents[dim]));
      if (!result.extents.back().range) result.extents.back().range = size_range;
      if (const auto* counting = std::get_if<Counting>(&array.data)) {
        result.data = Counting{plus(counting->start, times(start, counting->step)),
                               times(counting->step, step), counting->range};
      }
    } else {
      part.strides.push_back(stride);
      result.extents.push_back(array.extents[dim]);
    }
  }
  if (memory) result.data = std::move(part);
  return result;
}

bool Code::can_be_reshaped(const View& array, std::size_t rank) const {
  return std::holds_alternative<Constant>(array.data) ||
         (std::holds_alternative<Counting>(array.data) ? rank == 1 : is_dense(array));
}

View Code::reshaped(const View& array, const ir::Shape& shape, std::string_view base) {
  View result{array.elem, extents(shape), array.data};
  if (!array.memory() && can_be_reshaped(array, shape.size())) return result;
  const View dense = is_dense(array) ? array : in_memory_as(array, result.extents, base);
  const Memory& memory = *dense.memory();
  const Expr unit = memory.strides.empty() ? lit(1) : memory.strides.back();
  result.data = Memory{memory.base, memory.offset, dense_strides(result.extents, unit)};
  return result;
}

/// A copy; for other extents of as many elements, if it is of them that it is known how much room they need.
View Code::in_memory_as(const View& array, const std::vector<Scalar>& extents, std::string_view base) {
  const auto are_bounded = [](const std::vector<Scalar>& sizes) {
    return std::all_of(sizes.begin(), sizes.end(), [](const Scalar& size) { return size.upper.has_value(); });
  };
  if (are_bounded(array.extents) || !are_bounded(extents)) return in_memory(array, base);
  const Memory memory = *temporary(base, array.elem, extents).memory();
  const View to{array.elem, array.extents, Memory{memory.base, memory.offset, dense_strides(array.extents, memory.strides.back())}};
  copy(to, array);
  return to;
}

// ---- Elements

Scalar Code::load(const View& element) {
  if (const Memory* memory = element.memory()) return {memory->base[memory->offset]};
  const auto& [value, range] = std::get<Constant>(element.data);
  // An i64 that an `int` holds.
  const bool narrow = element.elem == PrimType::i64 && value.type.prim == PrimType::i32;
  return {value, std::nullopt, range || !narrow ? range : std::optional(Range{INT32_MIN, INT32_MAX})};
}

void Code::store(const View& element, const Expr& value) {
  const Memory* memory = element.memory();
  source::internal_check(memory, "plan: store to what is not in memory");
  assign(memory->base[memory->offset], value);
}

void Code::copy(const View& to, const View& from) {
  if (to.data.index() == from.data.index() && to.memory() &&
      to.memory()->base == from.memory()->base &&
      same_position(to.memory()->offset, from.memory()->offset) &&
      to.memory()->strides == from.memory()->strides) {
    return;
  }
  if (to.rank() == 0) {
    const Expr value = load(from).expr;
    return store(to, value.type.prim == to.elem ? value : cast(to.elem, value));
  }
  if (int_value(to.extents[0].expr) == 1) return copy(row(to, lit(0)), row(from, lit(0)));
  loop(
      to.extents[0], letter_of(context_.letters, to.extents[0].expr), [&](const Scalar& i) { copy(row(to, i.expr), row(from, i.expr)); },
      {.work = steps_ == 0 ? std::optional(work_of_copy(to)) : std::nullopt});
}

View Code::in_memory(const View& array, std::string_view base) {
  const View to = temporary(base, array.elem, array.extents);
  copy(to, array);
  return to;
}

View Code::fitting(const ir::Name& name, const View& destination, const std::vector<Scalar>& sizes) {
  const auto coerced = coerced_.find(name);
  if (coerced != coerced_.end() && !destination.late) check_equal(sizes, destination.extents, *coerced->second);
  if (destination.rank() != 1 || destination.extents[0].expr.head != Head(Op::mul)) return destination;
  View flat = destination;  // of an array whose extents are the factors; now there is a name for how many elements that are
  flat.extents = sizes;
  return flat;
}

View Code::place(const ir::Param& param) {
  const auto claimed = destinations_.find(param.name);
  const bool known = claimed != destinations_.end() && !claimed->second.late;
  if (known) return fitting(param.name, claimed->second, extents(param.type.shape));
  const std::vector<Scalar> sizes = extents(param.type.shape);
  if (claimed != destinations_.end()) return allocated(claimed->second, sizes);
  if (context_.gathered.contains(param.name)) return in_order_of_picks(param, sizes);
  return temporary(param.name.base, param.type.elem, sizes);
}

/// The first two dimensions change places.
View Code::in_order_of_picks(const ir::Param& param, std::vector<Scalar> sizes) {
  std::swap(sizes[0], sizes[1]);
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[1]);
  return rearranged_back(temporary(param.name.base, param.type.elem, sizes), order);
}

View Code::consumed(const ir::Name& name) {
  const View array = view(name);
  if (is_updatable(array)) return array;
  const auto claimed = destinations_.find(name);
  if (claimed == destinations_.end()) return in_memory(array, name.base);
  return moved(fitting(name, claimed->second, array.extents), array);
}

// ---- Binding

void Code::bind_row(const ir::Name& name, View row) {
  const Memory* memory = row.memory();
  const Use use = context_.uses.of(name);
  // A column of an array without rows begins nowhere.
  const bool may_begin_nowhere = context_.gpu() && memory && !memory->strides.empty() && !is_one(memory->strides.back());
  if (memory && !may_begin_nowhere && !is_simple(memory->offset) && !memory->strides.empty() && !is_read_backwards(*memory) &&
      (use.count > 1 || use.deeper)) {
    const Expr pointer = named(name.base, memory->base + memory->offset);
    row.data = Memory{pointer, lit(0), memory->strides};
  }
  bind(name, std::move(row));
}

namespace {

/// Rows of these dimensions, in this order, lie one after the other.
bool lie_in_order(const View& view, const std::vector<std::size_t>& dimensions) {
  Expr step = lit(1);
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
    const Expr& stride = view.memory()->strides[*d];
    if (is_one(step) ? !is_one(stride) : !(stride == step)) return false;
    step = times(view.extents[*d].expr, step);
  }
  return true;
}

}  // namespace

std::vector<std::string> shape_text(const View& view) {
  std::vector<std::size_t> dimensions(view.extents.size());
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  std::vector<std::size_t> order = dimensions;
  const bool has_strides = view.memory() && view.memory()->strides.size() == view.extents.size();
  while (has_strides && !lie_in_order(view, order))
    if (!std::next_permutation(order.begin(), order.end())) break;
  std::vector<std::string> shape;
  for (const std::size_t d : order) shape.push_back(to_string(view.extents[d].expr));
  return shape;
}

}  // namespace boustro::plan::planner
