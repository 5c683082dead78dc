// `sgn` of the integer types' modules.
#pragma once

/// -1, 0 or 1.
template <typename T>
inline T sign(T x) {
  return static_cast<T>((T{0} < x) - (x < T{0}));
}
