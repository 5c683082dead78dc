// What exp, expm1, sinh, cosh and tanh have in common: a polynomial for exp(r) beyond 1 + r. It
// interpolates (exp(r) - 1 - r) / r^2 at the 11 Chebyshev nodes of |r| <= 1.001 * log(2) / 2,
// computed with 300 bits and rounded. r^2 times its error is below 2^-61.
#pragma once

/// (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2.
[[gnu::always_inline]] inline double exp_tail(double r) {
  // Evaluated in parts that do not depend on each other.
  const double r2 = r * r, r4 = r2 * r2;
  const double low = (0.5 + 0x1.5555555555557p-3 * r) +
                     r2 * (0x1.5555555555556p-5 + 0x1.11111111100bep-7 * r);
  const double middle = (0x1.6c16c16c162c3p-10 + 0x1.a01a01abf85abp-13 * r) +
                        r2 * (0x1.a01a01a6e1e2ap-16 + 0x1.71de01fdbf9cap-19 * r);
  const double high = (0x1.27e4db46cddd1p-22 + 0x1.af4e554377204p-26 * r) +
                      r2 * 0x1.1f7340dbc337ep-29;
  return low + r4 * (middle + r4 * high);
}
