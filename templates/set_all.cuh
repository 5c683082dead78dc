// Arrays that a thread keeps in registers.
#pragma once

#include <cstddef>

/// Sets all elements of an array in registers to `value`.
template <typename T, std::size_t size, typename Value>
__device__ void set_all(T (&values)[size], Value value) {
#pragma unroll
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(value);
}
