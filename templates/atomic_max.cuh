// An atomic maximum of 64-bit integers, which CUDA knows as `long long` and `unsigned long long` only.
#pragma once

#include <type_traits>

/// Atomically sets `*cell`, of 64 bits, to the larger of `*cell` and `value`.
template <typename T>
__device__ void atomic_max(T* cell, T value) {
  using Word = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
  atomicMax(reinterpret_cast<Word*>(cell), static_cast<Word>(value));
}
