// Whether blocks stage the rows of their points in shared memory first, and how many.
#pragma once

#include <cstddef>

#include "templates/block_size.cuh"
#include "templates/max_shared_bytes.cuh"

/// Rows of `row_bytes` bytes that a block stages in shared memory, one per thread. 0 if threads had
/// better read them in place: less than a warp of rows fits, or rows are shorter than a 32-byte
/// sector, so that neighbours share what they read.
unsigned staged_rows_for(std::size_t row_bytes) {
  const std::size_t warp = 32, least_bytes = 32;
  std::size_t rows = block_size;
  while (rows >= warp && rows * row_bytes > max_shared_bytes) rows /= 2;
  return row_bytes < least_bytes || rows < warp ? 0 : static_cast<unsigned>(rows);
}
