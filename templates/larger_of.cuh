// The larger of two integers, for functions of both sides.
#pragma once

/// The larger one; CUDA's max is the device's, std::max the host's.
template <typename T>
__host__ __device__ T larger_of(T x, T y) {
  return x < y ? y : x;
}
