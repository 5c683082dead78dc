// Atomic updates by any operator, of which lanes of a warp make those of the same cell together.
#pragma once

#include "templates/atomic_update.cuh"
#include "templates/total_of_peers.cuh"

/// *cell = op(*cell, value), atomically, by all lanes that `peers` are found of. `op` associates
/// and commutes.
template <typename T, typename Op>
__device__ void update_with_peers(const WarpPeers& peers, T* cell, T value, Op op) {
  const T total = total_of_peers(peers, value, op);
  if (peers.rank == 0) atomic_update(cell, total, op);
}
