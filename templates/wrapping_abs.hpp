// `abs` on integers: the least number has no positive counterpart and stays as it is.
#pragma once

#include "templates/wrapping_neg.hpp"

/// The absolute value of x, wrapping around.
template <typename T>
inline T wrapping_abs(T x) {
  return x < 0 ? wrapping_neg(x) : x;
}
