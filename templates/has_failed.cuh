// Code after a failed check is skipped: it could rely on what was checked.
#pragma once

#include "templates/failure.hpp"

/// Returns whether a check has failed. The read is volatile, since other threads may record a
/// failure meanwhile.
__device__ bool has_failed(const Failure* failure) {
  return *static_cast<const volatile int*>(&failure->check) != 0;
}
