// Kernels: which thread does what, and what they write.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "emit/plan/planner/light.hpp"
#include "emit/plan/planner/thread_memory.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// What --explain-plan says of it.
const std::string strided = "threads stride, since points are light";

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

/// Which of the threads along a single extent this is.
Expr thread_of_line() {
  return cast(PrimType::i64, position(Position::block_x)) * runtime::block_size() + position(Position::thread_x);
}
Expr threads_of_line() { return cast(PrimType::i64, position(Position::grid_width_x)) * runtime::block_size(); }

/// Threads that have memory know how many they are, and which of them; here where they are along two extents.
Stms numbers_of_threads() {
  const Expr width = cast(PrimType::i64, position(Position::grid_width_x));
  const Expr block = cast(PrimType::i64, position(Position::block_y)) * position(Position::grid_width_x) + position(Position::block_x);
  return {Let{.name = "threads",
              .type = type(PrimType::i64),
              .value = width * position(Position::grid_width_y) * runtime::block_size()},
          Let{.name = "thread",
              .type = type(PrimType::i64),
              .value = block * runtime::block_size() + position(Position::thread_y) * position(Position::block_width_x) +
                       position(Position::thread_x)}};
}

/// The program says how many points there are: no more than few blocks have threads.
bool has_thread_for_each(const Space& space) {
  double points = 1;
  for (const Scalar& extent : space.extents) {
    const auto size = int_value(extent.expr);
    if (!size) return false;
    points *= static_cast<double>(*size);
  }
  return points <= runtime::few_blocks * 256;
}

bool mentions(const Expr& expr, Position what) {
  return expr.head == Head(what) || std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return mentions(arg, what); });
}

/// Of the loop in which blocks take turns along z, if there is one.
std::string index_along_z(const Stms& body) {
  std::string result;
  for_each_stm(body, [&](const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.what);
    if (loop && mentions(loop->from, Position::block_z)) result = loop->name;
  });
  return result;
}

/// Threads stride over all extents.
Stms striding(const Space& space, Identifiers& identifiers, const std::vector<Scalar>& indices,
              const std::vector<Expr>& extents, Stms body) {
  Stms stms;
  const auto stride = [&](const std::string& base, const Type& index, Expr value) {
    const std::string name = identifiers.fresh(base);
    stms.push_back(Let{.name = name, .type = index, .value = std::move(value)});
    return var(name, index);
  };
  const auto loop = [&](std::size_t k, Expr from, Expr step, Stms inside) {
    return For{.name = std::get<Var>(indices[k].expr.head).name,
               .type = indices[k].expr.type,
               .from = std::move(from),
               .to = extents[k],
               .step = std::move(step),
               .body = std::move(inside)};
  };
  if (indices.size() == 1) {
    const Expr step = stride("stride", type(PrimType::i64), threads_of_line());
    stms.push_back(loop(0, thread_of_line(), step, std::move(body)));
    return stms;
  }
  const Axis rows = space.axis(0), columns = space.axis(1);
  const Type row = indices[1].expr.type;
  const auto stride_of = [&](std::size_t k, Expr value) {
    return stride("stride_" + std::get<Var>(indices[k].expr.head).name, indices[k].expr.type, std::move(value));
  };
  const Expr step_i = stride_of(0, cast(PrimType::i64, position(rows.grid_width)) * position(rows.block_width));
  const Expr step_j = stride_of(1, stride_in_row(columns, row));
  Stms inner{loop(1, first_in_row(columns, row), step_j, std::move(body))};
  stms.push_back(loop(0, first_along(rows), step_i, std::move(inner)));
  return stms;
}

}  // namespace

// ---- Spaces

std::string Space::grid_over(const std::vector<Scalar>& indices, const Stms& body) const {
  std::array<std::string, 2> names;
  for (std::size_t i = 0; i < std::min(indices.size(), names.size()); ++i) names[i] = "`" + std::get<Var>(indices[i].expr.head).name + "`";
  const std::string depth = index_along_z(body);
  if (depth.empty()) return fmt::format(fmt::runtime(grid), names[0], names[1], "", "");
  return fmt::format(fmt::runtime(grid), names[0], names[1], fmt::format(", `{}`", depth), fmt::format(", `{}` to blockIdx.z", depth));
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
  const bool light = !has_thread_for_each(space) && !memory.used() && are_light(body);
  if (rank == 0) {
    stms = std::move(body);
  } else if (light) {
    stms = striding(space, identifiers, indices, extents, std::move(body));
  } else if (rank == 1 && memory.used()) {
    stms.push_back(Let{.name = "threads", .type = type(PrimType::i64), .value = threads_of_line()});
    stms.push_back(Let{.name = "thread", .type = type(PrimType::i64), .value = thread_of_line()});
    stms.push_back(Stm(For{.name = name_of(0),
                           .type = type(PrimType::i64),
                           .from = var("thread"),
                           .to = extents[0],
                           .step = var("threads"),
                           .body = std::move(body)})
                       .after_gap());
  } else if (rank == 1) {
    stms.push_back(Let{.name = name_of(0), .type = type(PrimType::i64), .value = thread_of_line()});
    stms.push_back(If{indices[0].expr >= extents[0], {Return{}}});
    body.front().gap = true;
    stms.insert(stms.end(), std::make_move_iterator(body.begin()),
                std::make_move_iterator(body.end()));
  } else if (memory.used()) {
    stms = numbers_of_threads();
    Stms loops = striding(space, identifiers, indices, extents, std::move(body));
    loops.back().gap = true;
    stms.insert(stms.end(), std::make_move_iterator(loops.begin()), std::make_move_iterator(loops.end()));
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
  kernel.comment.grid = space.grid_over(indices, kernel.body);
  kernel.one_thread = rank == 0;
  if (light) kernel.comment.grid += "; threads stride over the rest";
  if (rank > 0 && memory.used()) kernel.comment.grid += "; threads stride over the rest, each with memory of its own";

  Launch launch{.kernel = kernel.name, .grid = {lit(1)}, .block = {lit(1)}, .args = capture.args(), .why = space.reasons()};
  if (light) launch.why += launch.why.empty() ? strided : ", " + strided;
  Stms call = memory.take_preparations();
  if (memory.used()) {
    launch.grid = memory.grid();
    launch.block = memory.block();
  } else if (rank == 1) {
    const Expr n = space.extents[0].expr;
    launch.grid = {light ? runtime::few_blocks_for(n, runtime::block_size()) : runtime::blocks_for(n, runtime::block_size())};
    launch.block = {runtime::block_size()};
  } else if (rank == 2) {
    const Expr n = space.extents[0].expr, m = space.extents[1].expr;
    const std::string threads = identifiers_.fresh(space.neighbours_first ? "column_threads" : "row_threads");
    const Expr row_threads = var(threads, PrimType::u32);
    call.push_back(Let{.name = threads, .type = type(PrimType::u32), .value = space.row_threads(n, m)});
    launch.block = space.block(row_threads);
    const Expr rows = space.threads_along(0, row_threads), columns = space.threads_along(1, row_threads);
    if (light) {
      const Expr width = var(identifiers_.fresh("grid_width"), PrimType::u32);
      call.push_back(Let{.name = std::get<Var>(width.head).name, .type = width.type, .value = runtime::few_blocks_for(n, rows)});
      launch.grid = {width, runtime::few_blocks_for(m, columns, width)};
    } else {
      launch.grid = {runtime::blocks_for(n, rows), runtime::grid_height_for(m, columns)};
    }
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
    const bool is_some = (size && *size > 0) || (extent.range && extent.range->low > 0);
    if (is_some || std::find(named.begin(), named.end(), extent.expr) != named.end()) continue;
    some = some ? *some && extent.expr > 0 : extent.expr > 0;
    named.push_back(extent.expr);
  }
  if (some) return code_.emit(Stm(If{*some, std::move(call)}).after_gap());
  for (Stm& stm : call) code_.emit(std::move(stm));
}

}  // namespace boustro::plan::planner
