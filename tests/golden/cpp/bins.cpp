// bins.cpp: C++ for the entry points of bins.fut, declared in bins.hpp.
// Written by `boustro translate bins.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   bin_sums [n] [m] (is: [n]i64) (xs: [n]f32) : ([m]f32, f32)                       bins.fut:3

#include "bins.hpp"

#include <algorithm>
#include <cmath>

namespace bins {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Fills in *failure, unless another check failed before.
void record_failure(Failure* failure, int check, int64_t first = 0, int64_t second = 0,
                    int64_t third = 0, int64_t fourth = 0) {
#ifdef _OPENMP
#pragma omp critical
#endif
  if (failure->check == 0) *failure = {check, {first, second, third, fourth}};
}

/// Whether 0 <= index < size; if not, *failure says so.
bool check_index(Failure* failure, int check, int64_t index, int64_t size) {
  if (0 <= index && index < size) return true;
  record_failure(failure, check, index, size);
  return false;
}

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status bin_sums_scratch(std::size_t* bytes, int64_t n, int64_t m) {
  if (n < 0 || m < 0) return Status::invalid_value;
  *bytes = 0;
  return Status::success;
}

Status bin_sums(float* __restrict__ sums, float* __restrict__ greatest, Failure* failure,
                const int64_t* __restrict__ is, const float* __restrict__ xs, int64_t n, int64_t m,
                void* /*scratch*/, std::size_t /*scratch_bytes*/) {
  if (n < 0 || m < 0) return Status::invalid_value;
  *failure = Failure{};
  std::fill_n(sums, m, 0.0f);
  greatest[0] = -INFINITY;

#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t j = 0; j < n; ++j) {
    const int64_t i = is[j];
    if (!check_index(failure, 1, i, m)) continue;
    const float x = xs[j];
#ifdef _OPENMP
#pragma omp atomic
#endif
    sums[i] += x;
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      greatest[0] = std::fmax(greatest[0], x);
    }
  }
  return failure->check == 0 ? Status::success : Status::check_failed;
}

std::string failure_text(const Failure& failure) {
  switch (failure.check) {
    case 1:
      return "bins.fut:3: index " + std::to_string(failure.values[0]) +
             " is out of bounds for an array of size " + std::to_string(failure.values[1]);
    default:
      return "";
  }
}

}  // namespace bins
