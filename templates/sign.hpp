// `sgn` of the integer types' modules.
#pragma once

#include <type_traits>

/// The sign of x: -1, 0 or 1.
template <typename T>
inline T sign(T x) {
  const int positive = x > 0;
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(positive - (x < 0));
  } else {
    return static_cast<T>(positive);
  }
}
