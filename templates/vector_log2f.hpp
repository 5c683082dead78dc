// log2 of floats for loops that are to become vectors: see log_partsf. Powers of two have exact
// results.
#pragma once

#include "templates/log_or_limit.hpp"
#include "templates/log_partsf.hpp"

/// log2(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline float vector_log2f(float x) {
  const float inverse_log2 = 0x1.715476p+0f;  // 1 / log(2)
  const LogPartsF parts(x);
  const float log = parts.f - parts.less;
  const float lost = (parts.f - log) - parts.less;
  return log_or_limit(x, parts.k + (log * inverse_log2 + lost * inverse_log2));
}
