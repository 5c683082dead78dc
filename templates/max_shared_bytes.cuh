// A copy of an accumulator per block is made only where it fits.
#pragma once

#include <cstddef>

/// Shared memory that a block may use without opting in to more.
constexpr std::size_t max_shared_bytes = 48 * 1024;
