// expm1 of doubles for loops that are to become vectors: see half_expm1.
#pragma once

#include <cmath>

#include "templates/half_expm1.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// exp(x) - 1, without branches or calls; error below 1.4 ulp.
[[gnu::always_inline]] inline double vector_expm1(double x) {
  // The result is -1 below -40 and infinity above 710.
  const double limit = 375.0 + std::copysign(335.0, x);
  const double magnitude = magnitude_of(x);
  const double bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const double result = 2.0 * half_expm1(bounded);
  // The result is x if that is tiny: subnormal numbers, and zeros of both signs.
  return select_by_sign(magnitude - 0x1p-54, x, result);
}
