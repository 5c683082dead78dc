#include "transform/ir/permutation.hpp"

#include <utility>

namespace boustro::ir {

std::vector<std::size_t> swaps_that_sort(std::vector<int> permutation) {
  std::vector<std::size_t> swaps;
  for (bool sorted = false; !sorted;) {
    sorted = true;
    for (std::size_t d = 0; d + 1 < permutation.size(); ++d) {
      if (permutation[d] <= permutation[d + 1]) continue;
      std::swap(permutation[d], permutation[d + 1]);
      swaps.push_back(d);
      sorted = false;
    }
  }
  return swaps;
}

}  // namespace boustro::ir
