// The values of logarithms where no formula holds, by selections.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "templates/bits_as.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// Returns `log` if x is positive and finite, otherwise the library's result: NaN or an infinity.
template <typename T>
[[gnu::always_inline]] inline T log_or_limit(T x, T log) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  // The bits of infinity and NaN are, as integers, more than those of the largest number.
  const T finite = bits_as<T>(bits_as<Bits>(Limits::max()) - bits_as<Bits>(x));
  const T or_infinite = select_by_sign(finite, x, log);
  const T or_negative = select_by_sign(x, Limits::quiet_NaN(), or_infinite);
  return select_by_sign(magnitude_of(x) - Limits::denorm_min(), -Limits::infinity(), or_negative);
}
