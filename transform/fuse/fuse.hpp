// Fusion: fewer traversals and fewer arrays in between.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::fuse {

/// Merges producers into their consumers, and neighbours of one width with each other, at top level
/// and inside of bodies. Nothing is computed twice and no update in place is passed over. A
/// verified program gives a verified one. Run simplify before and after. With `whole_points`, what one with_acc alone takes moves
/// into it, so that one worker goes through both sweeps of a point; without, either may be shared in its own way.
ir::Program fuse(ir::Program program, bool whole_points = false);

/// Updates of rows come behind the traversals that need not see what they write, so that fusion finds these next to each other. For
/// machines where one traversal less is one kernel less. Without `states`, updates by arrays that a loop carries stay. Run before fusion.
ir::Program late_updates(ir::Program program, bool states = true);

/// Additions into accumulators whose cell does not depend on the position in a parallel operator
/// become reductions over that operator's dimension (AD paper, section 6.1). Cells chosen by data
/// stay as they are.
ir::Program reduce_accumulators(ir::Program program);

/// Additions of rows into accumulators become additions of their elements, where these are
/// computed. Run after fusion, which prefers rows.
ir::Program spread_updates(ir::Program program);
/// Rows that a loop sums up, to be added to an accumulator, are added element by element by the loop.
ir::Program spread_loops(ir::Program program);
/// Rows that are computed only to be added to an accumulator leave maps that also add to others.
/// Run simplify afterwards: then there is more to spread.
ir::Program split_updates(ir::Program program);
/// Additions of rows that remain join maps of their width that add to other accumulators.
ir::Program absorb_updates(ir::Program program);

/// Accumulations of the host into the same arrays, one after the other, become one: join_accumulations.cpp. Run simplify afterwards.
ir::Program join_accumulations(ir::Program program);
/// Of two accumulators that start equal and to which the same is added one is enough: twin_accumulators.cpp. Says whether anything changed;
/// run simplify then, and this once more.
bool unite_twin_accumulators(ir::Program& program);

/// Rows of adjoints that are zero but in one place become that place and what stands there, for traversals that add nothing for a zero.
/// Says whether anything changed; run simplify then.
bool replace_one_hot_rows(ir::Program& program);

/// Elements of arrays that follow from their numbers are computed where they are read. Says whether anything changed; run simplify then.
bool compute_numbered(ir::Program& program);

/// Rows that repeat a few elements, and are only taken apart again, are stored without repetitions. Says whether anything changed; run
/// simplify then.
bool store_repeated_once(ir::Program& program);

/// What a point computes by a loop in two loops, the first one keeps for the second: see share.cpp. For machines whose points have
/// memory that is cached. Run simplify afterwards.
ir::Program share_computations(ir::Program program);

}  // namespace boustro::fuse
