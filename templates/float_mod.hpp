// `%` on floats has the sign of the divisor.
#pragma once

#include <cmath>

/// x - floor(x / y) * y: fmod, which is exact, plus y if it does not have the sign of y.
template <typename T>
inline T float_mod(T x, T y) {
  const T rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
