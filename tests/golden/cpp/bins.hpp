// bins.hpp: the entry points of bins.fut as functions on host memory.
//
// All functions: arrays are dense and row-major; an output overlaps no other argument. Nothing is
// allocated and nothing thrown. Calls from several threads are safe with separate scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bins {

/// What became of a call.
enum class Status {
  success,
  invalid_value,  // a size is negative or too large, or scratch too small; nothing was done
  check_failed,   // the function's Failure says which, and results are undefined
};

/// What went wrong while an entry ran. `failure_text` explains it.
struct Failure {
  int check;          // which check failed first; 0 if none did
  int64_t values[4];  // what it saw: an index, a size, ...
};

/// What went wrong, for people; empty if nothing did.
[[nodiscard]] std::string failure_text(const Failure& failure);

/// The sum of the values of each bin, and the greatest value.                        bins.fut:3
///
/// Bins without values have sum 0.
///
/// sums      [m], written
/// greatest  written
/// failure   host memory, written: which index or size was wrong, if any; see failure_text
/// is        [n]
/// xs        [n]
/// scratch   host memory, aligned to 64 bytes
///
/// The order of float additions, and so the last bits of the result, varies between runs.
[[nodiscard]] Status bin_sums(float* sums, float* greatest, Failure* failure, const int64_t* is,
                              const float* xs, int64_t n, int64_t m, void* scratch,
                              std::size_t scratch_bytes);

/// Writes to `bytes` how much scratch bin_sums needs for these sizes.
[[nodiscard]] Status bin_sums_scratch(std::size_t* bytes, int64_t n, int64_t m);

}  // namespace bins
