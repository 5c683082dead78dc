// Sums over the points of a tile for neighbouring elements.
#pragma once

#include <cstdint>

#include "templates/lanes.hpp"

/// sums[s] += factors[0] * rows[s] + ... + factors[lanes - 1] * rows[(lanes - 1) * size + s], for
/// all s < count: a vector of neighbouring sums at a time.
template <int64_t lanes, typename T>
void add_products(T* sums, int64_t count, const T* factors, const T* rows, int64_t size) {
  constexpr int64_t width = vector_bytes / static_cast<int64_t>(sizeof(T));
  int64_t s = 0;
  for (; s + 2 * width <= count; s += 2 * width) {
    auto sum = load_lanes<2 * width>(sums + s);
    for (int64_t lane = 0; lane < lanes; ++lane) sum += factors[lane] * load_lanes<2 * width>(rows + lane * size + s);
    store_lanes<2 * width>(sums + s, sum);
  }
  for (; s < count; ++s) {
    T sum = 0;
    for (int64_t lane = 0; lane < lanes; ++lane) sum += factors[lane] * rows[lane * size + s];
    sums[s] += sum;
  }
}
