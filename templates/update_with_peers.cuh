// Warp-aggregated atomic updates by any operator: lanes that update the same cell do so together.
#pragma once

#include "templates/atomic_update.cuh"
#include "templates/total_of_peers.cuh"

/// Atomically sets `*cell` to op(*cell, value), together with the lanes that have the same cell.
/// `op` must be associative and commutative. All lanes among which `peers` was found must call it.
template <typename T, typename Op>
__device__ void update_with_peers(const WarpPeers& peers, T* cell, T value, Op op) {
  const T total = total_of_peers(peers, value, op);
  if (peers.rank == 0) atomic_update(cell, total, op);
}
