// Conversion of floats to integers, which C++ leaves undefined for values out of range.
#pragma once

#include <climits>
#include <cmath>
#include <cstdint>
#include <type_traits>

/// x rounded towards zero; 0 for NaN and the infinities. Beyond the range of 64 bits, or of int,
/// the result is the nearest such integer; narrower types and unsigned keep the low bits of 64.
template <typename Integer, typename Float>
inline Integer to_integer(Float x) {
  if (std::isnan(x) || std::isinf(x)) return 0;
  if constexpr (std::is_same_v<Integer, int>) {
    if (x >= static_cast<Float>(0x1p31)) return INT_MAX;
    return x < static_cast<Float>(-0x1p31) ? INT_MIN : static_cast<int>(x);
  }
  const Float limit = static_cast<Float>(0x1p63);
  if (x < -limit) return static_cast<Integer>(INT64_MIN);
  if (x < limit) return static_cast<Integer>(static_cast<int64_t>(x));
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == 8) {
    return x < 2 * limit ? static_cast<Integer>(x) : static_cast<Integer>(UINT64_MAX);
  }
  return static_cast<Integer>(INT64_MAX);
}
