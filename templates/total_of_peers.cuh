// What the lanes of a warp that have the same cell have for it, all combined.
#pragma once

#include "templates/warp_peers.cuh"

/// By the first of each group; what others get means nothing. `op` may combine in any order; it is
/// the same one for the same lanes.
template <typename T, typename Op>
__device__ T total_of_peers(const WarpPeers& peers, T value, Op op) {
  unsigned behind = peers.behind;  // those whose values are in nobody else's yet
  for (int round = 0; round < peers.rounds; ++round) {
    const int next = behind == 0 ? peers.lane : __ffs(static_cast<int>(behind)) - 1;
    const T other = static_cast<T>(__shfl_sync(peers.active, value, next));
    if (behind != 0) value = op(value, other);
    // Each second lane of those that are left is in the one before it now.
    behind &= __ballot_sync(peers.active, (peers.rank >> round) % 2 == 0);
  }
  return value;
}
