// The smaller of two integers, for functions of both sides.
#pragma once

/// Returns the smaller one; CUDA's min serves only the device, std::min only the host.
template <typename T>
__host__ __device__ T smaller_of(T x, T y) {
  return y < x ? y : x;
}
