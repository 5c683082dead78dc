// One value of several threads, which are next to each other in a block.
#pragma once

#include "templates/block_size.cuh"

/// Combines the values of the threads of a row, which have the same threadIdx.y: a power of two
/// of them, always in the same order. Returns the result to each. All threads of the block must
/// call it.
template <typename T, typename Op>
__device__ T combine_row(T value, Op op) {
  if (blockDim.x == 1) return value;
  __shared__ T values[block_size];
  T* const row = values + threadIdx.y * blockDim.x;
  row[threadIdx.x] = value;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) row[threadIdx.x] = op(row[threadIdx.x], row[threadIdx.x + half]);
  }
  __syncthreads();
  const T result = row[0];
  __syncthreads();  // all threads have read it
  return result;
}
