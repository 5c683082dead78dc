// exp10 of floats for loops that are to become vectors.
//
// Method  10^x = 2^n * exp(r), where n is the integer next to x * log2(10) and r = (x - n *
//         log10(2)) * log(10); n times the upper 14 bits of log10(2) is exact. See scaled_expf
#pragma once

#include <cmath>

#include "templates/exp_tailf.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/nearest_integerf.hpp"
#include "templates/power_of_twof.hpp"
#include "templates/select_by_sign.hpp"

/// 10^x, without branches or calls; error below 1.5 ulp.
[[gnu::always_inline]] inline float vector_exp10f(float x) {
  const float log2_10 = 0x1.a934fp+1f, log_10 = 0x1.26bb1cp+1f;
  const float log10_2_upper = 0x1.344p-2f, log10_2_lower = 0x1.3509f8p-18f;
  const float magnitude = magnitude_of(x);
  const float limit = 48.0f;  // beyond it the result is 0 or infinity
  const float bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const float n = nearest_integerf(bounded * log2_10);
  const float r = ((bounded - n * log10_2_upper) - n * log10_2_lower) * log_10;
  const float power = 1.0f + (r + r * r * exp_tailf(r));
  const float half = nearest_integerf(0.5f * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_twof(half) * power_of_twof(n - half);
}
