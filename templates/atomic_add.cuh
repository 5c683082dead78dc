// Atomic addition for the integers that CUDA has none for: 64-bit ones, which it adds as `unsigned
// long long` only, and those narrower than `int`.
#pragma once

#include "templates/atomic_update.cuh"

/// Atomically adds `value` to `*cell`, wrapping around: in two's complement signed and unsigned
/// addition are the same.
template <typename T>
__device__ void atomic_add(T* cell, T value) {
  if constexpr (sizeof(T) == 8) {
    atomicAdd(reinterpret_cast<unsigned long long*>(cell), static_cast<unsigned long long>(value));
  } else {
    atomic_update(cell, value, [](T x, T y) { return static_cast<T>(x + y); });
  }
}
