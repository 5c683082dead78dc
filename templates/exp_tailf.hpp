// What exp, expm1, sinh, cosh and tanh of floats have in common: a polynomial for exp(r) beyond 1 +
// r. It interpolates (exp(r) - 1 - r) / r^2 at the 6 Chebyshev nodes of |r| <= 1.001 * log(2) / 2,
// computed with 300 bits and rounded. r^2 times its error is below 2^-30.
#pragma once

/// (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2.
[[gnu::always_inline]] inline float exp_tailf(float r) {
  // Evaluated in parts that do not depend on each other.
  const float r2 = r * r;
  const float low = 0.5f + 0x1.555556p-3f * r;
  const float middle = 0x1.5554e8p-5f + 0x1.1110ep-7f * r;
  const float high = 0x1.6d43bp-10f + 0x1.a1256cp-13f * r;
  return low + r2 * (middle + r2 * high);
}
