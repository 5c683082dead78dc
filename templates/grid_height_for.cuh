// The extents of grids of two and three dimensions along y and z.
#pragma once

#include <algorithm>
#include <cstdint>

#include "templates/blocks_for.cuh"
#include "templates/max_grid_height.cuh"

/// Blocks along y or z that cover `size` items, `per_block` each, but no more than CUDA accepts
/// there: kernels stride over the rest.
unsigned grid_height_for(int64_t size, int64_t per_block = 1) {
  return std::min(blocks_for(size, per_block), max_grid_height);
}
