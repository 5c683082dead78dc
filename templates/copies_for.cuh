// How many private copies of the cells a block has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "templates/max_shared_bytes.cuh"

/// Private copies of the cells per block, a power of two: at most one per lane of a warp, and one
/// per row that the block takes at a time. Several must leave each 2 rows per cell, and fit in half
/// of the shared memory, so that a multiprocessor holds all the threads that it can.
int copies_for(std::size_t copy_bytes, int64_t cells, int64_t rows_per_block,
               unsigned rows_at_a_time) {
  unsigned copies = 1;
  while (copies < 32 && copies < rows_at_a_time && 4 * copies * copy_bytes <= max_shared_bytes &&
         4 * copies * cells <= rows_per_block) {
    copies *= 2;
  }
  return static_cast<int>(copies);
}
