// What one run of a piece of straight code does, as the compiler left it. count_blocks/ writes one of these
// beside each piece that emulated threads run, and a call that names it at the piece's beginning.
#pragma once

#include <cstdint>

namespace cuda_emulation {

enum FloatType { f16, f32, f64, float_types };

/// Nothing but numbers of 32 bits: count_blocks/ writes them in this order.
struct CodeBlock {
  std::uint32_t instructions;  // of LLVM; calls that observe not among them, operations of warps as a GPU has them
  std::uint32_t chain;         // the longest of those each of which needs the one before
  std::uint32_t load_chain;    // the longest of loads, likewise
  std::uint32_t
      operations[float_types];  // add, subtract, multiply, fused multiply and add, minimum, round: one each
  std::uint32_t fused[float_types];    // those of `operations` that multiply and add
  std::uint32_t special[float_types];  // divisions, roots, calls of mathematical functions
  std::uint32_t tensor;                // multiplications with an addition of f64 on tensor cores, a lane's share of them
  std::uint32_t number;                // of those that have run, from 1 on; the counter gives it
};

}  // namespace cuda_emulation
