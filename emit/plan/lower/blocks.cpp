// Kernels whose blocks work together: tiles of sums, and sums that several threads compute jointly.
#include <fmt/format.h>

#include "emit/plan/lower/joint_sums.hpp"
#include "emit/plan/lower/loops.hpp"
#include "emit/plan/lower/made_sizes.hpp"
#include "emit/plan/lower/neighbours.hpp"
#include "emit/plan/lower/part_scans.hpp"
#include "emit/plan/lower/staged_rows.hpp"
#include "emit/plan/lower/tiles.hpp"
#include "emit/plan/planner/host.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/flatten/without_rows.hpp"

namespace boustro::plan::planner {
namespace {

/// No extent is known to be too small.
bool may_pay(const ir::Nest& nest, const facts::Tiling& tiling) {
  const auto is_small = [](const ir::Atom& extent, std::int64_t least) {
    const PrimValue* size = ir::literal_in(extent);
    return size && size->as_int() < least;
  };
  return !is_small(nest.space[tiling.rows], 32) && !is_small(facts::columns_of(nest, tiling), 32) && !is_small(facts::sums_of(nest, tiling).space[0], 8);
}

/// What the kernel of a block is made with.
struct KernelCode {
  KernelCode(Context& context, Code& host) : identifiers(context.file_names), capture(context, identifiers), code(context, identifiers, around(host)) {}
  KernelCode(const KernelCode&) = delete;

  Surroundings around(Code& host) {
    Surroundings result;
    result.import = [this, &host](const ir::Name& name) { return capture.import(host.value_of(name), name.base); };
    return result;
  }
  /// Of the space, for the kernel; the outermost one stays int64_t.
  std::vector<Scalar> import(std::vector<Scalar> extents) {
    capture.keep_wide(extents[0].expr);
    for (Scalar& extent : extents) extent.expr = capture.import(extent.expr, "size");
    return extents;
  }

  /// With this body, of which nothing is left that nobody uses.
  Kernel finish(Context& context, const Space& space, const std::string& name, Stms body, std::string grid) {
    drop_unused(body);
    capture.keep(names_in(body));
    Kernel kernel{.name = context.file_name(name), .comment = comment_for(context, space.stm), .params = capture.params(), .body = std::move(body)};
    kernel.comment.grid = std::move(grid);
    return kernel;
  }

  Identifiers identifiers;
  Capture capture;
  Code code;
};

}  // namespace

bool Host::by_blocks(const Space& space, const ir::Nest& nest, const Neighbours& neighbours, const std::vector<OutPlace>& outside, const FillFor& fill_for) {
  MadeSizes made(code_, nest);
  if (!made.can_be_checked()) return false;
  const auto knows = [&](const ir::Name& name) { return code_.knows(name) && std::holds_alternative<Scalar>(code_.value_of(name)); };
  const auto cannot_fail = [&](const ir::Stm& inner) {
    const auto* op = std::get_if<ir::BinOp>(&inner.exp);
    const ir::Name* divisor = op ? ir::name_in(op->rhs) : nullptr;
    // One that only the device knows is not asked for.
    if (!divisor || !knows(*divisor)) return false;
    return code_.divides_safely(*op, code_.extents(nest.space));
  };
  auto sums = facts::joint_sums_of(nest, cannot_fail);
  if (const ir::Name* summands = sums ? ir::name_in(sums->most) : nullptr; summands && !knows(*summands)) sums.reset();
  const auto points = [&] { sums ? launch_joint_sums(space, nest, *sums, neighbours, outside, fill_for) : launch_points(space, nest, outside, fill_for); };
  const auto rowless = parallel::without_rows(nest, context_.names, space.stm->origin);
  const ir::Nest& tiled = rowless ? *rowless : nest;
  const auto tiling = facts::tiling_of(tiled, cannot_fail);
  const ir::Name* columns = tiling ? ir::name_in(facts::columns_of(tiled, *tiling)) : nullptr;
  if (!tiling || !may_pay(tiled, *tiling) || (columns && !knows(*columns))) {
    if (!sums) return false;
    made.check();
    points();
    return true;
  }
  if (rowless) context_.uses.add(rowless->point);
  made.check();
  Stms by_tiles = code_.collect([&] { launch_tiles(space, tiled, *tiling, outside); });
  std::vector<Kernel>& kernels = context_.entry.kernels;
  const std::size_t before = kernels.size();
  Stms by_points = code_.collect(points);
  if (ir::has_attribute(*space.stm, "tile")) {
    // What points alone would launch is not written; the last one has the formula.
    kernels.erase(kernels.begin() + static_cast<std::ptrdiff_t>(before), kernels.end() - 1);
    kernels.back().only_meant = true;
    emit_if_any(code_.extents(tiled.space), std::move(by_tiles));
    return true;
  }
  code_.emit(Stm(If{tiles_pay(tiled, *tiling, knows), std::move(by_tiles), std::move(by_points), true}).after_gap());
  return true;
}

void Host::launch_points(const Space& space, const ir::Nest& nest, const std::vector<OutPlace>& outside, const FillFor& fill_for) {
  StagedRows staged(*this, space, nest, outside);
  if (!staged.any()) return launch(space, fill_for(nest));
  Stms by_themselves = launch_of(space, fill_for(nest));
  if (!by_themselves.empty()) staged.plan(fill_for, std::move(by_themselves));
}

/// What is asked when the program runs.
Expr Host::tiles_pay(const ir::Nest& nest, const facts::Tiling& tiling, const std::function<bool(const ir::Name&)>& knows) {
  std::vector<Expr> sizes;
  for (const ir::Atom& size : {nest.space[tiling.rows], facts::columns_of(nest, tiling), facts::sums_of(nest, tiling).space[0]}) {
    const ir::Name* name = ir::name_in(size);
    const bool is_known = !name || knows(*name);
    sizes.push_back(cast(PrimType::i64, is_known ? code_.index(size) : runtime::tile_depth()));
  }
  Expr matrices = lit(1);
  for (std::size_t d = 0; d < nest.space.size(); ++d)
    if (d != tiling.rows && d != tiling.columns) matrices = cast(PrimType::i64, code_.index(nest.space[d]));
  return tiling.columns ? runtime::tiles_pay(sizes[0], sizes[1], sizes[2], matrices) : runtime::rows_of_tiles_pay(sizes[0], sizes[1], sizes[2], matrices);
}

void Host::launch_tiles(const Space& space, const ir::Nest& nest, const facts::Tiling& tiling, const std::vector<OutPlace>& outside) {
  KernelCode kernel_code(context_, code_);
  const std::vector<Scalar> on_host = code_.extents(nest.space);
  const std::vector<Scalar> extents = kernel_code.import(on_host);
  const std::vector<OutPlace> inside = places_inside(*space.stm, nest, outside, kernel_code.code, kernel_code.capture);
  Tiles tiles_of_nest(kernel_code.code, kernel_code.identifiers, nest, tiling, context_.zeros, extents, inside);
  Stms body = tiles_of_nest.run();
  Kernel kernel = kernel_code.finish(context_, space, space.base + "_tiles_kernel", std::move(body), tiles_of_nest.grid());
  kernel.of_tiles = true;
  kernel.threads = std::get<Var>(Tiles::threads_of_block(nest, tiling).head).name;
  Extents grid{runtime::blocks_for(on_host[tiling.rows].expr, runtime::tile_width())};
  if (tiling.columns) grid.y = runtime::grid_height_for(on_host[*tiling.columns].expr, runtime::tile_width());
  Launch launch{.kernel = kernel.name,
                .grid = grid,
                .block = tiles_of_nest.block(),
                .args = kernel_code.capture.args(),
                .why = tiles_of_nest.reason()};
  for (std::size_t d = 0; d < nest.space.size(); ++d)
    if (d != tiling.rows && d != tiling.columns)
      (tiling.columns ? launch.grid.z : launch.grid.y) = runtime::grid_height_for(on_host[d].expr);
  context_.entry.kernels.push_back(std::move(kernel));
  code_.emit(std::move(launch));
}

/// Where there are so many points that each has one thread anyway, these may bring their rows to shared memory, too.
void Host::launch_joint_sums(const Space& space, const ir::Nest& nest, const facts::JointSums& sums, const Neighbours& neighbours,
                             const std::vector<OutPlace>& outside, const FillFor& fill_for) {
  const bool along_rows = are_summands_closer(*space.stm, nest, sums, neighbours.dimension, code_);
  KernelCode kernel_code(context_, code_);
  const std::vector<Scalar> on_host = code_.extents(nest.space);
  const std::vector<Scalar> extents = kernel_code.import(on_host);
  const std::vector<OutPlace> inside = places_inside(*space.stm, nest, outside, kernel_code.code, kernel_code.capture);
  JointSums joint(kernel_code.code, kernel_code.identifiers, nest, sums, extents, inside, along_rows, neighbours.dimension);
  Stms body = joint.run();
  Kernel kernel = kernel_code.finish(context_, space, space.base + "_kernel", std::move(body), joint.grid());
  kernel.indices = joint.indices();

  const Expr width = cast(PrimType::i64, on_host[neighbours.dimension].expr);
  std::optional<Expr> rows;
  Extents grid{lit(1)};
  for (std::size_t d = 0; d < on_host.size(); ++d) {
    if (d == neighbours.dimension) continue;
    const Expr extent = cast(PrimType::i64, on_host[d].expr);
    rows = rows ? times(*rows, extent) : extent;
    if (grid.z) continue;
    (grid.y ? grid.z : grid.y) = runtime::grid_height_for(extent);
  }
  const Expr summands = cast(PrimType::i64, code_.index(sums.most));
  const Expr block = runtime::sums_block(width, rows.value_or(lit(1)), summands, along_rows);
  const Extents threads{field(block, "x", type(PrimType::u32)), field(block, "y", type(PrimType::u32))};
  grid.x = runtime::blocks_for(width, along_rows ? *threads.y : threads.x);
  Stms call{Launch{.kernel = kernel.name,
                   .grid = grid,
                   .block = threads,
                   .args = kernel_code.capture.args(),
                   .why = fmt::format("sums by several threads, neighbours {}", along_rows ? "with neighbouring summands" : "with neighbouring results")}};
  context_.entry.kernels.push_back(std::move(kernel));
  if (!along_rows && !int_value(width))
    if (StagedRows staged(*this, space, nest, outside); staged.any()) return staged.plan(fill_for, std::move(call), width >= runtime::max_threads());
  emit_if_any(on_host, std::move(call));
}

void Host::launch_part_scans(const ir::Stm& stm, const facts::PartScans& scans, const std::vector<OutPlace>& outside) {
  const auto& nest = std::get<ir::Nest>(stm.exp);
  const std::vector<Scalar> on_host = code_.extents(nest.space);
  Space space{.base = stm.pattern[0].name.base, .extents = on_host, .index_bases = {nest.point.params[0].name.base}, .stm = &stm};
  KernelCode kernel_code(context_, code_);
  const std::vector<Scalar> all = kernel_code.import({code_.scalar(scans.all)});
  std::vector<OutPlace> inside = places_inside(stm, nest, outside, kernel_code.code, kernel_code.capture);
  Stms body = PartScans(kernel_code.code, kernel_code.identifiers, stm, scans, all[0].expr, inside).run();
  Kernel kernel = kernel_code.finish(context_, space, space.base + "_kernel", std::move(body),
                                     fmt::format("one block per part of {} elements, which its threads scan together", scans.points));
  kernel.of_tiles = true;
  const Expr& extent = on_host[0].expr;
  Launch launch{.kernel = kernel.name,
                .grid = {scans.totals ? cast(PrimType::u32, extent) : runtime::blocks_for(extent, lit(scans.points, PrimType::i32))},
                .block = {runtime::block_size()},
                .args = kernel_code.capture.args(),
                .why = "scans of parts, by the threads of a block"};
  context_.entry.kernels.push_back(std::move(kernel));
  const Fill by_points = [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    std::vector<OutPlace> places = places_inside(stm, nest, outside, code, capture);
    Loops(code, stm, nest, places, {indices[0]}).run();
  };
  code_.collect([&] { this->launch(space, by_points); });
  context_.entry.kernels.back().only_meant = true;
  emit_if_any(on_host, {std::move(launch)});
}

}  // namespace boustro::plan::planner
