// gmm.hpp: the entry points of gmm.fut as functions on device memory.
//
// All functions: arrays are on the current device, dense and row-major; an output overlaps no other
// argument. Work is queued on `stream`; nothing is allocated, nothing waits, so calls may be
// captured in a CUDA graph. Calls from several threads are safe with separate scratch.
// Result: cudaErrorInvalidValue if a size is negative or too large or scratch too small, in which
// case nothing was queued; otherwise the first error that the CUDA runtime reports.
//
// Example of a call:
//
//     #include "gmm.hpp"
//
//     cudaError_t call_calculate_objective(double* result, const double* alphas,
//                                          const double* means, const double* icf,
//                                          const double* xs, double gamma_, int64_t m, int64_t n,
//                                          int64_t k, int64_t d, int64_t l, cudaStream_t stream) {
//       std::size_t bytes = 0;
//       void* scratch = nullptr;
//       cudaError_t error = gmm::calculate_objective_scratch(&bytes, m, n, k, d, l);
//       if (!error) error = cudaMalloc(&scratch, bytes);
//       if (!error) {
//         error = gmm::calculate_objective(result, alphas, means, icf, xs, gamma_, m, n, k, d, l,
//                                          scratch, bytes, stream);
//       }
//       cudaFree(scratch);  // once the device no longer uses it
//       return error;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace gmm {

/// The log-likelihood. A row of icf has d + d * (d - 1) / 2 elements, or more, of which these are
/// read: it is not checked.                                                          gmm.fut:62
///
/// result   written
/// alphas   [k]
/// means    [k][d]
/// icf      [k][l]
/// xs       [n][d]
/// scratch  device memory, aligned to 256 bytes as by cudaMalloc
///
/// Limits: d, d * d, l, k, k * d, k * d * d: at most 2^30 each.
///
/// Renamed: gamma is gamma_.
///
/// The results are the same, bit by bit, in every run on one device.
[[nodiscard]] cudaError_t calculate_objective(double* result, const double* alphas,
                                              const double* means, const double* icf,
                                              const double* xs, double gamma_, int64_t m, int64_t n,
                                              int64_t k, int64_t d, int64_t l, void* scratch,
                                              std::size_t scratch_bytes, cudaStream_t stream);

/// Writes to `bytes` how much scratch calculate_objective needs for these sizes on the current
/// device.
[[nodiscard]] cudaError_t calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t n,
                                                      int64_t k, int64_t d, int64_t l);

/// The gradient of the objective with respect to weights, means and packed matrices. A row of icf
/// has d + d * (d - 1) / 2 elements, or more, of which these are read: it is not checked.
///                                                                                   gmm.fut:73
/// alphas_adj  [k], written
/// means_adj   [k][d], written
/// icf_adj     [k][l], written
/// alphas      [k]
/// means       [k][d]
/// icf         [k][l]
/// xs          [n][d]
/// scratch     device memory, aligned to 256 bytes as by cudaMalloc
///
/// Limits: d, d * d, l, k, k * d, k * d * d, n: at most 2^30 each.
///
/// Renamed: gamma is gamma_.
///
/// The results are the same, bit by bit, in every run on one device.
[[nodiscard]] cudaError_t calculate_jacobian(double* alphas_adj, double* means_adj, double* icf_adj,
                                             const double* alphas, const double* means,
                                             const double* icf, const double* xs, double gamma_,
                                             int64_t m, int64_t n, int64_t k, int64_t d, int64_t l,
                                             void* scratch, std::size_t scratch_bytes,
                                             cudaStream_t stream);

/// Writes to `bytes` how much scratch calculate_jacobian needs for these sizes on the current
/// device.
[[nodiscard]] cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t n,
                                                     int64_t k, int64_t d, int64_t l);

}  // namespace gmm
