// How often atomics meet on a line of global memory, of 128 bytes.
#pragma once

#include <unordered_map>

#include "warp_requests.hpp"

namespace cuda_emulation {

/// The L2 cache takes what a warp asks for together sector by sector, and what is on the same address one after the other.
class LineAtomics {
 public:
  void add(int thread, void const* place, std::uintptr_t address);
  /// All lanes go on together from here: of the block, or of one warp. `most`: passes over the line that has most so far.
  void settle(std::uint64_t& most);
  void settle(int warp, std::uint64_t& most);
  /// Those that follow meet none of those before.
  void end_launch();

 private:
  void pass(WarpRequests::Units const& addresses, std::uint64_t& most);

  WarpRequests requests_{Cost::addresses};
  std::unordered_map<std::uint64_t, std::uint64_t> passes_;  // by line
};

}  // namespace cuda_emulation
