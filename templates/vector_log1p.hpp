// log1p of doubles for loops that are to become vectors: see log_parts.
//
// Method  log(1 + x) = log(u) + lost / u for u = 1 + x as it is rounded, and what it lost then
//         [Sun's fdlibm, s_log1p.c]
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_parts.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// log(1 + x), without branches or calls; error below 1.5 ulp.
[[gnu::always_inline]] inline double vector_log1p(double x) {
  // k times the upper 40 bits of log(2) is exact.
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const double u = 1.0 + x;
  const double added = u - 1.0;
  const double lost = (1.0 - (u - added)) + (x - added);  // exactly 1 + x - u
  const LogParts parts(u);
  const double small = parts.f - (parts.less - (parts.k * log2_lower + lost / u));
  const double log = log_or_limit(u, parts.k * log2_upper + small);
  // The result is x if that is tiny: subnormal numbers, and zeros of both signs.
  return select_by_sign(magnitude_of(x) - 0x1p-54, x, log);
}
