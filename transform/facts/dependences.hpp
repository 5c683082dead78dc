// Dependences between iterations of a loop that updates parts of an array: how far apart the iteration that writes an element is from
// one that reads it.
#pragma once

#include "transform/facts/history.hpp"
#include "transform/facts/sizes.hpp"

namespace boustro::facts {

/// A read of some version of the array, and a write that may be to the same element.
struct Dependence {
  const ir::Stm* write;  // an Update
  const ir::Stm* read;   // an Index
  /// The iteration that reads, less the one that writes, wherever they meet; nothing if that differs or is not known. Positive: the value
  /// comes from an earlier iteration. 0: both are in one. Negative: what is read is overwritten later.
  std::optional<std::int64_t> distance;
};

/// Of parameter number `param` of a for loop, in the order of the body, writes first; pairs that never meet are left out. Nothing if the
/// loop does more to the array than to read and to update elements, rows and slices, in branches and inner loops too; of slices only the
/// indices beside them tell. `sizes`: what is known outside of the loop.
std::optional<std::vector<Dependence>> dependences_of(const ir::Loop& loop, std::size_t param,
                                                      const Sizes& sizes = {});

}  // namespace boustro::facts
