// Maps over a product of sizes that only look at the digits of their index, on a CPU.
//
// Before:  map (\i -> f (i / 6) (i % 3)) (iota (n * 12))
// After:   flatten (map (\o -> map (\j -> f o (j % 3)) (iota 6)) (iota (n * 2)))
// Applies  where all uses of i are quotients and remainders by literals, of which a number up to 64 is a multiple that
//          divides the product. What depends on o alone is then computed once for all j (hoist.hpp), reads at o are
//          elements of arrays that the map takes (positions.cpp), and no large number is divided
// Never:   xs[i], i % 5 in a product of n and 12, or beside arrays that the map takes element by element
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

/// True if there were any.
bool split_flat_maps(ir::Program& program);

}  // namespace boustro::simplify
