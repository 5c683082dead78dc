// `mul_hi` of each integer type's module.
#pragma once

#include <cstdint>
#include <type_traits>

#include "templates/multiply_high_u64.hpp"

/// The upper half of the product of x and y, which has twice as many bits as they.
template <typename T>
inline T multiply_high(T x, T y) {
  const auto x_bits = static_cast<uint64_t>(x);
  const auto y_bits = static_cast<uint64_t>(y);
  if (sizeof(T) < 8) return static_cast<T>(x_bits * y_bits >> 8 * sizeof(T) % 64);
  uint64_t high = multiply_high_u64(x_bits, y_bits);
  if constexpr (std::is_signed_v<T>) {
    // Read as unsigned, a negative factor is too large by 2^64, and the upper half of the product
    // by the other factor.
    high -= (x < 0 ? y_bits : 0) + (y < 0 ? x_bits : 0);
  }
  return static_cast<T>(high);
}
