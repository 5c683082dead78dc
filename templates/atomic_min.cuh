// An atomic minimum for the types that CUDA has none for.
#pragma once

#include <cmath>
#include <type_traits>

#include "templates/atomic_update.cuh"

/// Atomically sets `*cell` to the smaller of `*cell` and `value`; a number wins over a NaN.
template <typename T>
__device__ void atomic_min(T* cell, T value) {
  atomic_update(cell, value, [](T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return fmin(x, y);
    } else {
      return x < y ? x : y;
    }
  });
}
