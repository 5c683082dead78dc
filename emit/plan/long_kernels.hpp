// Which kernels are long: compilers give their threads so many registers that a multiprocessor holds a single block, whose warps may all
// wait at a time.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Sets `Kernel::is_long` of kernels of more than 200 statements, those of functions counted wherever these are called. On an H200 the
/// gradient of RSBench, which has 155 registers a thread, took 708 ms, and 549 with two blocks at a time.
void mark_long_kernels(Program& program);

}  // namespace boustro::plan
