// A loop that overwrites all of an array that it carries, and reads nothing of it, starts from an array without values.
//
// Before:   loop xss = yss for i < n do  let xss = xss with [n - 1 - i, 0] = .. in xss with [n - 1 - i, 1] = ..      (xss: [n][2]..)
// After:    loop xss = scratch [n][2].. for i < n do  the same
// Applies   if one index of all its updates is the loop's, or counts down from the last one, that dimension has as many elements as the
//           loop has steps, and the other indices are numbers, all of those of their dimensions
// Never     where the array is used but by the updates: what is read may be what was there
//
// The return sweep of a loop restores states in this way; what they were before no longer matters then, and loops around this one
// need not carry them.
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/sizes.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// The statements of the body that make the next value of parameter number `param`: updates, each of the version before, and nothing else
/// is done with any of these.
std::optional<std::vector<std::size_t>> updates_alone(const ir::Loop& loop, std::size_t param);

/// Statements that make the new starts, for the loop to stand behind. `sizes`: what is known before it; `numbers`: the same, without what arrays say
/// of their sizes, since the one that is replaced by none said that its own are not negative: others are asked for.
std::vector<ir::Stm> start_undefined(ir::Stm& loop, ir::Names& names, const facts::Sizes& sizes, const facts::Sizes& numbers);

}  // namespace boustro::parallel
