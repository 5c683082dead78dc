// `//` on signed integers. Only the least number divided by -1 needs care: it wraps around.
#pragma once

#include "templates/wrapping_neg.hpp"

/// x / y, rounded towards zero.
template <typename T>
inline T truncating_div(T x, T y) {
  return y == -1 ? wrapping_neg(x) : static_cast<T>(x / y);
}
