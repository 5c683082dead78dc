// Kernels whose threads need scratch memory have at most so many threads, and stride over the rest.
#pragma once

#include <cstdint>

/// Maximum number of threads of a kernel in which each needs scratch memory: about what the largest
/// devices keep resident.
constexpr int64_t max_threads = int64_t{1} << 18;
