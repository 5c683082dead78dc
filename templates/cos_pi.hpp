// `cospi`: the angle in half turns. It is reduced before the multiplication by pi, which would cost
// large ones their digits.
#pragma once

#include <cmath>

/// cos(pi * x)
template <typename T>
inline T cos_pi(T x) {
  using std::cos;
  using std::fabs;
  using std::rint;
  using std::sin;
  const T pi = static_cast<T>(3.14159265358979323846);
  const T turn = fabs(x - 2 * rint(x / 2));  // in [0, 1], and the same cosine
  return turn <= T(0.25) ? cos(pi * turn) : sin(pi * (T(0.5) - turn));
}
