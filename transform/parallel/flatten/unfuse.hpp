// A fused reduction or scan taken apart again, where no library call can do all of it at once.
#pragma once

#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// A map whose results are stored, then one reduction for each operator.
std::vector<ir::Stm> unfused(const ir::Stm& stm, const ir::MapReduce& e, ir::Names& names);

/// A map whose results are stored, then one scan for each operator.
std::vector<ir::Stm> unfused(const ir::Stm& stm, const ir::MapScan& e, ir::Names& names);

}  // namespace boustro::parallel
