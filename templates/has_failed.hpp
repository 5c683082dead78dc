// What follows a failed check is left out: it could rely on what was checked.
#pragma once

#include "templates/failure.hpp"

/// Whether a check has failed.
inline bool has_failed(const Failure* failure) {
  int check;
#ifdef _OPENMP
#pragma omp atomic read
#endif
  check = failure->check;
  return check != 0;
}
