// tanh of floats for loops that are to become vectors.
//
// Method  tanh(|x|) = h / (h + 1) for h = (exp(2 |x|) - 1) / 2. Below 0.26, where that would err by
//         more than 2 ulp, tanh(x) = x + x^3 * P(x^2); P interpolates at the 4 Chebyshev nodes of
//         x^2, computed with 300 bits and rounded, and x^2 times its error is below 2^-30
#pragma once

#include <cmath>

#include "templates/half_expm1f.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// tanh(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline float vector_tanhf(float x) {
  const float z = x * x;
  const float low = -0x1.555556p-2f + 0x1.1110bap-3f * z;
  const float high = -0x1.b9b638p-5f + 0x1.535db2p-6f * z;
  const float sum = low + z * z * high;
  const float magnitude = magnitude_of(x);
  const float near_zero = magnitude + magnitude * z * sum;

  const float most = 10.0f;  // its tanh is 1
  const float bounded = select_by_sign(most - magnitude, most, magnitude);
  const float h = half_expm1f(2.0f * bounded);
  const float elsewhere = h / (h + 1.0f);
  return std::copysign(select_by_sign(magnitude - 0.26f, near_zero, elsewhere), x);
}
