// Points in lanes: several points of a nest are computed at a time, in step, by the vector instructions of a CPU.
//
// What a thread does at a point is mostly sums, whose order compilers must keep, so that nothing is vectorised. The sums of
// neighbouring points have nothing to do with each other: taken together, each statement is a loop over points, of constant
// length and without dependences.
//
// Before:   for (int64_t i = begin; i < end; ++i) {
//             double total = 0.0;
//             for (int64_t j = 0; j < d; ++j) total += q[j] * xs[i * d + j];
//             ys[i] = total;
//           }
// After:    for_lanes(begin, end, [&](auto lanes, int64_t i) {
//             double total[lanes];
//             for (int64_t lane = 0; lane < lanes; ++lane) total[lane] = 0.0;
//             for (int64_t j = 0; j < d; ++j) {
//               for (int64_t lane = 0; lane < lanes; ++lane) total[lane] += q[j] * xs[(i + lane) * d + j];
//             }
//             for (int64_t lane = 0; lane < lanes; ++lane) ys[i + lane] = total[lane];
//           });
//
// Each point is computed as before, in its own order. What all points add to (accumulators, which have no order) gets the sum
// over the lanes at once. A loop is left as it is if its body may end early, has loops whose length differs between points,
// or no sum over a loop that would gain. Of maps in maps those points are taken whose operands lie side by side (strides.hpp): the columns
// of a matrix product, rather than its rows.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::lanes {

/// In all loops of the entry that are marked as points of a nest. Of the cpu target, after everything else but names and comments.
void use_lanes(Entry& entry);

}  // namespace boustro::plan::lanes
