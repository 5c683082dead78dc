// ode.hpp: the entry points of ode.fut as functions on host memory.
//
// All functions: arrays are dense and row-major; an output overlaps no other argument. Nothing is
// allocated and nothing thrown. Calls from several threads are safe with separate scratch.
//
// Example of a call:
//
//     #include <new>
//     #include "ode.hpp"
//
//     ode::Status call_growth_gradient(double* rs_adj, double* y0s_adj, int64_t steps,
//                                      const double* rs, const double* y0s, int64_t n) {
//       std::size_t bytes = 0;
//       ode::Status status = ode::growth_gradient_scratch(&bytes, steps, n);
//       if (status != ode::Status::success) return status;
//       void* const scratch = ::operator new(bytes, std::align_val_t{64});
//       status = ode::growth_gradient(rs_adj, y0s_adj, steps, rs, y0s, n, scratch, bytes);
//       ::operator delete(scratch, std::align_val_t{64});
//       return status;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

namespace ode {

/// What became of a call.
enum class Status {
  success,
  invalid_value,  // a size is negative or too large, or scratch too small; nothing was done
};

/// How the sum of all final sizes depends on every rate and every start.              ode.fut:7
///
/// rs_adj   [n], written
/// y0s_adj  [n], written
/// rs       [n]
/// y0s      [n]
/// scratch  host memory, aligned to 64 bytes
///
/// The results are the same in every run, whatever the number of threads.
[[nodiscard]] Status growth_gradient(double* rs_adj, double* y0s_adj, int64_t steps,
                                     const double* rs, const double* y0s, int64_t n, void* scratch,
                                     std::size_t scratch_bytes);

/// Writes to `bytes` how much scratch growth_gradient needs for these sizes.
[[nodiscard]] Status growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n);

}  // namespace ode
