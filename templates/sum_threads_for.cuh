// How many threads compute a sum jointly.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/block_size.cuh"

/// A power of two, up to a block. As many as it takes to keep a device busy with so many rows of
/// sums, `width` each, as long as each thread has several summands. Memory is read in pieces: if
/// neighbouring summands lie next to each other, as many threads as a warp has come before that, as
/// far as there are summands; if neighbouring results do, the block keeps some of these. Where rows
/// are short, it takes several threads each to fill a warp.
unsigned sum_threads_for(int64_t width, int64_t rows, int64_t summands, bool neighbouring_summands) {
  const int64_t enough = 1 << 18, own_summands = 8, warp = 32;
  const int64_t least = neighbouring_summands ? warp : 1;
  const int64_t most = neighbouring_summands ? block_size : block_size / std::min<int64_t>(width, 8);
  int64_t threads = 1;
  while (threads < summands && (threads < least || threads * width < warp)) threads *= 2;
  while (2 * threads <= most && threads * own_summands < summands && threads * width * rows < enough) threads *= 2;
  return static_cast<unsigned>(threads);
}
