// Counts the accesses to one kind of memory.
#pragma once

#include <unordered_map>

#include "counts.hpp"
#include "warp_requests.hpp"

namespace cuda_emulation {

using Number = std::uint64_t Counts::*;

/// Where the numbers of loads or stores are; the last two where the requests of warps are counted.
struct AccessNumbers {
  Number accesses, bytes, requests = nullptr, cost = nullptr;
};

/// Counts loads or stores.
class AccessCounter {
 public:
  explicit AccessCounter(AccessNumbers numbers, Cost cost = Cost::sectors)
      : numbers_(numbers), requests_(cost) {}

  /// `place`: of the program, as `thread` of the block comes there.
  void add(Counts& counts, int thread, void const* place, std::uintptr_t address,
           std::size_t bytes);
  /// All lanes go on together from here: of the block, or of one warp.
  void settle(Counts& counts);
  void settle(Counts& counts, int warp);
  void end_launch() { requests_.forget(); }

 private:
  AccessNumbers numbers_;
  WarpRequests requests_;
};

/// Counts atomics, and how many of them meet.
class AtomicCounter {
 public:
  /// Without numbers it counts nothing: a thread's own memory has no atomics. Without `most` it does not count how many meet.
  explicit AtomicCounter(Number atomics, Number most = nullptr) : atomics_(atomics), most_(most) {}

  void add(Counts& counts, std::uintptr_t address);
  /// Those that follow meet none of those before.
  void part() { times_.clear(); }

 private:
  Number atomics_, most_;
  std::unordered_map<std::uintptr_t, std::uint64_t> times_;  // that each address was met
};

}  // namespace cuda_emulation
