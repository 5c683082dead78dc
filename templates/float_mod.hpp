// `%` on floats has the sign of the divisor.
#pragma once

#include <cmath>

/// x - floor(x / y) * y, exact: as fmod, but with the sign of y.
template <typename T>
inline T float_mod(T x, T y) {
  const T rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
