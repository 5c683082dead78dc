// One value of several threads, whose neighbours have values of their own.
#pragma once

#include "templates/block_size.cuh"

/// Combines the values of the threads of a column, which have the same threadIdx.x: a power of two
/// of them, always in the same order. Returns the result to each. All threads of the block must
/// call it.
template <typename T, typename Op>
__device__ T combine_column(T value, Op op) {
  if (blockDim.y == 1) return value;
  __shared__ T values[block_size];
  T* const column = values + threadIdx.x;
  T& own = column[threadIdx.y * blockDim.x];
  own = value;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) own = op(own, column[(threadIdx.y + half) * blockDim.x]);
  }
  __syncthreads();
  const T result = column[0];
  __syncthreads();  // all threads have read it
  return result;
}
