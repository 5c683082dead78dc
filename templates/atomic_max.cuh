// An atomic maximum for the types that CUDA has none for.
#pragma once

#include <cmath>
#include <type_traits>

#include "templates/atomic_update.cuh"

/// Atomically sets `*cell` to the larger of `*cell` and `value`; a number wins over a NaN.
template <typename T>
__device__ void atomic_max(T* cell, T value) {
  atomic_update(cell, value, [](T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return fmax(x, y);
    } else {
      return x < y ? y : x;
    }
  });
}
