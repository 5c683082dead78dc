// `**` on integers, wrapping around as multiplication does.
#pragma once

#include "templates/wrapping_mul.hpp"

/// `base` to the power of `exponent`, which must not be negative, in O(log exponent) steps.
template <typename T>
inline T int_power(T base, T exponent) {
  T power = 1;
  for (; exponent > 0; exponent = static_cast<T>(exponent / 2)) {
    if (exponent % 2 == 1) power = wrapping_mul(power, base);
    base = wrapping_mul(base, base);
  }
  return power;
}
