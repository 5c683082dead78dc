// The check of a divisor that is not known to be other than zero.
#pragma once

#include "templates/record_failure.hpp"

/// Whether a divisor is not zero; if it is, *failure says so.
template <typename T>
inline bool check_divisor(Failure* failure, int check, T divisor) {
  if (divisor != 0) return true;
  record_failure(failure, check);
  return false;
}
