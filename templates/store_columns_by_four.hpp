// Rows of a tile, stored as columns, in vectors.
#pragma once

#include <cstdint>

#include "templates/lanes.hpp"
#include "templates/store_four.hpp"

/// Implements store_columns: four rows of four columns at a time, past the caches if asked for.
template <bool past_caches, typename T>
void store_columns_by_four(T* to, int64_t pitch, const T* from, int64_t rows, int64_t columns) {
  int64_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
      const T* const tile = from + i * columns + j;
      const auto a = load_lanes<4>(tile), b = load_lanes<4>(tile + columns);
      const auto c = load_lanes<4>(tile + 2 * columns), d = load_lanes<4>(tile + 3 * columns);
      T* const at = to + j * pitch + i;
      store_four<past_caches>(at, a[0], b[0], c[0], d[0]);
      store_four<past_caches>(at + pitch, a[1], b[1], c[1], d[1]);
      store_four<past_caches>(at + 2 * pitch, a[2], b[2], c[2], d[2]);
      store_four<past_caches>(at + 3 * pitch, a[3], b[3], c[3], d[3]);
    }
    for (; i < rows; ++i) {
      for (int64_t k = j; k < j + 4; ++k) to[k * pitch + i] = from[i * columns + k];
    }
  }
  for (; j < columns; ++j) {
    for (int64_t i = 0; i < rows; ++i) to[j * pitch + i] = from[i * columns + j];
  }
}
