// Sums over the points of a tile, for neighbouring elements at a time, in vectors of n and less.
#pragma once

#include <cstdint>

#include "templates/lanes.hpp"

/// Implements add_products: `n` neighbouring sums at a time, the rest in vectors of half as many.
template <int64_t lanes, int64_t n, typename T>
void add_products_by(T* sums, int64_t count, const T* factors, const T* rows, int64_t size) {
  int64_t s = 0;
  for (; s + n <= count; s += n) {
    auto sum = load_lanes<n>(sums + s);
    for (int64_t lane = 0; lane < lanes; ++lane) sum += factors[lane] * load_lanes<n>(rows + lane * size + s);
    store_lanes<n>(sums + s, sum);
  }
  if constexpr (n > 1) add_products_by<lanes, n / 2>(sums + s, count - s, factors, rows + s, size);
}
