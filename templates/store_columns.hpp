// Rows of a tile, stored as columns.
#pragma once

#include <cstdint>

#include "templates/store_columns_by_four.hpp"

/// Sets to[j * pitch + i] = from[i * columns + j] for all i < `rows` and j < `columns`. Large
/// arrays are written past the caches, so that they are not read first: order_stores() must follow.
template <typename T>
void store_columns(T* to, int64_t pitch, const T* from, int64_t rows, int64_t columns) {
  constexpr int64_t cached_bytes = int64_t{1} << 25;
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  if constexpr (sizeof(T) == 8) {
    if (pitch * columns >= cached_bytes / 8 && address % 32 == 0 && pitch % 4 == 0)
      return store_columns_by_four<true>(to, pitch, from, rows, columns);
  }
  store_columns_by_four<false>(to, pitch, from, rows, columns);
}
