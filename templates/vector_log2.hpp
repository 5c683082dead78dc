// log2 of doubles for loops that are to become vectors: see log_parts. Powers of two have exact
// results.
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_parts.hpp"

/// log2(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline double vector_log2(double x) {
  const double inverse_log2 = 0x1.71547652b82fep+0;  // 1 / log(2)
  const LogParts parts(x);
  const double log = parts.f - parts.less;
  const double lost = (parts.f - log) - parts.less;
  return log_or_limit(x, parts.k + (log * inverse_log2 + lost * inverse_log2));
}
