// The first failed check of all threads is recorded.
#pragma once

#include <cstdint>

#include "templates/failure.hpp"

/// Records check `check`, and the values that explain it, in `*failure`, unless one failed before.
__device__ void record_failure(Failure* failure, int check, int64_t first = 0, int64_t second = 0,
                               int64_t third = 0, int64_t fourth = 0) {
  if (atomicCAS(&failure->check, 0, check) != 0) return;
  failure->values[0] = first;
  failure->values[1] = second;
  failure->values[2] = third;
  failure->values[3] = fourth;
}
