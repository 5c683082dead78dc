// The smaller of two integers, for functions of both sides.
#pragma once

/// The smaller one; CUDA's min is the device's, std::min the host's.
template <typename T>
__host__ __device__ T smaller_of(T x, T y) {
  return y < x ? y : x;
}
