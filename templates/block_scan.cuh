// An inclusive scan over a block.
#pragma once

#include <cub/block/block_scan.cuh>

#include "templates/block_size.cuh"

/// The values of the threads of a one-dimensional block up to the own one, combined by op. Reached
/// by all threads.
template <typename T, typename Op>
__device__ T block_scan(T value, Op op) {
  using BlockScan = cub::BlockScan<T, block_size>;
  __shared__ typename BlockScan::TempStorage storage;

  T result;
  BlockScan(storage).InclusiveScan(value, result, op);
  __syncthreads();  // `storage` is free for the next call
  return result;
}
