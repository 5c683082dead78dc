// The first thread whose check fails tells why.
#pragma once

#include <cstdint>

#include "templates/failure.hpp"

/// Fills in *failure, unless another thread did before.
__device__ void record_failure(Failure* failure, int check, int64_t first = 0, int64_t second = 0,
                               int64_t third = 0, int64_t fourth = 0) {
  if (atomicCAS(&failure->check, 0, check) != 0) return;
  failure->values[0] = first;
  failure->values[1] = second;
  failure->values[2] = third;
  failure->values[3] = fourth;
}
