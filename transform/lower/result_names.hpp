// Names for what lambdas and branches result in, where the source has none: those of what they make.
#pragma once

#include "transform/ir/ir.hpp"

namespace boustro::lower {

/// An element of an array is called as the array, a value of a branch as what the branch is for:
///
/// Before:   let gates = map2 (\x y -> let product = x * y in product) xs ys
/// After:    let gates = map2 (\x y -> let gate = x * y in gate) xs ys
///
/// A call has the name of what it is for, too, and what a function yields is its `result`.
void name_results(ir::Program& program);

}  // namespace boustro::lower
