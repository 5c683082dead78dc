// A reduction over a warp, whose result all threads get.
#pragma once

#include <cub/warp/warp_reduce.cuh>

#include "templates/block_size.cuh"

/// The values of all threads of a warp, combined by op, in one-dimensional blocks. Reached by all
/// threads.
template <typename T, typename Op>
__device__ T warp_reduce(T value, Op op) {
  using WarpReduce = cub::WarpReduce<T>;
  constexpr int warps = block_size / 32;
  __shared__ typename WarpReduce::TempStorage storage[warps];
  __shared__ T warp_totals[warps];
  const unsigned warp = threadIdx.x / 32;

  const T total = WarpReduce(storage[warp]).Reduce(value, op);
  if (threadIdx.x % 32 == 0) warp_totals[warp] = total;  // the other threads' `total` is undefined
  __syncwarp();                                          // the warp's total is complete
  const T result = warp_totals[warp];
  __syncwarp();  // all have read it, before the next call writes
  return result;
}
