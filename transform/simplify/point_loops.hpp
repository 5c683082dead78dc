// Loops of which every step maps all of the state, on a CPU: each point goes through the steps on its own.
//
// Before:  loop xs = replicate n 0 for i < k do
//            let row = yss[i]
//            in map2 (\x y -> x + y) xs row
// After:   map (\p -> loop x = 0 for i < k do
//                       let y = yss[i, p]
//                       in x + y) (iota n)
// Applies  outside of traversals, if the next state of a point depends on its own alone. What a step computes before for all
//          points is computed by each of them: views become views of the point's part, elements of maps are computed where
//          they are needed, and what is left is cheap. Maps in the map follow, as long as the state of a point is an array
// Why      the state of all points passes through the memory once, and not once for each step
// Never:   map2 (\x y -> x + y + xs[0]) xs row, which reads what other points have
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any. Simplify afterwards.
bool run_loops_point_by_point(ir::Program& program);

}  // namespace boustro::simplify
