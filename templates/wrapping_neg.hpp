// `-x` on integers wraps around for the least number; C++ leaves that undefined.
#pragma once

#include <cstdint>

/// -x, wrapping around.
template <typename T>
inline T wrapping_neg(T x) {
  return static_cast<T>(0 - static_cast<uint64_t>(x));
}
