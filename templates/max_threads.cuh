// A kernel whose threads need scratch strides over this many threads at most.
#pragma once

#include <cstdint>

/// About what the largest devices keep resident. Bounds scratch memory that every thread has.
constexpr int64_t max_threads = int64_t{1} << 18;
