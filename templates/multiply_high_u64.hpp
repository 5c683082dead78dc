// The building block of `mul_hi` for 64-bit integers.
#pragma once

#include <cstdint>

/// The upper 64 bits of the product of x and y, computed by four products of 32 bits.
inline uint64_t multiply_high_u64(uint64_t x, uint64_t y) {
  const uint64_t low = 0xffffffff;
  const uint64_t low_low = (x & low) * (y & low);
  const uint64_t high_low = (x >> 32) * (y & low) + (low_low >> 32);
  const uint64_t low_high = (x & low) * (y >> 32) + (high_low & low);
  return (x >> 32) * (y >> 32) + (high_low >> 32) + (low_high >> 32);
}
