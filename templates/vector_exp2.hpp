// exp2 of doubles for loops that are to become vectors.
//
// Method  2^x = 2^n * exp((x - n) * log(2)), where n is the integer next to x; x - n is exact. See
//         scaled_exp
#pragma once

#include <cmath>

#include "templates/exp_tail.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/nearest_integer.hpp"
#include "templates/power_of_two.hpp"
#include "templates/select_by_sign.hpp"

/// 2^x, without branches or calls; error below 1.1 ulp.
[[gnu::always_inline]] inline double vector_exp2(double x) {
  const double log2 = 0x1.62e42fefa39efp-1;
  const double magnitude = magnitude_of(x);
  const double limit = 1080.0;  // beyond it the result is 0 or infinity
  const double bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const double n = nearest_integer(bounded);
  const double r = (bounded - n) * log2;
  const double power = 1.0 + (r + r * r * exp_tail(r));
  const double half = nearest_integer(0.5 * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_two(half) * power_of_two(n - half);
}
