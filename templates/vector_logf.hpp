// log of floats for loops that are to become vectors: see log_partsf.
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_partsf.hpp"

/// log(x), without branches or calls; error below 1 ulp.
[[gnu::always_inline]] inline float vector_logf(float x) {
  // k times the upper 14 bits of log(2) is exact.
  const float log2_upper = 0x1.62e8p-1f, log2_lower = -0x1.e8082ep-16f;
  const LogPartsF parts(x);
  const float small = parts.f - (parts.less - parts.k * log2_lower);
  return log_or_limit(x, parts.k * log2_upper + small);
}
