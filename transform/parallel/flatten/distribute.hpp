// Distribution: a map that first computes something for each element and then adds rows to
// accumulators, element by element, becomes a map that computes and, for each accumulator, a perfect
// nest that adds. So additions get a thread for each element of a row instead of a loop in a thread
// per row.
//
// Before:   map (\acc x -> let j = nearest x  in map (\acc y t -> update_acc acc [j, t] (f y)) acc x (iota d)) acc xs
// After:    let js = map nearest xs
//           map (\acc x j -> map (\acc y t -> update_acc acc [j, t] (f y)) acc x (iota d)) acc xs js
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// For maps at the host's level, of which all results are accumulators.
ir::Function distribute(ir::Function function, ir::Names& names, const facts::Callees& callees);

}  // namespace boustro::parallel
