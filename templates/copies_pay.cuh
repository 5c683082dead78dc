// Whether blocks should combine in private copies of the cells, rather than all in global memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "templates/block_size.cuh"
#include "templates/max_shared_bytes.cuh"

/// Whether private copies pay: one fits in shared memory, and there are at least 256 blocks, unless
/// blocks are as small as they get.
bool copies_pay(int64_t rows, int64_t rows_per_block, std::size_t copy_bytes) {
  const int64_t enough = 256;
  return copy_bytes <= max_shared_bytes &&
         (rows_per_block <= block_size || rows >= enough * rows_per_block);
}
