// While loops that take a known number of iterations at most, #[bound(n)], for what adds to loops.
//
// States and logs need a number of iterations. A bounded while loop is treated as `for i < n` while these are added, and is
// then made to count as it runs: it stops by itself, or after n iterations.
#pragma once

#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad {

/// The bound that a while loop has, or a for loop that stands for one.
const ir::Atom* bound_of(const ir::Stm& stm);

/// `for i < n` that stands for a while loop with a bound. Only as a form to add to: run like this, it would not stop in time.
/// `before`: receives the conversion of n.
ir::Stm as_for_loop(ir::Builder& before, const ir::Stm& bounded);

/// Makes the loop that stands for a while loop, which went on under `condition`, one that counts as it runs and takes n iterations at
/// most. Yields its count, and whether it ended by itself. Into `before` goes what it starts with.
struct Counted {
  ir::Name iterations, is_bounded;
};
Counted as_counting_loop(ir::Builder& before, ir::Stm& stm, const ir::Name& condition);

/// A loop that wants to go on does so while there is room; if not, the bound was too small.
struct Progress {
  ir::Atom goes_on, is_bounded;
};
Progress progress(ir::Builder& builder, const ir::Atom& wanted, const ir::Atom& iteration, const ir::Atom& bound);

/// One more parameter, by name that of the loop's result.
ir::Name add_param(ir::Names& names, ir::Stm& loop, const ir::Param& param, const ir::Atom& init, const ir::Atom& next);

/// Fails at run time if a while loop did not end by itself. The loop yields `is_bounded`, so whoever runs it again asserts it again:
/// assertions.hpp.
void assert_bound(ir::Builder& after, const ir::Name& is_bounded, const ir::Atom& bound);

}  // namespace boustro::ad
