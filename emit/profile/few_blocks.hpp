// Kernels that get no more blocks, however long arrays are.
#pragma once

#include <vector>

#include "emit/plan/plan.hpp"
#include "emit/run/counts.hpp"

namespace boustro::profile {

/// Where threads stride over light points (templates/few_blocks_for.cuh), samples of few points say that blocks grow with them: from some
/// size on they do not.
void limit_blocks(std::vector<run::CountedWork>& extrapolated, const plan::Program& program);

}  // namespace boustro::profile
