// Three programs as plans, written down by hand: what the printers are held to.
#pragma once

#include "emit/plan/plan.hpp"

namespace exemplars {

/// Two kernels, atomics, shared memory, two-dimensional blocks.
boustro::plan::Program kmeans();
/// Scans by CUB, with operators and with inputs and outputs that are functions of the index.
boustro::plan::Program recurrence();
/// Loops in a thread, scratch memory per thread.
boustro::plan::Program ode();
/// Every statement that only CUDA has, without a meaning.
boustro::plan::Program parallel();

}  // namespace exemplars
