// The distance between rows in shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

/// Distance between staged rows, in elements: `width` rounded up to an odd number of elements, or
/// of words of narrower ones, so that the rows of neighbouring threads are in different banks.
int64_t row_pitch(int64_t width, std::size_t elem_bytes) {
  const int64_t in_word = elem_bytes < 4 ? 4 / static_cast<int64_t>(elem_bytes) : 1;
  return ((width + in_word - 1) / in_word | 1) * in_word;
}
