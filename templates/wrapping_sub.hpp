// `-` on signed integers, and on integers narrower than `int`, wraps around where it overflows; C++
// leaves that undefined.
#pragma once

#include <cstdint>

/// x - y, wrapping around: unsigned arithmetic has the same low bits.
template <typename T>
inline T wrapping_sub(T x, T y) {
  return static_cast<T>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
}
