// What expm1 and tanh of floats have in common, without branches or calls. It is half of expm1,
// which overflows later than 2^n does.
//
// Method  exp(y) = 2^n * exp(r) as in scaled_expf, of which y - n * (upper 14 bits of log(2)) is an
//         exact part of r. With s = 2^(n - 1) the result is (s - 1/2) + s * part + s * rest, and
//         little is lost before the last sum
#pragma once

#include "templates/exp_tailf.hpp"
#include "templates/nearest_integerf.hpp"
#include "templates/power_of_twof.hpp"

/// (exp(y) - 1) / 2 for -20 <= y < 89.0; error below 1.4 ulp.
[[gnu::always_inline]] inline float half_expm1f(float y) {
  const float inverse_log2 = 0x1.715476p+0f;  // 1 / log(2)
  const float log2_upper = 0x1.62e8p-1f, log2_lower = -0x1.e8082ep-16f;
  const float n = nearest_integerf(y * inverse_log2);
  const float part = y - n * log2_upper;
  const float lower = n * log2_lower;
  const float r = part - lower;
  const float rest = r * r * exp_tailf(r) - lower;
  const float scale = power_of_twof(n - 1.0f);
  return ((scale - 0.5f) + scale * part) + scale * rest;
}
