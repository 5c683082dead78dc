// Atomic maximums of which lanes of a warp make those of the same cell together.
#pragma once

#include <cmath>
#include <type_traits>

#include "templates/atomic_max.cuh"
#include "templates/total_of_peers.cuh"

/// *cell = the larger of *cell and value, atomically, by all lanes that `peers` are found of; of floats the other one if one is NaN.
template <typename T>
__device__ void max_with_peers(const WarpPeers& peers, T* cell, T value) {
  const T total = total_of_peers(peers, value, [](T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return fmax(x, y);
    } else {
      return x < y ? y : x;
    }
  });
  if (peers.rank != 0) return;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
    atomicMax(cell, total);
  } else {
    atomic_max(cell, total);
  }
}
