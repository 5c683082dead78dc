// Permutations of the dimensions of arrays.
#pragma once

#include <cstddef>
#include <vector>

namespace boustro::ir {

/// Swaps of neighbours, each named by its first place, that sort the permutation; in the opposite order they make it.
std::vector<std::size_t> swaps_that_sort(std::vector<int> permutation);

}  // namespace boustro::ir
