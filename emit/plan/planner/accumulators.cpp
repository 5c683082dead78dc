// Additions by many threads to few cells: through a copy per block in shared memory if it fits and
// each block adds to a cell often enough, else straight to global memory. Both kernels call one
// function.
#include <algorithm>

#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::plan::planner {
namespace {

/// A copy per block pays off from this many additions per cell.
constexpr std::int64_t additions_per_cell = 16;

Expr first_of(const Axis& axis, const Type& type) {
  return cast(type.prim, position(axis.block)) * position(axis.block_width) + position(axis.thread);
}

Expr product_of(const std::vector<Scalar>& extents) {
  std::vector<Expr> factors;
  for (const Scalar& extent : extents) factors.push_back(extent.expr);
  return product(factors);
}

/// for (cell = thread; cell < cells; cell += block_size) body
Stm for_each_cell(const Expr& cells, Stms body) {
  return For{.name = "cell",
             .type = type(PrimType::i32),
             .from = var("thread", PrimType::i32),
             .to = cells,
             .step = runtime::block_size(),
             .body = std::move(body)};
}

}  // namespace

bool Host::can_be_copied(const Accumulator& accumulator) {
  return context_.limit_to_int(product_of(accumulator.destination.extents));
}

void Host::accumulate(const Space& space, const Accumulator& accumulator, const Fill& fill) {
  const PrimType elem = accumulator.destination.elem;
  const Expr host_cells = product_of(accumulator.destination.extents);

  // The function: threads stride over the whole space.
  const std::size_t rank = space.extents.size();
  Identifiers identifiers = context_.file_names;
  Capture capture(context_, identifiers);
  Surroundings around;
  around.import = [&](const ir::Name& name) {
    return capture.import(code_.value_of(name), name.base);
  };
  Code* current = nullptr;
  around.allocate = [&](const std::string& base, PrimType prim,
                        const std::vector<Scalar>& extents) {
    return register_array(*current, identifiers, base, prim, extents);
  };
  around.leave = Return{};
  around.failure = [&] {
    const Type failure = pointer_to(struct_type("Failure"));
    return capture.add("failure_record", failure, Access::updated, var("failure", failure));
  };
  Code code(context_, identifiers, around);
  current = &code;
  capture.keep_wide(space.extents[0].expr);
  std::vector<Scalar> indices;
  std::vector<Expr> extents;
  for (std::size_t i = 0; i < rank; ++i) {
    extents.push_back(capture.import(space.extents[i].expr, "size"));
    const Type index_type = i == 0 ? type(PrimType::i64) : extents[i].type;
    const std::int64_t most =
        index_type.prim == PrimType::i32 ? int_size_range.high : size_range.high;
    std::optional<Expr> upper;
    if (space.extents[i].upper) upper = minus(*space.extents[i].upper, lit(1));
    indices.push_back(
        {var(identifiers.fresh(space.index_bases[i]), index_type), upper, Range{0, most - 1}});
  }
  Stms inside = code.collect([&] {
    for (const Expr& extent : extents) code.assume_nonzero(extent);
    fill(code, capture, indices);
  });
  if (inside.empty()) return;
  const auto name_of = [&](std::size_t i) { return std::get<Var>(indices[i].expr.head).name; };

  Stms body;
  const Type wide = type(PrimType::i64);
  if (rank == 1) {
    body.push_back(
        For{.name = name_of(0),
            .type = wide,
            .from = first_of(space.axis(0), wide),
            .to = extents[0],
            .step = cast(PrimType::i64, position(Position::grid_width_x)) *
                    position(Position::block_width_x),
            .body = std::move(inside)});
  } else {
    const Type row = indices[1].expr.type;
    const auto constant = [&](const std::string& base, const Type& type, Expr value) {
      const std::string name = identifiers.fresh(base);
      body.push_back(Let{.name = name, .type = type, .value = std::move(value)});
      return var(name, type);
    };
    const Axis of_rows = space.axis(0), of_columns = space.axis(1);
    const Expr first_i = constant("first_" + name_of(0), wide, first_of(of_rows, wide));
    const Expr stride_i = constant("stride_" + name_of(0), wide,
                                   cast(PrimType::i64, position(of_rows.grid_width)) * position(of_rows.block_width));
    const Expr x = position(of_columns.block) * position(of_columns.block_width) + position(of_columns.thread);
    const Expr first_j = constant("first_" + name_of(1), row, cast(row, x));
    const Expr stride_j = constant("stride_" + name_of(1), row,
                                   cast(row, position(of_columns.grid_width) * position(of_columns.block_width)));
    For columns{.name = name_of(1),
                .type = row,
                .from = first_j,
                .to = extents[1],
                .step = stride_j,
                .body = std::move(inside)};
    body.push_back(Stm(For{.name = name_of(0),
                           .type = wide,
                           .from = first_i,
                           .to = extents[0],
                           .step = stride_i,
                           .body = {std::move(columns)}})
                       .after_gap());
  }
  drop_unused(body);
  capture.keep(names_in(body));

  // What is added to is the first parameter.
  std::vector<Param> params = capture.params();
  const std::vector<Expr> args = capture.args();
  const auto target = std::find_if(params.begin(), params.end(), [](const Param& param) {
    return param.access == Access::added_to;
  });
  const auto others = std::count_if(params.begin(), params.end(), [](const Param& param) {
    return param.access == Access::added_to;
  });
  source::internal_check(target != params.end() && others == 1,
                         "plan: one accumulator in a kernel");
  const std::size_t place = static_cast<std::size_t>(target - params.begin());

  Function function{.name = context_.file_names.fresh("add_" + space.base),
                    .params = params,
                    .body = std::move(body)};
  function.comment.formula = {"Adds what all threads of the grid contribute to " +
                              params[place].name + "."};
  for (Param& param : function.params) param.type.restricted = false;

  const auto call_with = [&](const Expr& cells) {
    std::vector<Expr> values;
    for (std::size_t i = 0; i < params.size(); ++i)
      values.push_back(i == place ? cells : var(params[i]));
    return Do{plan::call(function.name, type(elem), values)};
  };

  Comment comment = comment_for(context_, space.stm);
  // To global memory.
  Kernel global{.name = context_.file_names.fresh(space.base + "_global_kernel"),
                .comment = comment,
                .params = params};
  global.comment.grid = rank == 1 ? "one thread per element; see " + function.name
                                  : "one thread per pair of row and element; see " + function.name;
  global.comment.notes = {
      "Straight to global memory, for when the cells do not fit in shared memory. The order of "
      "additions varies."};
  global.body = {call_with(var(params[place]))};

  // By a copy per block. The number of cells may need parameters that the additions do not.
  Kernel shared{.name = context_.file_names.fresh(space.base + "_shared_kernel"),
                .comment = comment};
  shared.comment.grid = "blocks stride over the rows; see " + function.name;
  shared.comment.notes = {
      "Every block adds into a copy in shared memory first, then once to the result. The order of "
      "additions varies."};
  const Expr cells = capture.import(host_cells, "cells");
  shared.params = capture.params();
  const Type cell_type = type(elem);
  // Of its own in the whole file: CUDA gives dynamic shared arrays of one name one type.
  std::string copy = context_.file_names.fresh("block_" + params[place].name);
  while (identifiers.taken(copy)) copy = context_.file_names.fresh("block_" + params[place].name);
  const Expr block_copy = var(copy, pointer_to(elem)), cell = var("cell", PrimType::i32);
  Expr thread = cast(PrimType::i32, position(Position::thread_x));
  if (rank == 2) {
    thread = cast(PrimType::i32, position(Position::thread_y) * position(Position::block_width_x) +
                                     position(Position::thread_x));
  }
  shared.body = {
      SharedArray{.name = copy, .elem = cell_type},
      Let{.name = "thread", .type = type(PrimType::i32), .value = thread},
      Stm(for_each_cell(cells, {Assign{block_copy[cell], lit(PrimValue::zero(elem))}})).after_gap(),
      Barrier{copy + " is zero"},
      Stm(call_with(block_copy)).after_gap(),
      Barrier{copy + " is complete"},
      Stm(for_each_cell(cells,
                        {Atomic{AtomicKind::add, var(params[place])[cell], block_copy[cell]}}))
          .after_gap()};

  // The launches.
  const Expr n = space.extents[0].expr;
  Stms call;
  Launch to_shared{.kernel = shared.name,
                   .grid = {lit(1)},
                   .block = {runtime::block_size()},
                   .args = capture.args()};
  Launch to_global{.kernel = global.name,
                   .grid = {runtime::blocks_for(n, runtime::block_size())},
                   .block = {runtime::block_size()},
                   .args = args};
  Expr rows = host_cells * additions_per_cell;
  if (rank == 2) {
    const Expr m = space.extents[1].expr;
    const std::string threads = identifiers_.fresh(space.neighbours_first ? "column_threads" : "row_threads");
    const Expr row_threads = var(threads, PrimType::u32);
    call.push_back(Let{.name = threads, .type = type(PrimType::u32), .value = space.row_threads(n, m)});
    to_shared.block = space.block(row_threads);
    to_global.block = to_shared.block;
    to_global.grid = {
        runtime::blocks_for(n, space.threads_along(0, row_threads)),
        runtime::min(runtime::blocks_for(m, space.threads_along(1, row_threads)), runtime::max_grid_height())};
    to_shared.why = to_global.why = space.why;
    rows = rows / m;
  }
  const std::string bytes = identifiers_.fresh(params[place].name + "_bytes");
  const Expr shared_bytes = var(bytes, size_type());
  call.push_back(Let{.name = bytes,
                     .type = size_type(),
                     .value = cast(size_type(), host_cells) * size_of(cell_type)});
  const std::string per_block = identifiers_.fresh("rows_per_block");
  to_shared.grid = {runtime::blocks_for(n, var(per_block))};
  to_shared.shared_bytes = shared_bytes;
  const std::string why = "A copy per block pays off if the block adds to each cell often: here " +
                          std::to_string(additions_per_cell) + " times on average.";
  call.push_back(If{
      .condition = shared_bytes <= runtime::max_shared_bytes(),
      .then_body = {Stm(Let{.name = per_block, .type = wide, .value = runtime::max(rows, lit(256))})
                        .with_above(why),
                    std::move(to_shared)},
      .else_body = {std::move(to_global)}});
  context_.entry.definitions.push_back(std::move(function));
  context_.entry.kernels.push_back(std::move(shared));
  context_.entry.kernels.push_back(std::move(global));
  std::optional<Expr> some;
  for (const Scalar& extent : space.extents) {
    const auto size = int_value(extent.expr);
    if (!size || *size <= 0) some = some ? *some && extent.expr > 0 : extent.expr > 0;
  }
  if (some) {
    code_.emit(Stm(If{*some, std::move(call)}).after_gap());
  } else {
    for (Stm& stm : call) code_.emit(std::move(stm));
  }
}

}  // namespace boustro::plan::planner
