// `/` on signed integers rounds towards minus infinity. Exact for every divisor but 0; the least
// number divided by -1 wraps around, as all integer arithmetic of the language does.
#pragma once

#include "templates/wrapping_neg.hpp"

/// x / y, rounded towards minus infinity.
template <typename T>
inline T floor_div(T x, T y) {
  if (y == -1) return wrapping_neg(x);
  const T quotient = static_cast<T>(x / y);
  const bool exact = quotient * y == x;
  return exact || (x < 0) == (y < 0) ? quotient : static_cast<T>(quotient - 1);
}
