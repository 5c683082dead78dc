// Kernels: which thread does what, and what they write.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "emit/plan/planner/thread_memory.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// The first index that the thread has along it.
Expr first_along(const Axis& axis) {
  return cast(PrimType::i64, position(axis.block)) * position(axis.block_width) + position(axis.thread);
}

/// The same of a row's elements, which fewer bits count.
Expr first_in_row(const Axis& axis, const Type& row) {
  return cast(row, position(axis.block) * position(axis.block_width) + position(axis.thread));
}

/// From one element of a thread to its next.
Expr stride_in_row(const Axis& axis, const Type& row) {
  return cast(row, position(axis.grid_width) * position(axis.block_width));
}

/// Threads that have memory stride over both extents.
Stms striding(const Space& space, Identifiers& identifiers, const std::vector<Scalar>& indices,
              const std::vector<Expr>& extents, Stms body) {
  const Type wide = type(PrimType::i64), row = indices[1].expr.type;
  const auto along_x = [](Position position_in) {
    return cast(PrimType::i64, position(position_in));
  };
  Stms stms;
  stms.push_back(Let{.name = "threads",
                     .type = wide,
                     .value = along_x(Position::grid_width_x) * position(Position::grid_width_y) *
                              runtime::block_size()});
  const Expr block =
      along_x(Position::block_y) * position(Position::grid_width_x) + position(Position::block_x);
  stms.push_back(Let{.name = "thread",
                     .type = wide,
                     .value = block * runtime::block_size() +
                              position(Position::thread_y) * position(Position::block_width_x) +
                              position(Position::thread_x)});
  const auto stride = [&](const Expr& index, const Expr& value) {
    const std::string name = identifiers.fresh("stride_" + std::get<Var>(index.head).name);
    stms.push_back(Let{.name = name, .type = index.type, .value = value});
    return var(name, index.type);
  };
  const Axis rows = space.axis(0), columns = space.axis(1);
  const Expr stride_i =
      stride(indices[0].expr, along_x(rows.grid_width) * position(rows.block_width));
  const Expr stride_j = stride(indices[1].expr, stride_in_row(columns, row));
  For inner{.name = std::get<Var>(indices[1].expr.head).name,
            .type = row,
            .from = first_in_row(columns, row),
            .to = extents[1],
            .step = stride_j,
            .body = std::move(body)};
  stms.push_back(Stm(For{.name = std::get<Var>(indices[0].expr.head).name,
                         .type = wide,
                         .from = first_along(rows),
                         .to = extents[0],
                         .step = stride_i,
                         .body = {std::move(inner)}})
                     .after_gap());
  return stms;
}

}  // namespace

// ---- Spaces

std::string Space::grid_over(const std::vector<Scalar>& indices) const {
  std::array<std::string, 2> names;
  for (std::size_t i = 0; i < std::min(indices.size(), names.size()); ++i) names[i] = "`" + std::get<Var>(indices[i].expr.head).name + "`";
  return fmt::format(fmt::runtime(grid), names[0], names[1]);
}

Axis Space::axis(std::size_t extent) const {
  const bool first = extent == 0, neighbours = extents.size() == 1 || first == neighbours_first;
  return {first ? Position::block_x : Position::block_y, first ? Position::grid_width_x : Position::grid_width_y,
          neighbours ? Position::thread_x : Position::thread_y,
          neighbours ? Position::block_width_x : Position::block_width_y};
}

Expr Space::row_threads(const Expr& n, const Expr& m) const {
  return neighbours_first ? runtime::row_threads_for(n, m) : runtime::row_threads_for(m, n);
}

Expr Space::threads_along(std::size_t extent, const Expr& row_threads) const {
  return (extent == 0) == neighbours_first ? row_threads : runtime::block_size() / row_threads;
}

Extents Space::block(const Expr& row_threads) const { return {row_threads, runtime::block_size() / row_threads}; }

Surroundings around_kernel(Code& host, Capture& capture) {
  Surroundings around;
  around.import = [&](const ir::Name& name) { return capture.import(host.value_of(name), name.base); };
  around.leave = Return{};
  around.failure = [&] {
    const Type failure = pointer_to(struct_type("Failure"));
    return capture.add("failure_record", failure, Access::updated, var("failure", failure));
  };
  return around;
}

void Host::launch(const Space& space, const Fill& fill) {
  Stms call = launch_of(space, fill);
  if (call.empty()) return;
  std::vector<Scalar> all = space.extents;
  if (space.depth) all.push_back(*space.depth);
  emit_if_any(all, std::move(call));
}

Stms Host::launch_of(const Space& space, const Fill& fill) {
  const std::size_t rank = space.extents.size();
  Identifiers identifiers = context_.file_names;
  Capture capture(context_, identifiers);
  ThreadMemory memory(context_, identifiers_, identifiers, capture, space);
  Code* current = nullptr;
  Surroundings around = around_kernel(code_, capture);
  around.allocate = [&](const std::string& base, PrimType elem,
                        const std::vector<Scalar>& extents) {
    return memory.allocate(*current, base, elem, extents);
  };
  Code code(context_, identifiers, around);
  current = &code;

  // The outermost index is int64_t; an extent that is also a row's width stays so too.
  if (rank > 0) capture.keep_wide(space.extents[0].expr);
  std::vector<Scalar> indices;
  std::vector<Expr> extents;
  for (std::size_t i = 0; i < rank; ++i) {
    extents.push_back(capture.import(space.extents[i].expr, "size"));
    const Type index_type = i == 0 ? type(PrimType::i64) : extents[i].type;
    const std::string name = identifiers.fresh(space.index_bases[i]);
    const Range sizes = index_type.prim == PrimType::i32 ? int_size_range : size_range;
    const Expr upper = minus(context_.bound_here(space.extents[i]), lit(1));
    indices.push_back({var(name, index_type), upper, indices_below(sizes)});
    indices.back().end = extents[i];
  }
  Stms body = code.collect([&] {
    for (const Expr& extent : extents) code.assume_nonzero(extent);  // there is such a thread
    fill(code, capture, indices);
  });
  const auto only_names = [](const Stm& stm) { return std::holds_alternative<Let>(stm.what); };
  if (std::all_of(body.begin(), body.end(), only_names)) return {};  // it stores nothing, as of rows without elements

  const auto name_of = [&](std::size_t i) { return std::get<Var>(indices[i].expr.head).name; };
  Stms stms;
  const Expr thread = cast(PrimType::i64, position(Position::block_x)) * runtime::block_size() +
                      position(Position::thread_x);
  if (rank == 0) {
    stms = std::move(body);
  } else if (rank == 1 && memory.used()) {
    stms.push_back(Let{
        .name = "threads",
        .type = type(PrimType::i64),
        .value = cast(PrimType::i64, position(Position::grid_width_x)) * runtime::block_size()});
    stms.push_back(Let{.name = "thread", .type = type(PrimType::i64), .value = thread});
    stms.push_back(Stm(For{.name = name_of(0),
                           .type = type(PrimType::i64),
                           .from = var("thread"),
                           .to = extents[0],
                           .step = var("threads"),
                           .body = std::move(body)})
                       .after_gap());
  } else if (rank == 1) {
    stms.push_back(Let{.name = name_of(0), .type = type(PrimType::i64), .value = thread});
    stms.push_back(If{indices[0].expr >= extents[0], {Return{}}});
    body.front().gap = true;
    stms.insert(stms.end(), std::make_move_iterator(body.begin()),
                std::make_move_iterator(body.end()));
  } else if (memory.used()) {
    stms = striding(space, identifiers, indices, extents, std::move(body));
  } else {
    const Type row = indices[1].expr.type;
    const std::string stride = identifiers.fresh("stride");
    stms.push_back(Let{.name = name_of(0), .type = type(PrimType::i64), .value = first_along(space.axis(0))});
    stms.push_back(If{indices[0].expr >= extents[0], {Return{}}});
    stms.push_back(Stm(Let{.name = stride, .type = row, .value = stride_in_row(space.axis(1), row)}).after_gap());
    stms.push_back(For{.name = name_of(1),
                       .type = row,
                       .from = first_in_row(space.axis(1), row),
                       .to = extents[1],
                       .step = var(stride, row),
                       .body = std::move(body)});
  }

  drop_unused(stms);
  capture.keep(names_in(stms));
  Kernel kernel{.name = context_.file_name(space.base + "_kernel"),
                .comment = comment_for(context_, space.stm),
                .params = capture.params(),
                .body = std::move(stms)};
  kernel.comment.grid = space.grid_over(indices);

  Launch launch{.kernel = kernel.name, .grid = {lit(1)}, .block = {lit(1)}, .args = capture.args(), .why = space.reasons()};
  Stms call = memory.take_preparations();
  if (memory.used()) {
    launch.grid = memory.grid();
    launch.block = memory.block();
  } else if (rank == 1) {
    const Expr n = space.extents[0].expr;
    launch.grid = {runtime::blocks_for(n, runtime::block_size())};
    launch.block = {runtime::block_size()};
  } else if (rank == 2) {
    const Expr n = space.extents[0].expr, m = space.extents[1].expr;
    const std::string threads = identifiers_.fresh(space.neighbours_first ? "column_threads" : "row_threads");
    const Expr row_threads = var(threads, PrimType::u32);
    call.push_back(Let{.name = threads, .type = type(PrimType::u32), .value = space.row_threads(n, m)});
    launch.block = space.block(row_threads);
    launch.grid = {runtime::blocks_for(n, space.threads_along(0, row_threads)),
                   runtime::grid_height_for(m, space.threads_along(1, row_threads))};
    if (space.depth) launch.grid.z = runtime::grid_height_for(space.depth->expr);
  }
  call.push_back(std::move(launch));
  context_.entry.kernels.push_back(std::move(kernel));
  return call;
}

void Host::emit_if_any(const std::vector<Scalar>& extents, Stms call) {
  std::optional<Expr> some;
  std::vector<Expr> named;
  for (const Scalar& extent : extents) {
    const auto size = int_value(extent.expr);
    if ((size && *size > 0) || std::find(named.begin(), named.end(), extent.expr) != named.end()) continue;
    some = some ? *some && extent.expr > 0 : extent.expr > 0;
    named.push_back(extent.expr);
  }
  if (some) return code_.emit(Stm(If{*some, std::move(call)}).after_gap());
  for (Stm& stm : call) code_.emit(std::move(stm));
}

}  // namespace boustro::plan::planner
