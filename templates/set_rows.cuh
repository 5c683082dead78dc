// Arrays of two dimensions that a thread keeps in registers.
#pragma once

#include <cstddef>

#include "templates/set_all.cuh"

/// Sets all elements of a two-dimensional array in registers to `value`.
template <typename T, std::size_t rows, std::size_t columns, typename Value>
__device__ void set_rows(T (&values)[rows][columns], Value value) {
#pragma unroll
  for (std::size_t r = 0; r < rows; ++r) set_all(values[r], value);
}
