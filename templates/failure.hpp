// The record that a failed check leaves; part of the header of files that have checks.
#pragma once

#include <cstdint>

/// The first failed check of a run of an entry. `failure_text` explains it.
struct Failure {
  int check;          // number of the check that failed first; 0 if none did
  int64_t values[4];  // values that it saw: an index, a size, ...
};
