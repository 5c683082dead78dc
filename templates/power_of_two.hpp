// A power of two by its bits alone, so that loops over it become vectors.
#pragma once

#include <cstdint>

#include "templates/bits_as.hpp"

/// 2^n for an integer n from -1023, for which it is 0, to 1024, for which it is infinity.
[[gnu::always_inline]] inline double power_of_two(double n) {
  // The lowest bits of this sum are n + 1023, the biased exponent of a double.
  const double sum = n + (0x1.8p52 + 1023);
  return bits_as<double>(bits_as<uint64_t>(sum) << 52);
}
