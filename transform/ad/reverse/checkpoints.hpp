// Checkpoints: a return sweep that has room for some states at a time.
//
// Rule      #[checkpoint(c)] loop x = x0 for i < n do e    gives    forward: the loop, stretch by stretch, with a state kept at the start of
//             each; return: for j = n-1, ..., 0: go on from the last state kept, keeping states on the way, to j; then as in loop.cpp
// Applies   for loops; while loops once they are counted (loop_while.cpp); c states, or a logarithm of n without an argument, or as many as
//             fit into so many bytes: #[checkpoint_bytes(b)]. Not loops that carry accumulators, which would be added to again
// Cost      c states of what the steps need, values of e never; t(n + 1, c) - n steps once more, the fewest that are possible where the end of
//           the loop is wanted, too: checkpoint_schedule.hpp. In a return loop one state more, that which steps work on
// Source    Griewank, Walther: Algorithm 799, revolve; Hascoet, section 3
//
// Before:      def f (n: i64) (x: f64): f64 = #[checkpoint(c)] loop y = x for i < n do f64.sin y
// After vjp:   def f_vjp (n: i64) (x: f64) (y_adj: f64): f64 =
//                let (_, kept, top) = loop (y, kept, top) = (x, replicate c 0, 0) for each stretch (i, m) of the schedule do
//                    (loop y for k < m do f64.sin y, kept with [top] = y, top + 1)
//                in loop (y_adj, kept, top) for j = n - 1, ..., 0 do
//                    let (y, kept, top) = advance kept[top - 1] to j, keeping states     -- one less, if it is the state at j itself
//                    in (y_adj * f64.cos y, kept, top)
#pragma once

#include "transform/ad/reverse/loop_states.hpp"

namespace boustro::ad {

/// Whether the loop has one of the attributes.
bool has_checkpoints(const ir::Stm& loop);

/// For a for loop with one of the attributes, of which nothing is asked twice.
std::unique_ptr<LoopStates> checkpoints_of(Reverse& reverse, const ir::Stm& loop);

}  // namespace boustro::ad
