// log of doubles for loops that are to become vectors: see log_parts.
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_parts.hpp"

/// log(x), without branches or calls; error below 1 ulp.
[[gnu::always_inline]] inline double vector_log(double x) {
  // k times the upper 40 bits of log(2) is exact.
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const LogParts parts(x);
  const double small = parts.f - (parts.less - parts.k * log2_lower);
  return log_or_limit(x, parts.k * log2_upper + small);
}
