// The check of an index that is not known to be in bounds.
#pragma once

#include <cstdint>

#include "templates/record_failure.cuh"

/// Returns whether 0 <= `index` < `size`; if not, records in `*failure` that check `check` failed.
__device__ bool check_index(Failure* failure, int check, int64_t index, int64_t size) {
  if (0 <= index && index < size) return true;
  record_failure(failure, check, index, size);
  return false;
}
