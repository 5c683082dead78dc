// exp without branches or calls, so that loops over it become vectors. Overflow and underflow come
// about by themselves in the last multiplications, of which only the last one rounds.
//
// Method  exp(x) = 2^n * exp(r), where n is the integer next to x / log(2) and r = x - n * log(2)
//         [Cody and Waite, Software Manual for the Elementary Functions, 1980, chapter 6]: n times
//         the upper 14 bits of log(2) is exact
#pragma once

#include <cmath>

#include "templates/exp_tailf.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/nearest_integerf.hpp"
#include "templates/power_of_twof.hpp"
#include "templates/select_by_sign.hpp"

/// exp(x) * 2^shift for an integer |shift| <= 8; error below 1 ulp.
[[gnu::always_inline]] inline float scaled_expf(float x, float shift) {
  const float inverse_log2 = 0x1.715476p+0f;  // 1 / log(2)
  const float log2_upper = 0x1.62e8p-1f, log2_lower = -0x1.e8082ep-16f;
  const float magnitude = magnitude_of(x);
  const float limit = 108.0f;  // beyond it the result is 0 or infinity
  const float bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const float n = nearest_integerf(bounded * inverse_log2);
  const float r = (bounded - n * log2_upper) - n * log2_lower;
  const float power = 1.0f + (r + r * r * exp_tailf(r));
  const float half = nearest_integerf(0.5f * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_twof(half) * power_of_twof(n - half + shift);
}
