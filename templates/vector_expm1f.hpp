// expm1 of floats for loops that are to become vectors: see half_expm1f.
#pragma once

#include <cmath>

#include "templates/half_expm1f.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// exp(x) - 1, without branches or calls; error below 1.4 ulp.
[[gnu::always_inline]] inline float vector_expm1f(float x) {
  // The result is -1 below -20 and infinity above 89.
  const float limit = 54.5f + std::copysign(34.5f, x);
  const float magnitude = magnitude_of(x);
  const float bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const float result = 2.0f * half_expm1f(bounded);
  // The result is x if that is tiny: subnormal numbers, and zeros of both signs.
  return select_by_sign(magnitude - 0x1p-25f, x, result);
}
