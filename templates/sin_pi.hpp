// `sinpi`: the angle in half turns. It is reduced before the multiplication by pi, which would cost
// large ones their digits.
#pragma once

#include <cmath>

/// sin(pi * x)
template <typename T>
inline T sin_pi(T x) {
  using std::rint;
  using std::sin;
  const T pi = static_cast<T>(3.14159265358979323846);
  const T turn = x - 2 * rint(x / 2);  // in [-1, 1], and the same sine
  if (turn > T(0.5)) return sin(pi * (1 - turn));
  if (turn < T(-0.5)) return sin(pi * (-1 - turn));
  return sin(pi * turn);
}
