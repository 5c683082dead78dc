// Code after a failed check is skipped: it could rely on what was checked.
#pragma once

#include "templates/failure.hpp"

/// Returns whether a check has failed.
inline bool has_failed(const Failure* failure) {
  int check;
#ifdef _OPENMP
#pragma omp atomic read
#endif
  check = failure->check;
  return check != 0;
}
