// Counts what threads compute, and how many lanes of their warps go along.
//
// The pieces of code that lanes run together are put together as accesses are (warp_requests.hpp): the k-th
// run of a piece since the last barrier is taken to be one of the whole warp, by as many lanes as run it that
// often.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "code_block.hpp"
#include "counts.hpp"

namespace cuda_emulation {

class LaneCounter {
 public:
  void run(Counts& counts, int thread, CodeBlock& code);
  /// The thread loads from global memory.
  void load(int thread);
  /// All lanes go on together from here: of the block, or of one warp.
  void settle(Counts& counts);
  void settle(Counts& counts, int warp);
  /// No warp goes on.
  void end_block(Counts& counts);

 private:
  static constexpr int lanes = 32;
  /// How often each lane of a warp has run a piece of code.
  struct Runs {
    CodeBlock const* code = nullptr;
    std::array<std::uint32_t, lanes> times{};
    std::array<std::uint32_t, lanes> loading{};  // those in which it has loaded from global memory
  };
  struct Warp {
    std::vector<Runs> runs;              // by the number of the code
    std::vector<std::uint32_t> started;  // those that any lane has run
    std::uint64_t instructions = 0, chain = 0;  // since the block began
    std::array<CodeBlock const*, lanes> now{};  // what each lane runs, until it has loaded something
  };

  static Runs& runs_of(Warp& warp, CodeBlock const& code);
  void settle(Counts& counts, Warp& warp);

  std::vector<Warp> warps_;
  std::uint32_t codes_ = 0;  // that have run so far
};

}  // namespace cuda_emulation
