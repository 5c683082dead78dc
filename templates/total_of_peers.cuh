// A reduction over the lanes of a warp that have the same cell.
#pragma once

#include "templates/warp_peers.cuh"

/// Returns the combined values of all lanes with the same cell to the first of them, and something
/// undefined to the others. `op` must be associative; the same lanes are always combined in the
/// same order. All lanes among which `peers` was found must call it.
template <typename T, typename Op>
__device__ T total_of_peers(const WarpPeers& peers, T value, Op op) {
  unsigned behind = peers.behind;  // lanes whose values are in no other lane's yet
  for (int round = 0; round < peers.rounds; ++round) {
    const int next = behind == 0 ? peers.lane : __ffs(static_cast<int>(behind)) - 1;
    const T other = static_cast<T>(__shfl_sync(peers.active, value, next));
    if (behind != 0) value = op(value, other);
    // Every second lane of those that are left is combined into the one before it now.
    behind &= __ballot_sync(peers.active, (peers.rank >> round) % 2 == 0);
  }
  return value;
}
