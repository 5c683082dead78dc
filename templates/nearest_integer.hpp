// Rounding without a call or an instruction that older machines lack, so that loops over it become
// vectors. Near 1.5 * 2^52 doubles are the integers: adding that number rounds, and subtracting it
// is exact.
#pragma once

/// The integer nearest to x, the even one if there are two; |x| must be less than 2^51.
[[gnu::always_inline]] inline double nearest_integer(double x) {
  const double shift = 0x1.8p52;
  return (x + shift) - shift;
}
