// Atomic minimums of which lanes of a warp make those of the same cell together.
#pragma once

#include "templates/atomic_min.cuh"
#include "templates/total_of_peers.cuh"

/// *cell = the smaller of *cell and value, integers, atomically, by all lanes that `peers` are
/// found of.
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
