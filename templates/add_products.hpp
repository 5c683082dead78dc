// Sums over the points of a tile, for neighbouring elements at a time.
#pragma once

#include <cstdint>

#include "templates/add_products_by.hpp"
#include "templates/lanes.hpp"

/// Computes sums[s] += factors[0] * rows[s] + ... + factors[lanes - 1] * rows[(lanes - 1) * size +
/// s] for all s < `count`. Each sum is added up in this order, however wide vectors are.
template <int64_t lanes, typename T>
void add_products(T* sums, int64_t count, const T* factors, const T* rows, int64_t size) {
  constexpr int64_t width = vector_bytes / static_cast<int64_t>(sizeof(T));
  add_products_by<lanes, 2 * width>(sums, count, factors, rows, size);
}
