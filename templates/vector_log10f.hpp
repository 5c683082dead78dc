// log10 of floats for loops that are to become vectors: see log_partsf.
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_partsf.hpp"

/// log10(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline float vector_log10f(float x) {
  const float inverse_log10 = 0x1.bcb7b2p-2f;  // 1 / log(10)
  // k times the upper 14 bits of log10(2) is exact.
  const float log10_2_upper = 0x1.344p-2f, log10_2_lower = 0x1.3509f8p-18f;
  const LogPartsF parts(x);
  const float log = parts.f - parts.less;
  const float lost = (parts.f - log) - parts.less;
  const float small = log * inverse_log10 + (lost * inverse_log10 + parts.k * log10_2_lower);
  return log_or_limit(x, parts.k * log10_2_upper + small);
}
