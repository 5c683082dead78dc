// A power of two by its bits alone, so that loops over it become vectors.
#pragma once

#include <cstdint>

#include "templates/bits_as.hpp"

/// 2^n for an integer n from -127, for which it is 0, to 128, for which it is infinity.
[[gnu::always_inline]] inline float power_of_twof(float n) {
  // The lowest bits of this sum are n + 127, the biased exponent of a float.
  const float sum = n + (0x1.8p23f + 127);
  return bits_as<float>(bits_as<uint32_t>(sum) << 23);
}
