// A nest that the grid shares: a kernel with a thread for each point, or for each cell that is kept, or a library call.
#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "emit/plan/lower/block_copies.hpp"
#include "emit/plan/lower/by_warp.hpp"
#include "emit/plan/lower/loops.hpp"
#include "emit/plan/lower/made_sizes.hpp"
#include "emit/plan/lower/neighbours.hpp"
#include "emit/plan/planner/library.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/walk.hpp"
#include "transform/facts/neighbours.hpp"
#include "transform/facts/part_scans.hpp"
#include "transform/facts/rounding.hpp"
#include "transform/parallel/flatten/memory.hpp"

namespace boustro::plan::planner {
namespace {

bool by_library(const ir::Nest& nest) {
  return !nest.outs.empty() && nest.outs[0].method == ir::Method::library;
}

LibraryKind kind_of(const ir::Nest& nest) {
  if (nest.outs[0].kind == ir::OutKind::scan) return LibraryKind::inclusive_scan;
  const bool commute = std::all_of(nest.outs.begin(), nest.outs.end(), [](const ir::Out& out) {
    const auto kind = ir::as_binop(out.op->op);
    return out.op->commutative || (kind && ir::commutes(*kind));
  });
  return commute ? LibraryKind::reduce : LibraryKind::reduce_in_order;
}

/// Of `shared` dimensions.
std::string grid_comment(const ir::Nest& nest, std::size_t shared, bool neighbours_first) {
  const bool writes = std::any_of(nest.outs.begin(), nest.outs.end(),
                                  [](const ir::Out& out) { return !out.destinations.empty(); });
  const auto is_histogram = [](const ir::Out& out) { return out.kind == ir::OutKind::histogram; };
  const auto adds_up = [&](const ir::Out& out) { return is_histogram(out) && facts::rounds(out.op->op.body); };
  if (std::any_of(nest.outs.begin(), nest.outs.end(), adds_up)) return "one thread per value; the order of additions varies";
  if (std::any_of(nest.outs.begin(), nest.outs.end(), is_histogram) || (writes && nest.outs.size() == 1)) return "one thread per value";
  const bool combines = shared < nest.space.size();
  if (combines) return neighbours_first ? "one thread per element of the result, rows to threadIdx.x" : "one thread per element of the result";
  if (shared == 1) return "one thread per {0}";
  const auto [of_rows, of_elements] = neighbours_first ? std::pair("x", "y") : std::pair("y", "x");
  return fmt::format("one thread per {{0}}{{2}} and {{1}}: {{0}} to blockIdx.x and threadIdx.{}, {{1}} to blockIdx.y and threadIdx.{}{{3}}", of_rows,
                     of_elements);
}

}  // namespace

void Host::nest(const ir::Stm& stm, const ir::Nest& nest) {
  if (nest.over == ir::Level::thread) return sequential(stm);
  code_.check_space(stm, nest.space);
  code_.at_points(nest.space, [&] { by_library(nest) ? LibraryPlanner(*this, stm, nest).plan(kind_of(nest)) : kernel(stm, nest); });
}

/// Where each out goes, seen from the host.
std::vector<OutPlace> Host::places(const ir::Stm& stm, const ir::Nest& nest) {
  std::vector<OutPlace> places(nest.outs.size());
  std::size_t next = nest.accumulators.size();
  for (std::size_t out = 0; out < nest.outs.size(); ++out) {
    const ir::Out& what = nest.outs[out];
    for (std::size_t k = 0; k < what.results(); ++k, ++next) {
      const View view = what.destinations.empty() ? place(stm.pattern[next])
                                                  : writable(what.destinations[k], &stm);
      places[out].arrays.push_back(view);
      code_.bind(stm.pattern[next].name, view);
    }
  }
  return places;
}

namespace {

bool is_one_point(const ir::Nest& nest) {
  const PrimValue* extent = nest.space.size() == 1 ? ir::literal_in(nest.space[0]) : nullptr;
  return extent && extent->as_int() == 1;
}

}  // namespace

void Host::kernel(const ir::Stm& stm, const ir::Nest& nest) {
  const std::size_t accumulators = nest.accumulators.size(), shared = facts::kept_dimensions(nest);
  for (std::size_t i = 0; i < accumulators; ++i) {
    Accumulator accumulator = code_.accumulator(nest.accumulators[i]);
    code_.bind(stm.pattern[i].name, accumulator);
    accumulator.shared = !ir::adds_apart(nest);
    accumulator.once = nest.additions == ir::Method::once;
    if (accumulator.shared && facts::rounds(accumulator.kind, accumulator.destination.elem)) context_.entry.order_varies = true;
    code_.bind(nest.accumulators[i], accumulator);  // nobody else adds to it under this name
  }
  const bool one_point = is_one_point(nest);
  // The host says so before, if an array has a negative size.
  if (MadeSizes made(code_, nest); one_point && made.can_be_checked()) made.check();
  const std::vector<OutPlace> outside = places(stm, nest);
  if (const auto scans = facts::part_scans_of(nest)) return launch_part_scans(stm, *scans, outside);
  const Neighbours neighbours = neighbours_of(stm, nest, code_);
  const ByWarp by_warp = additions_by_warp(stm, nest, neighbours.dimension);
  for (std::size_t i = 0; i < accumulators; ++i) {
    Accumulator accumulator = code_.accumulator(nest.accumulators[i]);
    accumulator.by_warp = accumulator.shared && by_warp.accumulators[i] && !std::holds_alternative<ir::Overwrite>(accumulator.kind);
    code_.bind(nest.accumulators[i], accumulator);
  }
  // Threads take the outermost dimension and another one: that of neighbours, or else the last. Blocks take a third one,
  // unless threads have memory, which is shared out among as many as there are then. The others are loops.
  const bool neighbours_first = shared > 1 && neighbours.dimension == 0;
  const std::size_t inner = neighbours_first ? shared - 1 : neighbours.dimension;
  const std::vector<Accumulator> copied = copied_by_blocks(nest, outside);
  const bool has_depth = shared > 2 && copied.empty() && !parallel::needs_memory(nest.point.body, context_.callees);

  Space space{
      .base = nest.outs.empty() ? nest.accumulators[0].base : stm.pattern[accumulators].name.base,
      .extents = {},
      .index_bases = {},
      .stm = &stm,
      .grid = grid_comment(nest, shared, neighbours_first),
      .neighbours_first = neighbours_first};
  const auto add_extent = [&](std::size_t at) {
    std::string base = nest.point.params[accumulators + at].name.base;
    if (!space.index_bases.empty() && space.index_bases[0] == base) base = std::string("j");
    space.extents.push_back(code_.extents({nest.space[at]})[0]);
    space.index_bases.push_back(base);
  };
  add_extent(0);
  if (shared > 1) add_extent(inner);
  if (has_depth) space.depth = code_.extents({nest.space[inner == 1 ? 2 : 1]})[0];
  space.additions = by_warp.why;
  if (!neighbours.why.empty())
    space.why = fmt::format("neighbours along {}: {}", space.index_bases[neighbours_first ? 0 : 1], neighbours.why);

  const auto at_points_of = [&](const ir::Nest& points, Code& code, Capture& capture, const std::vector<Scalar>& indices) {
    std::vector<OutPlace> inside = places_inside(stm, points, outside, code, capture);
    for (std::size_t k = 0; k < inside.size(); ++k)
      for (Accumulator& cells : inside[k].accumulators) cells.by_warp = by_warp.outs[k];
    std::vector<std::optional<Scalar>> given(nest.space.size());
    given[0] = indices.empty() ? literal(PrimValue::of_int(PrimType::i64, 0)) : indices[0];
    if (shared > 1) given[inner] = indices[1];
    LoopForm form;
    if (has_depth) form = {.from = position(Position::block_z), .step = position(Position::grid_width_z)};
    Loops(code, stm, points, inside, given, form).run();
  };
  const FillFor fill_for = [&](const ir::Nest& points) -> Fill {
    return [&](Code& code, Capture& capture, const std::vector<Scalar>& indices) { at_points_of(points, code, capture, indices); };
  };
  if (copied.empty()) bound_thread_memory(stm);
  if (by_blocks(space, nest, neighbours, outside, fill_for)) return;
  const bool by_copies = !copied.empty() && BlockCopies(*this, space, copied, fill_for(nest)).plan();
  if (by_copies) return;
  if (!one_point) return launch_points(space, nest, outside, fill_for);
  space.extents.clear();
  space.grid = "one thread";
  const auto before = static_cast<std::ptrdiff_t>(context_.entry.kernels.size());
  launch_points(space, nest, outside, fill_for);
  // Of its own point alone the reader need not know.
  for (Kernel& kernel : std::span(context_.entry.kernels.begin() + before, context_.entry.kernels.end()))
    for (Param& param : kernel.params)
      if (param.access == Access::written && !param.shape.empty() && param.shape.front() == "1") param.shape.erase(param.shape.begin());
}

/// What blocks have copies of, if they do: accumulators, or the cells of histograms.
std::vector<Accumulator> Host::copied_by_blocks(const ir::Nest& nest, const std::vector<OutPlace>& outside) {
  std::vector<Accumulator> result;
  if (nest.additions == ir::Method::copies)
    for (const ir::Name& name : nest.accumulators) result.push_back(code_.accumulator(name));
  for (std::size_t k = 0; k < nest.outs.size(); ++k)
    if (nest.outs[k].method == ir::Method::copies) result.push_back({outside[k].arrays[0], ir::Combine{nest.outs[k].op->op, nest.outs[k].op->neutral[0]}, true});
  const bool all = std::all_of(result.begin(), result.end(), [](const Accumulator& cells) { return can_be_copied(cells.destination); });
  return all ? result : std::vector<Accumulator>{};
}

std::vector<OutPlace> Host::places_inside(const ir::Stm& stm, const ir::Nest& nest,
                                          const std::vector<OutPlace>& outside, Code& code,
                                          Capture& capture) {
  const ir::NameSet used = ir::free_names(nest.point);
  std::vector<OutPlace> inside(outside.size());
  std::size_t next = nest.accumulators.size();
  for (std::size_t out = 0; out < outside.size(); ++out) {
    const ir::Out& what = nest.outs[out];
    for (std::size_t k = 0; k < outside[out].arrays.size(); ++k, ++next) {
      const View& view = outside[out].arrays[k];
      if (what.destinations.empty()) {
        // What stands there is read by the same pointer, whatever its name.
        ir::NameSet before;
        std::copy_if(used.begin(), used.end(), std::inserter(before, before.end()), [&](const ir::Name& name) {
          const View* array = code_.knows(name) ? std::get_if<View>(&code_.value_of(name)) : nullptr;
          return array && array->rank() > 0 && same_memory(*array, view);
        });
        const Access access = before.empty() ? Access::written : Access::updated;
        inside[out].arrays.push_back(capture.written(view, stm.pattern[next].name.base, access));
        for (const ir::Name& name : before) code.bind(name, inside[out].arrays.back());
      } else if (what.kind == ir::OutKind::scatter) {
        // Of several values for one cell one stays.
        inside[out].accumulators.push_back(
            {capture.written(view, what.destinations[k].base, Access::updated), ir::Overwrite{},
             true});
      } else {
        if (facts::rounds(what.op->op.body)) context_.entry.order_varies = true;
        const ir::AccumulatorKind kind = ir::Combine{what.op->op, what.op->neutral[0]};
        inside[out].accumulators.push_back({capture.written(view, what.destinations[k].base, access_of(kind)), kind, true});
      }
    }
  }
  return inside;
}

}  // namespace boustro::plan::planner
