// Atomic maximums of which lanes of a warp make those of the same cell together.
#pragma once

#include "templates/atomic_max.cuh"
#include "templates/total_of_peers.cuh"

/// *cell = the larger of *cell and value, integers, atomically, by all lanes that `peers` are found
/// of.
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
