// exp2 of floats for loops that are to become vectors.
//
// Method  2^x = 2^n * exp((x - n) * log(2)), where n is the integer next to x; x - n is exact. See
//         scaled_expf
#pragma once

#include <cmath>

#include "templates/exp_tailf.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/nearest_integerf.hpp"
#include "templates/power_of_twof.hpp"
#include "templates/select_by_sign.hpp"

/// 2^x, without branches or calls; error below 1.1 ulp.
[[gnu::always_inline]] inline float vector_exp2f(float x) {
  const float log2 = 0x1.62e43p-1f;
  const float magnitude = magnitude_of(x);
  const float limit = 152.0f;  // beyond it the result is 0 or infinity
  const float bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const float n = nearest_integerf(bounded);
  const float r = (bounded - n) * log2;
  const float power = 1.0f + (r + r * r * exp_tailf(r));
  const float half = nearest_integerf(0.5f * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_twof(half) * power_of_twof(n - half);
}
