// lstm.hpp: the entry points of lstm.fut as functions on device memory.
//
// All functions: arrays are on the current device, dense and row-major; an output overlaps no other
// argument. Work is queued on `stream`; nothing is allocated, nothing waits, so calls may be
// captured in a CUDA graph. Calls from several threads are safe with separate scratch.
// Result: cudaErrorInvalidValue if a size is negative or too large or scratch too small, in which
// case nothing was queued; otherwise the first error that the CUDA runtime reports.
//
// Example of a call:
//
//     #include "lstm.hpp"
//
//     cudaError_t call_calculate_objective(double* result, const double* main_params,
//                                          const double* extra_params, const double* state,
//                                          const double* sequence, int64_t m, int64_t w, int64_t b,
//                                          int64_t t, cudaStream_t stream) {
//       std::size_t bytes = 0;
//       void* scratch = nullptr;
//       cudaError_t error = lstm::calculate_objective_scratch(&bytes, m, w, b, t);
//       if (!error) error = cudaMalloc(&scratch, bytes);
//       if (!error) {
//         error = lstm::calculate_objective(result, main_params, extra_params, state, sequence, m,
//                                           w, b, t, scratch, bytes, stream);
//       }
//       cudaFree(scratch);  // once the device no longer uses it
//       return error;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace lstm {

/// Entry point `calculate_objective`: computes result from main_params, extra_params, state and
/// sequence.                                                                        lstm.fut:52
///
/// result        written
/// main_params   [m][w]
/// extra_params  [3][b]
/// state         [m][b]
/// sequence      [t][b]
/// scratch       device memory, aligned to 256 bytes as by cudaMalloc
///
/// Sizes: m == l * 2 and w == b * 4, where l = m / 2.
///
/// Limits: t, b: at most 2^30 each.
///
/// The results are the same, bit by bit, in every run on one device.
[[nodiscard]] cudaError_t calculate_objective(double* result, const double* main_params,
                                              const double* extra_params, const double* state,
                                              const double* sequence, int64_t m, int64_t w,
                                              int64_t b, int64_t t, void* scratch,
                                              std::size_t scratch_bytes, cudaStream_t stream);

/// Writes to `bytes` how much scratch calculate_objective needs for these sizes.
[[nodiscard]] cudaError_t calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t w,
                                                      int64_t b, int64_t t);

/// The gradient of the objective with respect to all parameters.                    lstm.fut:60
///
/// main_params_adj   [m][w], written
/// extra_params_adj  [3][b], written
/// main_params       [m][w]
/// extra_params      [3][b]
/// state             [m][b]
/// sequence          [t][b]
/// scratch           device memory, aligned to 256 bytes as by cudaMalloc
///
/// Sizes: m == l * 2 and w == b * 4, where l = m / 2.
///
/// Limits: t, b: at most 2^30 each.
///
/// The results are the same, bit by bit, in every run on one device.
[[nodiscard]] cudaError_t calculate_jacobian(double* main_params_adj, double* extra_params_adj,
                                             const double* main_params, const double* extra_params,
                                             const double* state, const double* sequence, int64_t m,
                                             int64_t w, int64_t b, int64_t t, void* scratch,
                                             std::size_t scratch_bytes, cudaStream_t stream);

/// Writes to `bytes` how much scratch calculate_jacobian needs for these sizes.
[[nodiscard]] cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w,
                                                     int64_t b, int64_t t);

}  // namespace lstm
