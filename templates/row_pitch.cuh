// How far apart rows lie in shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

/// In elements of so many bytes: at least `width`, and an odd number of words, so that neighbouring
/// threads, each in its own row, are in different banks.
int64_t row_pitch(int64_t width, std::size_t elem_bytes) {
  const int64_t in_word = elem_bytes < 4 ? 4 / static_cast<int64_t>(elem_bytes) : 1;
  return ((width + in_word - 1) / in_word | 1) * in_word;
}
