// CUDA adds 64-bit integers atomically as `unsigned long long` only.
#pragma once

/// *cell += value, atomically. In two's complement signed and unsigned addition are the same.
template <typename T>
__device__ void atomic_add_64(T* cell, T value) {
  static_assert(sizeof(T) == 8, "a 64-bit integer");
  atomicAdd(reinterpret_cast<unsigned long long*>(cell), static_cast<unsigned long long>(value));
}
