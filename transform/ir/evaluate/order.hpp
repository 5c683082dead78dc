// The order in which points of nests and elements of maps run if an adversary chooses it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace boustro::ir::evaluation {

class Order {
 public:
  /// Of so many: from the last to the first for seed 0, otherwise shuffled.
  Order(std::int64_t count, unsigned seed) : numbers_(static_cast<std::size_t>(count)) {
    std::iota(numbers_.rbegin(), numbers_.rend(), 0);
    if (seed != 0) std::shuffle(numbers_.begin(), numbers_.end(), std::mt19937(seed));
  }
  auto begin() const { return numbers_.begin(); }
  auto end() const { return numbers_.end(); }

 private:
  std::vector<std::int64_t> numbers_;
};

}  // namespace boustro::ir::evaluation
