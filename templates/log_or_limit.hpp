// What logarithms are where no formula tells, by selections.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "templates/bits_as.hpp"
#include "templates/select_by_sign.hpp"

/// The logarithm of x: `log` if x is positive and finite, otherwise what the library has.
template <typename T>
[[gnu::always_inline]] inline T log_or_limit(T x, T log) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  // As integers, infinity and NaN are more than the largest number.
  const T finite = bits_as<T>(bits_as<Bits>(Limits::max()) - bits_as<Bits>(x));
  const T or_infinite = select_by_sign(finite, x, log);
  const T or_negative = select_by_sign(x, Limits::quiet_NaN(), or_infinite);
  return select_by_sign(std::fabs(x) - Limits::denorm_min(), -Limits::infinity(), or_negative);
}
