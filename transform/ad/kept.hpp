// What return sweeps read of forward sweeps: the memory that a derivative costs. `boustro derive --memory` prints it; MEMORY.md says how to
// keep less.
#pragma once

#include <string>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ad {

/// An array that a forward sweep computes and the return sweep of the same body reads, or that the former finds out about the steps of a
/// loop (a log, states).
struct KeptArray {
  ir::Param array;
  ir::Provenance origin;
  /// The statements around it, from the outside: maps, of which each point keeps its own, and loops, of which each step does.
  std::vector<const ir::Stm*> around;

  /// The extents that are not numbers, the ones that are multiplied with the bytes of an element.
  std::vector<std::string> factors() const;
  std::int64_t bytes() const;
};

/// Of a function whose derivatives are worked out, before anything is fused: the largest first, as far as the numbers of factors tell.
/// Arrays that are only seen otherwise, or that need no memory (iota, replicate), do not count. Refers to the function.
std::vector<KeptArray> kept_arrays(const ir::Function& function);

/// The function has a return sweep.
bool has_return_sweep(const ir::Function& function);

}  // namespace boustro::ad
