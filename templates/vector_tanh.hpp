// tanh of doubles for loops that are to become vectors.
//
// Method  tanh(|x|) = h / (h + 1) for h = (exp(2 |x|) - 1) / 2. Below 0.26, where that would err by
//         more than 2 ulp, tanh(x) = x + x^3 * P(x^2); P interpolates at the 7 Chebyshev nodes of
//         x^2, computed with 300 bits and rounded, and x^2 times its error is below 2^-54
#pragma once

#include <cmath>

#include "templates/half_expm1.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// tanh(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline double vector_tanh(double x) {
  const double z = x * x, z2 = z * z;
  const double low = -0x1.555555555554ep-2 + 0x1.111111110ba13p-3 * z;
  const double middle = -0x1.ba1ba1a6004c9p-5 + 0x1.664f3a8c95235p-6 * z;
  const double high = (-0x1.226994fb73715p-7 + 0x1.d53f3a54ce2d1p-9 * z) -
                      z2 * 0x1.5b07f2b5a49a8p-10;
  const double sum = low + z2 * (middle + z2 * high);
  const double magnitude = magnitude_of(x);
  const double near_zero = magnitude + magnitude * z * sum;

  const double most = 22.0;  // its tanh is 1
  const double bounded = select_by_sign(most - magnitude, most, magnitude);
  const double h = half_expm1(2.0 * bounded);
  const double elsewhere = h / (h + 1.0);
  return std::copysign(select_by_sign(magnitude - 0.26, near_zero, elsewhere), x);
}
