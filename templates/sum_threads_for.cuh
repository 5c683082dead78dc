// How many threads compute a sum jointly.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/block_size.cuh"
#include "templates/order.cuh"

/// Threads that share a sum, a power of two: as many as fill a warp with a short row or, where
/// summands are neighbours, with each sum, if there are summands for them; then as many as keep the
/// device busy with `rows` rows of `width` sums, and leave each 4 summands or more. Where results
/// are neighbours, 8 of these, or all of a row, stay in the block.
unsigned sum_threads_for(int64_t width, int64_t rows, int64_t summands, Order neighbours) {
  const int64_t enough = 1 << 18, own_summands = 8, warp = 32;
  const bool row = neighbours == Order::summands;
  const int64_t least = row ? warp : 1, most = row ? block_size : block_size / std::min<int64_t>(width, 8);
  int64_t threads = 1;
  while (threads < summands && (threads < least || threads * width < warp)) threads *= 2;
  while (2 * threads <= most && threads * own_summands < summands && threads * width * rows < enough) threads *= 2;
  return static_cast<unsigned>(threads);
}
