// recurrence.hpp: the entry points of recurrence.fut as functions on device memory.
//
// All functions: arrays are on the current device, dense and row-major; an output overlaps no other
// argument. Work is queued on `stream`; nothing is allocated, nothing waits, so calls may be
// captured in a CUDA graph. Calls from several threads are safe with separate scratch.
// Result: cudaErrorInvalidValue if a size is negative or too large or scratch too small, in which
// case nothing was queued; otherwise the first error that the CUDA runtime reports.
//
// Example of a call:
//
//     #include "recurrence.hpp"
//
//     cudaError_t call_products_vjp(double* result, double* xs_adj, const double* xs,
//                                   const double* ys_adj, int64_t n, cudaStream_t stream) {
//       std::size_t bytes = 0;
//       void* scratch = nullptr;
//       cudaError_t error = recurrence::products_vjp_scratch(&bytes, n);
//       if (!error) error = cudaMalloc(&scratch, bytes);
//       if (!error) {
//         error = recurrence::products_vjp(result, xs_adj, xs, ys_adj, n, scratch, bytes, stream);
//       }
//       cudaFree(scratch);  // once the device no longer uses it
//       return error;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace recurrence {

/// Products, and the adjoint of xs for a given adjoint of the products.        recurrence.fut:6
///
/// result   [n], written
/// xs_adj   [n], written
/// xs       [n]
/// ys_adj   [n]
/// scratch  device memory, aligned to 256 bytes as by cudaMalloc
///
/// The order of float operations, and so the last bits of the results, varies between runs.
[[nodiscard]] cudaError_t products_vjp(double* result, double* xs_adj, const double* xs,
                                       const double* ys_adj, int64_t n, void* scratch,
                                       std::size_t scratch_bytes, cudaStream_t stream);

/// Writes to `bytes` how much scratch products_vjp needs for these sizes on the current device.
[[nodiscard]] cudaError_t products_vjp_scratch(std::size_t* bytes, int64_t n);

}  // namespace recurrence
