// `%` on signed integers has the sign of the divisor.
#pragma once

/// x - floor(x / y) * y: the remainder that has the sign of y.
template <typename T>
inline T floor_mod(T x, T y) {
  if (y == -1) return T{0};
  const T rest = static_cast<T>(x % y);
  return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
}
