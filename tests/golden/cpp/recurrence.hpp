// recurrence.hpp: the entry points of recurrence.fut as functions on host memory.
//
// All functions: arrays are dense and row-major; an output overlaps no other argument. Nothing is
// allocated and nothing thrown. Calls from several threads are safe with separate scratch.
//
// Example of a call:
//
//     #include <new>
//     #include "recurrence.hpp"
//
//     recurrence::Status call_products_vjp(double* result, double* xs_adj, const double* xs,
//                                          const double* ys_adj, int64_t n) {
//       std::size_t bytes = 0;
//       recurrence::Status status = recurrence::products_vjp_scratch(&bytes, n);
//       if (status != recurrence::Status::success) return status;
//       void* const scratch = ::operator new(bytes, std::align_val_t{64});
//       status = recurrence::products_vjp(result, xs_adj, xs, ys_adj, n, scratch, bytes);
//       ::operator delete(scratch, std::align_val_t{64});
//       return status;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

namespace recurrence {

/// What became of a call.
enum class Status {
  success,
  invalid_value,  // a size is negative or too large, or scratch too small; nothing was done
};

/// Products, and the adjoint of xs for a given adjoint of the products.        recurrence.fut:6
///
/// result   [n], written
/// xs_adj   [n], written
/// xs       [n]
/// ys_adj   [n]
/// scratch  host memory, aligned to 64 bytes
///
/// The results are the same in every run, whatever the number of threads.
[[nodiscard]] Status products_vjp(double* result, double* xs_adj, const double* xs,
                                  const double* ys_adj, int64_t n, void* scratch,
                                  std::size_t scratch_bytes);

/// Writes to `bytes` how much scratch products_vjp needs for these sizes.
[[nodiscard]] Status products_vjp_scratch(std::size_t* bytes, int64_t n);

}  // namespace recurrence
