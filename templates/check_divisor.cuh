// The check of a divisor that is not known to be other than zero.
#pragma once

#include "templates/record_failure.cuh"

/// Returns whether `divisor` is nonzero; if not, records in `*failure` that check `check` failed.
template <typename T>
__device__ bool check_divisor(Failure* failure, int check, T divisor) {
  if (divisor != 0) return true;
  record_failure(failure, check);
  return false;
}
