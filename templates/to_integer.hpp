// Conversion of floats to integers. C++ leaves it undefined for values out of range.
#pragma once

#include <cmath>

/// x rounded towards zero; 0 for NaN and the infinities, the nearest integer for values out of range.
template <typename Integer, typename Float>
inline Integer to_integer(Float x) {
  if (std::isnan(x) || std::isinf(x)) return 0;
  return static_cast<Integer>(x);
}
