// What a failed check leaves behind; part of the header of files that have checks.
#pragma once

#include <cstdint>

/// What went wrong while an entry ran. `failure_text` explains it.
struct Failure {
  int check;          // which check failed first; 0 if none did
  int64_t values[4];  // what it saw: an index, a size, ...
};
