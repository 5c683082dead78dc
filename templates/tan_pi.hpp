// `tanpi`: the angle in half turns. It is reduced before the multiplication by pi, which would cost
// large ones their digits.
#pragma once

#include <cmath>

/// tan(pi * x)
template <typename T>
inline T tan_pi(T x) {
  using std::copysign;
  using std::fabs;
  using std::rint;
  using std::tan;
  const T pi = static_cast<T>(3.14159265358979323846);
  const T turn = x - rint(x);  // in [-0.5, 0.5], and the same tangent
  if (fabs(turn) <= T(0.25)) return tan(pi * turn);
  return copysign(1 / tan(pi * (T(0.5) - fabs(turn))), turn);
}
