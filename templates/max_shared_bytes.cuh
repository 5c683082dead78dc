// The shared memory of a block: a private copy of an accumulator is made only where it fits.
#pragma once

#include <cstddef>

/// Bytes of shared memory that a block may use without opting in to more.
constexpr std::size_t max_shared_bytes = 48 * 1024;
