// Warp-aggregated atomic maxima: lanes of a warp that update the same cell do so together.
#pragma once

#include "templates/atomic_max.cuh"
#include "templates/total_of_peers.cuh"

/// Atomically sets `*cell`, an integer, to the larger of `*cell` and `value`, together with the
/// lanes that have the same cell. All lanes among which `peers` was found must call it.
template <typename T>
__device__ void max_with_peers(const WarpPeers& peers, T* cell, T value) {
  const T total = total_of_peers(peers, value, [](T x, T y) { return x < y ? y : x; });
  if (peers.rank != 0) return;
  if constexpr (sizeof(T) == 4) {
    atomicMax(cell, total);
  } else {
    atomic_max(cell, total);
  }
}
