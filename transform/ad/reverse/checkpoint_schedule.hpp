// The binomial schedule: how a return sweep that has room for a number of states at a time runs the fewest steps again.
//
// A stretch of n steps, whose first state is kept, is reversed with s states in all, that one among them, by going on m steps, keeping the
// state there, reversing the n - m steps behind it with s - 1 states, and then the m steps before it with s. With one state each step
// starts from the beginning of its stretch.
//
//   reach(s, r) = (s + r)! / (s! r!)          the longest stretch of which no step is run more than r times
//   split(n, s) = min(reach(s, r - 1), n - reach(s - 1, r - 1)),   r the least with reach(s, r) >= n
//
// Steps are run again t(n, s) = min over m of m + t(n - m, s - 1) + t(m, s) times, which is r n - reach(s + 1, r - 1).
//
// Source: A. Griewank, A. Walther: Algorithm 799, revolve, ACM Transactions on Mathematical Software 26 (2000), section 2; Hascoet, 3.
#pragma once

#include "transform/ad/context.hpp"

namespace boustro::ad::schedule {

/// How far to go on before the next state is kept: of a stretch of `steps` >= 2 steps with `slots` >= 1 states.
/// def checkpoint_split (steps: i64) (slots: i64) : i64
ir::Name split_function(Derivation& derivation);

/// Which step the state in slot number `slot` stands for, once all steps of `steps` behind `step` are reversed.
/// def checkpoint_place (steps: i64) (slots: i64) (step: i64) (slot: i64) : i64
ir::Name place_function(Derivation& derivation);

}  // namespace boustro::ad::schedule
