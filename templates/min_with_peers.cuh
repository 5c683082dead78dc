// Warp-aggregated atomic minima: lanes of a warp that update the same cell do so together.
#pragma once

#include "templates/atomic_min.cuh"
#include "templates/total_of_peers.cuh"

/// Atomically sets `*cell`, an integer, to the smaller of `*cell` and `value`, together with the
/// lanes that have the same cell. All lanes among which `peers` was found must call it.
template <typename T>
__device__ void min_with_peers(const WarpPeers& peers, T* cell, T value) {
  const T total = total_of_peers(peers, value, [](T x, T y) { return x < y ? x : y; });
  if (peers.rank != 0) return;
  if constexpr (sizeof(T) == 4) {
    atomicMin(cell, total);
  } else {
    atomic_min(cell, total);
  }
}
