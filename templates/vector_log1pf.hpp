// log1p of floats for loops that are to become vectors: see log_partsf.
//
// Method  log(1 + x) = log(u) + lost / u for u = 1 + x as it is rounded, and what it lost then
//         [Sun's fdlibm, s_log1p.c]
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_partsf.hpp"
#include "templates/magnitude_of.hpp"
#include "templates/select_by_sign.hpp"

/// log(1 + x), without branches or calls; error below 1.5 ulp.
[[gnu::always_inline]] inline float vector_log1pf(float x) {
  // k times the upper 14 bits of log(2) is exact.
  const float log2_upper = 0x1.62e8p-1f, log2_lower = -0x1.e8082ep-16f;
  const float u = 1.0f + x;
  const float added = u - 1.0f;
  const float lost = (1.0f - (u - added)) + (x - added);  // exactly 1 + x - u
  const LogPartsF parts(u);
  const float small = parts.f - (parts.less - (parts.k * log2_lower + lost / u));
  const float log = log_or_limit(u, parts.k * log2_upper + small);
  // The result is x if that is tiny: subnormal numbers, and zeros of both signs.
  return select_by_sign(magnitude_of(x) - 0x1p-25f, x, log);
}
