// How many blocks are launched if each thread may take several elements. To start a block takes an H200 some 160 clocks of a
// multiprocessor, in which it moves 3 KB: where each of 256 threads stores one float, kernels move 1.6 of 4.3 TB/s.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/blocks_for.cuh"

/// Blocks that cover `size` items, at most 2048 / `beside`: with `beside` blocks for each of them
/// along the other dimension, they fill a large device twice. Kernels stride over the rest.
unsigned few_blocks_for(int64_t size, int64_t per_block, unsigned beside = 1) {
  return std::min(blocks_for(size, per_block), 2048 / beside);
}
