// Arrays inside a row are indexed by `int`; the entry checks their sizes once.
#pragma once

#include <cstdint>

/// Maximum size of arrays that are indexed by `int`: one stride past the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;
