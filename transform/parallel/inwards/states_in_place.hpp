// A loop that keeps all of its states has them nowhere else: each is made where it is kept.
//
// Rule      loop (x, log) = (x0, scratch c) for i < n do  .. f x ..  in (x', log with [i] = x)
//           gives   loop log = (scratch (c + 1) with [0] = x0) for i < n do  let x = log[i]  .. f x ..  in log with [i + 1] = x'
//           Behind it x is log[n], and log without its last row is what it was
// Applies   to arrays, for loops whose number is the row; if the log has no values at first and the loop does nothing else with it, nobody updates x,
//           x' or the log, and no other value that the loop carries shares memory with x or x'
// Never     in other loops or branches, whose results may be said to be unique: the log without its last row is a view
// Cost      saves two arrays, and a copy in each step: half of what a step that moves a state through memory takes. One row more
// Source    derived here
//
// Before:  loop (x, log) = (x0, core.scratch n) for i < n do  let x' = map g x  let log' = log with [i] = x  in (x', log')
// After:   loop log = (core.scratch (n + 1) with [0] = x0) for i < n do  let x' = map g log[i]  let log' = log with [i + 1] = x'  in log'
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/parallel/inwards/columns.hpp"

namespace boustro::parallel {

/// The loop, with what goes before and behind it; nothing if the rule does not apply. `needed`: names that are used behind it. `aliases`: of the
/// program. Run it again for another state.
std::optional<std::vector<ir::Stm>> states_in_place(const ir::Stm& loop, const ir::NameSet& needed, ir::Names& names, const Surroundings& around,
                                                    const facts::Callees& callees, const facts::Aliases& aliases);

}  // namespace boustro::parallel
