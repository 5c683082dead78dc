// A reduction over a block, whose result all threads get.
#pragma once

#include <cub/block/block_reduce.cuh>

#include "templates/block_size.cuh"

/// The values of all threads of a one-dimensional block, combined by op. Reached by all threads.
template <typename T, typename Op>
__device__ T block_reduce(T value, Op op) {
  using BlockReduce = cub::BlockReduce<T, block_size>;
  __shared__ typename BlockReduce::TempStorage storage;
  __shared__ T block_total;

  const T total = BlockReduce(storage).Reduce(value, op);
  if (threadIdx.x == 0) block_total = total;  // the other threads' `total` is undefined
  __syncthreads();                            // block_total is complete
  const T result = block_total;
  __syncthreads();  // all have read it, before the next call writes
  return result;
}
