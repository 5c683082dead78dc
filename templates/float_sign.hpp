// `sgn` of the float types' modules.
#pragma once

#include <cmath>

/// The sign of x: -1, 0 or 1; NaN for NaN.
template <typename T>
inline T float_sign(T x) {
  return std::isnan(x) ? x : static_cast<T>((0 < x) - (x < 0));
}
