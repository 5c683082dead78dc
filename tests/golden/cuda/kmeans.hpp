// kmeans.hpp: the entry points of kmeans.fut as functions on device memory.
//
// All functions: arrays are on the current device, dense and row-major; an output overlaps no other
// argument. Work is queued on `stream`; nothing is allocated, nothing waits, so calls may be
// captured in a CUDA graph. Calls from several threads are safe with separate scratch.
// Result: cudaErrorInvalidValue if a size is negative or too large or scratch too small, in which
// case nothing was queued; otherwise the first error that the CUDA runtime reports.
//
// Example of a call:
//
//     #include "kmeans.hpp"
//
//     cudaError_t call_cost_gradient(float* centres_adj, const float* points, const float* centres,
//                                    int64_t n, int64_t k, int64_t d, cudaStream_t stream) {
//       std::size_t bytes = 0;
//       void* scratch = nullptr;
//       cudaError_t error = kmeans::cost_gradient_scratch(&bytes, n, k, d);
//       if (!error) error = cudaMalloc(&scratch, bytes);
//       if (!error) {
//         error =
//             kmeans::cost_gradient(centres_adj, points, centres, n, k, d, scratch, bytes, stream);
//       }
//       cudaFree(scratch);  // once the device no longer uses it
//       return error;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace kmeans {

/// Entry point `cost_gradient`: computes centres_adj from points and centres.     kmeans.fut:11
///
/// centres_adj  [k][d], written
/// points       [n][d]
/// centres      [k][d]
/// scratch      device memory, aligned to 256 bytes as by cudaMalloc
///
/// Limits: k, d, k * d: at most 2^30 each.
///
/// The order of float operations, and so the last bits of the results, varies between runs.
[[nodiscard]] cudaError_t cost_gradient(float* centres_adj, const float* points,
                                        const float* centres, int64_t n, int64_t k, int64_t d,
                                        void* scratch, std::size_t scratch_bytes,
                                        cudaStream_t stream);

/// Writes to `bytes` how much scratch cost_gradient needs for these sizes.
[[nodiscard]] cudaError_t cost_gradient_scratch(std::size_t* bytes, int64_t n, int64_t k,
                                                int64_t d);

}  // namespace kmeans
