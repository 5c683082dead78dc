// Which points are light: a device takes longer to start the blocks of their threads than for the points themselves.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Threads take several points each, so that few blocks do (templates/few_blocks_for.cuh).
///
/// Rule      a thread for each of n points    gives    threads that stride over them: a grid-stride loop
/// Applies   points that move at most 32 bytes in all, by at most 12 statements, without loops, atomic operations and functions of the
///           program, which may take long. To move 32 bytes a point takes blocks 2.7 times as long as to start; more hides that
/// Cost      none; where there is a thread for each point, its loop has one iteration
///
/// Before:   const int64_t i = block * block_size + thread;    After:   for (int64_t i = ...; i < n; i += stride) {
///           if (i >= n) return;                                          xs_adj[i] = y;
///           xs_adj[i] = y;                                             }
///
/// A check that fails ends a thread, and with it the points that it has left: nobody needs them then (after_failure.hpp). Where lanes of
/// a warp combine what they add, there are atomic operations, which are not light.
bool are_light(const Stms& point);

}  // namespace boustro::plan::planner
