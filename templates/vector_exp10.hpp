// exp10 of doubles for loops that are to become vectors.
//
// Method  10^x = 2^n * exp(r), where n is the integer next to x * log2(10) and r = (x - n *
//         log10(2)) * log(10); n times the upper 40 bits of log10(2) is exact. See scaled_exp
#pragma once

#include <cmath>

#include "templates/exp_tail.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/nearest_integer.hpp"
#include "templates/power_of_two.hpp"
#include "templates/select_by_sign.hpp"

/// 10^x, without branches or calls; error below 1.5 ulp.
[[gnu::always_inline]] inline double vector_exp10(double x) {
  const double log2_10 = 0x1.a934f0979a371p+1, log_10 = 0x1.26bb1bbb55516p+1;
  const double log10_2_upper = 0x1.34413509f8p-2, log10_2_lower = -0x1.80433b83b532ap-44;
  const double magnitude = magnitude_of(x);
  const double limit = 326.0;  // beyond it the result is 0 or infinity
  const double bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const double n = nearest_integer(bounded * log2_10);
  const double r = ((bounded - n * log10_2_upper) - n * log10_2_lower) * log_10;
  const double power = 1.0 + (r + r * r * exp_tail(r));
  const double half = nearest_integer(0.5 * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_two(half) * power_of_two(n - half);
}
