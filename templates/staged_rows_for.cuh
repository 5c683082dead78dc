// Whether blocks bring the rows of their points to shared memory first, and how many.
#pragma once

#include <cstddef>

#include "templates/block_size.cuh"
#include "templates/max_shared_bytes.cuh"

/// Rows of a block that has so many bytes of each, and a thread for each; 0 if threads had better
/// read them where they are: a warp of rows does not fit, or they are so short that neighbours
/// share what they read.
unsigned staged_rows_for(std::size_t row_bytes) {
  const std::size_t warp = 32, least_bytes = 32;
  std::size_t rows = block_size;
  while (rows >= warp && rows * row_bytes > max_shared_bytes) rows /= 2;
  return row_bytes < least_bytes || rows < warp ? 0 : static_cast<unsigned>(rows);
}
