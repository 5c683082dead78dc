// ode.hpp: the entry points of ode.fut as functions on device memory.
//
// All functions: arrays are on the current device, dense and row-major; an output overlaps no other
// argument. Work is queued on `stream`; nothing is allocated, nothing waits, so calls may be
// captured in a CUDA graph. Calls from several threads are safe with separate scratch.
// Result: cudaErrorInvalidValue if a size is negative or too large or scratch too small, in which
// case nothing was queued; otherwise the first error that the CUDA runtime reports.
//
// Example of a call:
//
//     #include "ode.hpp"
//
//     cudaError_t call_growth_gradient(double* rs_adj, double* y0s_adj, int64_t steps,
//                                      const double* rs, const double* y0s, int64_t n,
//                                      cudaStream_t stream) {
//       std::size_t bytes = 0;
//       void* scratch = nullptr;
//       cudaError_t error = ode::growth_gradient_scratch(&bytes, steps, n);
//       if (!error) error = cudaMalloc(&scratch, bytes);
//       if (!error) {
//         error = ode::growth_gradient(rs_adj, y0s_adj, steps, rs, y0s, n, scratch, bytes, stream);
//       }
//       cudaFree(scratch);  // once the device no longer uses it
//       return error;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace ode {

/// How the sum of all final sizes depends on every rate and every start.              ode.fut:7
///
/// rs_adj   [n], written
/// y0s_adj  [n], written
/// rs       [n]
/// y0s      [n]
/// scratch  device memory, aligned to 256 bytes as by cudaMalloc
///
/// The results are the same, bit by bit, in every run on one device.
[[nodiscard]] cudaError_t growth_gradient(double* rs_adj, double* y0s_adj, int64_t steps,
                                          const double* rs, const double* y0s, int64_t n,
                                          void* scratch, std::size_t scratch_bytes,
                                          cudaStream_t stream);

/// Writes to `bytes` how much scratch growth_gradient needs for these sizes.
[[nodiscard]] cudaError_t growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n);

}  // namespace ode
