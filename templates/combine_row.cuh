// One value of several threads, which are next to each other in a block.
#pragma once

#include "templates/block_size.cuh"

/// Combines the values of the threads with the same threadIdx.y, whose number is a power of two,
/// always in the same order; each of them gets the result. All threads of the block have to call
/// it.
template <typename T, typename Op>
__device__ T combine_row(T value, Op op) {
  if (blockDim.x == 1) return value;
  __shared__ T values[block_size];
  T* const row = values + threadIdx.y * blockDim.x;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    row[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x < half) value = op(value, row[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) row[0] = value;
  __syncthreads();
  return row[0];
}
