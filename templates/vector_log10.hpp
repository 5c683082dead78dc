// log10 of doubles for loops that are to become vectors: see log_parts.
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_parts.hpp"

/// log10(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline double vector_log10(double x) {
  const double inverse_log10 = 0x1.bcb7b1526e50ep-2;  // 1 / log(10)
  // k times the upper 40 bits of log10(2) is exact.
  const double log10_2_upper = 0x1.34413509f8p-2, log10_2_lower = -0x1.80433b83b532ap-44;
  const LogParts parts(x);
  const double log = parts.f - parts.less;
  const double lost = (parts.f - log) - parts.less;
  const double small = log * inverse_log10 + (lost * inverse_log10 + parts.k * log10_2_lower);
  return log_or_limit(x, parts.k * log10_2_upper + small);
}
