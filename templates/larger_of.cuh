// The larger of two integers, for functions of both sides.
#pragma once

/// Returns the larger one; CUDA's max serves only the device, std::max only the host.
template <typename T>
__host__ __device__ T larger_of(T x, T y) {
  return x < y ? y : x;
}
