// How a harness says that something is wrong: a line of text, and an exit status that tells the kind.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace harness {

/// The entry or the runtime reported an error.
constexpr int exit_entry_failed = 3;
/// A check inside of the entry failed: index out of bounds, ...
constexpr int exit_check_failed = 4;
/// The harness was called wrongly.
constexpr int exit_misuse = 5;
/// There is no memory for the arguments, the results or the scratch memory.
constexpr int exit_out_of_memory = 6;

[[noreturn]] inline void give_up(const char* what, int status = exit_misuse) {
  std::fprintf(stderr, "%s\n", what);
  std::fflush(nullptr);
  std::_Exit(status);  // memory that is still held is not a leak of the entry
}

[[noreturn]] inline void out_of_memory() { give_up("out of memory", exit_out_of_memory); }

/// An entry that fails has no results and has given everything back; else its results are what it still holds.
inline void check_allocations(bool failed, int held, std::initializer_list<const void*> results,
                              std::initializer_list<std::int64_t> extents) {
  for (const void* result : results) {
    if (failed && result != nullptr) give_up("the entry fails, but has a result");
    held -= result != nullptr ? 1 : 0;
  }
  for (const std::int64_t extent : extents) {
    if (failed && extent != 0) give_up("the entry fails, but has a result");
  }
  if (held != 0) give_up("the entry leaks memory of the allocator");
}

}  // namespace harness
