// Which lanes of a warp combine something with the same cell at the same time.
//
// Lanes that add to one cell one by one wait for each other. So those that come here together find out which of them have the same cell,
// combine what they have for it, and one of them adds that: warp-aggregated atomics. Matches of addresses among the lanes that happen to
// be active are NVIDIA's "opportunistic warp-level programming" (Lin and Grover, Using CUDA Warp-Level Primitives, 2018); lanes are
// combined pair by pair as in Westphal, Voting and Shuffling to Optimize Atomic Operations (NVIDIA, 2015).
//
// Since Volta the lanes of a warp may diverge anywhere. __activemask() says which ones are here now, all of these get the same
// answer, and each operation with this mask waits for all of them: they only have to go the same way in between.
#pragma once

#include <cstdint>

/// For a lane of a warp: which lanes update the same cell, and its place among them.
struct WarpPeers {
  unsigned active;  // lanes that called warp_peers together, whatever their cells are
  unsigned behind;  // those of them behind this lane that have the same cell
  int lane, rank;   // number of this lane, and of lanes with the same cell before it
  int rounds;       // rounds in which the largest group is combined pair by pair
};

/// Finds the active lanes that have the same `cell`; if not `together`, each lane is on its own.
__device__ WarpPeers warp_peers(const void* cell, bool together = true) {
  const int lane = static_cast<int>((threadIdx.y * blockDim.x + threadIdx.x) % 32);
  if (!together) return {0, 0, lane, 0, 0};
  const unsigned active = __activemask(), before = (1u << lane) - 1,
                 peers = __match_any_sync(active, static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(cell)));
  const int rank = __popc(peers & before);
  int rounds = 0;
  while (__any_sync(active, rank >> rounds != 0)) ++rounds;
  return {active, peers & ~before & ~(1u << lane), lane, rank, rounds};
}
