// Fission of a loop: reductions, and larger spaces, that keep it from going into the threads are done for all steps at once, before
// or behind it.
//
// Before:   loop (xs, total) = (xs0, 0) for s < n do  let ws = map f rows[s]   let w = reduce (+) 0 ws
//                                                     let xs = map2 (g w) xs ws   let y = reduce max xs   in (xs, total + y)
// After:    let (wss, w) = map (\s -> let ws = .. in (ws, reduce (+) 0 ws)) (iota n)                         first
//           let (xs, log) = loop (xs, log) for s < n do let xs = map2 (g w[s]) xs wss[s] in (xs, log with [s] = xs)
//           let ys = map (\s -> reduce max log[s]) (iota n)   let total = loop total for s < n do total + ys[s]   last
// Applies   to a `for` loop over i64 with reductions, or maps of which points have work for many threads, if the first part needs
//           nothing that the loop carries, what is left goes into the threads (columns.hpp), and the last part without what it has for
//           all steps at once is scalars; each array that is kept for all steps has no more elements than one that the loop uses anyway
// Cost      what passes between the parts is kept for all steps
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/parallel/inwards/columns.hpp"

namespace boustro::parallel {

std::optional<std::vector<ir::Stm>> steps_apart(const ir::Stm& loop, const ir::NameSet& needed, ir::Names& names, const Surroundings& around,
                                                const facts::Callees& callees);

}  // namespace boustro::parallel
