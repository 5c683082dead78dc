// Rounding without a call or an instruction that older machines lack, so that loops over it become
// vectors. Near 1.5 * 2^23 floats are the integers: adding that number rounds, and subtracting it
// is exact.
#pragma once

/// The integer nearest to x, the even one if there are two; |x| must be less than 2^22.
[[gnu::always_inline]] inline float nearest_integerf(float x) {
  const float shift = 0x1.8p23f;
  return (x + shift) - shift;
}
