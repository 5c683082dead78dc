#include "emit/plan/planner/thread_memory.hpp"

#include <algorithm>

namespace boustro::plan::planner {
namespace {

/// Arrays of up to this many elements are registers, or local memory, of a thread.
constexpr std::int64_t max_register_elements = 64;
/// Blocks along a row where every thread has memory: the others are for further rows.
constexpr std::int64_t max_blocks_along_row = 64;

std::optional<std::int64_t> constant_size(const std::vector<Scalar>& extents) {
  std::int64_t count = 1;
  for (const Scalar& extent : extents) {
    const auto size = int_value(extent.expr);
    if (!size || (*size > 0 && count > max_register_elements / *size)) return std::nullopt;
    count *= std::max<std::int64_t>(*size, 0);
  }
  return count;
}

}  // namespace

View register_array(Code& code, Identifiers& identifiers, const std::string& base, PrimType elem,
                    const std::vector<Scalar>& extents) {
  const auto count = constant_size(extents);
  source::internal_check(count.has_value(), "plan: an array of " + base + " needs memory where registers are all there is");
  const std::string name = identifiers.fresh(base);
  code.emit(LocalArray{name, type(elem), lit(std::max<std::int64_t>(*count, 1), PrimType::i32)});
  return dense_view(var(name, pointer_to(elem)), elem, extents);
}

View ThreadMemory::allocate(Code& code, const std::string& base, PrimType elem,
                            const std::vector<Scalar>& extents) {
  if (constant_size(extents)) return register_array(code, inside_, base, elem, extents);
  return scratch(base, elem, extents);
}

/// [extents...][threads]: neighbouring threads access neighbouring elements.
View ThreadMemory::scratch(const std::string& base, PrimType elem,
                           const std::vector<Scalar>& extents) {
  const bool single = space_.extents.empty();
  std::vector<Expr> bounds;
  std::vector<std::string> shape;
  for (const Scalar& extent : extents) {
    if (!extent.upper) refuse_unknown_size(context_.place());
    bounds.push_back(*extent.upper);
    shape.push_back(to_string(*extent.upper));
  }
  if (!grid_) decide_grid();
  if (!single) shape.push_back("threads");
  const Expr base_pointer = capture_.add(base, restricted(pointer_to(elem)), Access::scratch,
                                         memory_for(base, elem, bounds, shape), shape);
  if (single) return dense_view(base_pointer, elem, extents);
  std::vector<Expr> strides = dense_strides(extents);
  for (Expr& stride : strides) stride = times(stride, var("threads"));
  return {elem, extents, Memory{base_pointer, var("thread"), strides}};
}

/// For arrays of these extents of all threads: scratch memory, or the allocator's.
Expr ThreadMemory::memory_for(const std::string& base, PrimType elem,
                              const std::vector<Expr>& extents,
                              const std::vector<std::string>& shape) {
  const bool single = space_.extents.empty();
  const std::string name = host_.fresh(base);
  const bool late = late_ || std::any_of(extents.begin(), extents.end(), [&](const Expr& extent) {
                      return context_.is_late(extent);
                    });
  if (!late) {
    Expr count = product(extents);
    if (!single) count = times(count, threads_);
    context_.add_piece({.name = name, .elem = type(elem), .count = count, .shape = shape});
    return scratch_field(name, pointer_to(elem));
  }
  Allocate allocate{name, extents};
  if (!single) allocate.extents.push_back(threads_in_entry_);
  context_.entry.allocates = true;
  preparations_.push_back(Buffer{name, type(elem)});
  preparations_.push_back(std::move(allocate));
  return var(name, pointer_to(elem));
}

void ThreadMemory::decide_grid() {
  if (space_.extents.empty()) {
    grid_ = {lit(1)};
    return;
  }
  std::vector<Expr> sizes;
  for (const Scalar& extent : space_.extents) {
    sizes.push_back(context_.bound_here(extent));
    late_ = late_ || context_.is_late(sizes.back());
  }
  const Expr& n = sizes[0];
  if (space_.extents.size() == 1) {
    const Expr blocks = size("_grid", runtime::blocks_for(runtime::min(n, runtime::max_threads()),
                                                          runtime::block_size()));
    threads_ = cast(PrimType::i64, blocks) * runtime::block_size();
    grid_ = {in_entry(blocks)};
    block_ = {runtime::block_size()};
    threads_in_entry_ = cast(PrimType::i64, in_entry(blocks)) * runtime::block_size();
    return;
  }
  decide_grid_of_pairs(n, sizes[1]);
}

void ThreadMemory::decide_grid_of_pairs(const Expr& n, const Expr& m) {
  const Expr row_threads =
      size(space_.neighbours_first ? "_column_threads" : "_row_threads", space_.row_threads(n, m));
  // At least one, also of empty rows, since the width is shared out among them.
  const Expr blocks = runtime::blocks_for(runtime::max(m, lit(1)), space_.threads_along(1, row_threads));
  const Expr height =
      size("_grid_height", runtime::min(blocks, lit(max_blocks_along_row, PrimType::u32)));
  const Expr most = cast(PrimType::u32, runtime::max_threads() / runtime::block_size()) / height;
  const Expr width =
      size("_grid_width", runtime::min(runtime::blocks_for(n, space_.threads_along(0, row_threads)), most));
  threads_ = cast(PrimType::i64, width) * height * runtime::block_size();
  grid_ = {in_entry(width), in_entry(height)};
  threads_in_entry_ =
      cast(PrimType::i64, in_entry(width)) * in_entry(height) * runtime::block_size();
  block_ = space_.block(in_entry(row_threads));
}

/// Such a number as the entry sees it.
Expr ThreadMemory::in_entry(const Expr& size) const {
  return late_ ? size : scratch_field(std::get<Var>(size.head).name, type(PrimType::u32));
}

/// A number that the layout of the memory and the launch share.
Expr ThreadMemory::size(const std::string& suffix, Expr value) {
  const std::string name = host_.fresh(space_.base + suffix);
  Let let{.name = name, .type = type(PrimType::u32), .value = std::move(value)};
  if (late_) {
    preparations_.push_back(std::move(let));
  } else {
    context_.entry.scratch.sizes.push_back(std::move(let));
  }
  return var(name, PrimType::u32);
}

}  // namespace boustro::plan::planner
