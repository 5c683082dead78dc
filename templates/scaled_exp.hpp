// exp without branches or calls, so that loops over it become vectors. Overflow and underflow come
// about by themselves in the last multiplications, of which only the last one rounds.
//
// Method  exp(x) = 2^n * exp(r), where n is the integer next to x / log(2) and r = x - n * log(2)
//         [Cody and Waite, Software Manual for the Elementary Functions, 1980, chapter 6]: n times
//         the upper 40 bits of log(2) is exact
#pragma once

#include <cmath>

#include "templates/exp_tail.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/nearest_integer.hpp"
#include "templates/power_of_two.hpp"
#include "templates/select_by_sign.hpp"

/// exp(x) * 2^shift for an integer |shift| <= 8; error below 1 ulp.
[[gnu::always_inline]] inline double scaled_exp(double x, double shift) {
  const double inverse_log2 = 0x1.71547652b82fep+0;  // 1 / log(2)
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const double magnitude = magnitude_of(x);
  const double limit = 752.0;  // beyond it the result is 0 or infinity
  const double bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const double n = nearest_integer(bounded * inverse_log2);
  const double r = (bounded - n * log2_upper) - n * log2_lower;
  const double power = 1.0 + (r + r * r * exp_tail(r));
  const double half = nearest_integer(0.5 * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_two(half) * power_of_two(n - half + shift);
}
