// How many blocks threads of several elements need. To start a block takes an H200 some 160 clocks of a multiprocessor, in which it moves
// 3 KB: where each of 256 threads stores one float, kernels move 1.6 of 4.3 TB/s.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/blocks_for.cuh"

/// Blocks that cover `size` items, or as many as fill a large device twice, those that are `beside`
/// each counted: kernels stride over the rest.
unsigned few_blocks_for(int64_t size, int64_t per_block, unsigned beside = 1) {
  return std::min(blocks_for(size, per_block), 2048 / beside);
}
