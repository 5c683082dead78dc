// Conversion of floats to integers, which C++ leaves undefined for values out of range.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

/// x rounded towards zero; 0 for NaN and the infinities. Out of range of 64 bits it becomes the
/// nearest such integer; narrower types keep the low bits of that.
template <typename Integer, typename Float>
inline Integer to_integer(Float x) {
  if (std::isnan(x) || std::isinf(x)) return 0;
  const Float limit = static_cast<Float>(0x1p63);
  if (x < -limit) return static_cast<Integer>(INT64_MIN);
  if (x < limit) return static_cast<Integer>(static_cast<int64_t>(x));
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == 8) {
    return x < 2 * limit ? static_cast<Integer>(x) : static_cast<Integer>(UINT64_MAX);
  }
  return static_cast<Integer>(INT64_MAX);
}
