// Warp-aggregated atomic additions: lanes of a warp that add to the same cell do so together.
#pragma once

#include <type_traits>

#include "templates/atomic_add.cuh"
#include "templates/total_of_peers.cuh"
#include "templates/wrapping_add.hpp"

/// Atomically adds `value` to `*cell`, together with the lanes that have the same cell; integers
/// wrap around. All lanes among which `peers` was found must call it.
template <typename T>
__device__ void add_with_peers(const WarpPeers& peers, T* cell, T value) {
  const T total = total_of_peers(peers, value, [](T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      return wrapping_add(x, y);
    } else {
      return x + y;
    }
  });
  if (peers.rank != 0) return;
  if constexpr (std::is_integral_v<T> && sizeof(T) != 4) {
    atomic_add(cell, total);
  } else {
    atomicAdd(cell, total);
  }
}
