// Scans whose results are wanted once: the map that reads them can take them as the scan yields
// them, so that they are never stored.
#pragma once

#include <optional>
#include <vector>

#include "emit/plan/planner/context.hpp"

namespace boustro::plan::planner {

/// A scan and the map that alone reads its results, forwards or, through slices, backwards.
struct ScanConsumer {
  const ir::Stm* scan = nullptr;
  const ir::Stm* map = nullptr;
  std::vector<const ir::Stm*> slices = {};
  bool reversed = false;
  /// For each array of the map: which result of the scan it is, if any.
  std::vector<std::optional<std::size_t>> component = {};
};

/// Those among these statements where the scan can wait until the map: nothing is consumed in
/// between. The map computes scalars from scalars, and no scan or map is in two of them.
std::vector<ScanConsumer> scan_consumers(const std::vector<ir::Stm>& stms, const Context& context);

/// xs[n - 1 : -1 : -1] for xs of n elements: all of them, the last one first.
bool is_reversal(const ir::Index& index, const ir::Names& names);

}  // namespace boustro::plan::planner
