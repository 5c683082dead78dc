// What expm1 and tanh have in common, without branches or calls. It is half of expm1, which
// overflows later than 2^n does.
//
// Method  exp(y) = 2^n * exp(r) as in scaled_exp, of which y - n * (upper 40 bits of log(2)) is an
//         exact part of r. With s = 2^(n - 1) the result is (s - 1/2) + s * part + s * rest, and
//         little is lost before the last sum
#pragma once

#include "templates/exp_tail.hpp"
#include "templates/nearest_integer.hpp"
#include "templates/power_of_two.hpp"

/// (exp(y) - 1) / 2 for -40 <= y < 710.1; error below 1.4 ulp.
[[gnu::always_inline]] inline double half_expm1(double y) {
  const double inverse_log2 = 0x1.71547652b82fep+0;  // 1 / log(2)
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const double n = nearest_integer(y * inverse_log2);
  const double part = y - n * log2_upper;
  const double lower = n * log2_lower;
  const double r = part - lower;
  const double rest = r * r * exp_tail(r) - lower;
  const double scale = power_of_two(n - 1.0);
  return ((scale - 0.5) + scale * part) + scale * rest;
}
