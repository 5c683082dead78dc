// One value of several threads, whose neighbours have values of their own.
#pragma once

#include "templates/block_size.cuh"

/// Combines the values of the threads with the same threadIdx.x, whose number is a power of two,
/// always in the same order; each of them gets the result. All threads of the block have to call
/// it.
template <typename T, typename Op>
__device__ T combine_column(T value, Op op) {
  if (blockDim.y == 1) return value;
  __shared__ T values[block_size];
  T* const column = values + threadIdx.x;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    column[threadIdx.y * blockDim.x] = value;
    __syncthreads();
    if (threadIdx.y < half) value = op(value, column[(threadIdx.y + half) * blockDim.x]);
  }
  if (threadIdx.y == 0) column[0] = value;
  __syncthreads();
  return column[0];
}
