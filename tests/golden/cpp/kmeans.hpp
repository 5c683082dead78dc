// kmeans.hpp: the entry points of kmeans.fut as functions on host memory.
//
// All functions: arrays are dense and row-major; an output overlaps no other argument. Nothing is
// allocated and nothing thrown. Calls from several threads are safe with separate scratch.
//
// Example of a call:
//
//     #include <new>
//     #include "kmeans.hpp"
//
//     kmeans::Status call_cost_gradient(float* centres_adj, const float* points,
//                                       const float* centres, int64_t n, int64_t k, int64_t d) {
//       std::size_t bytes = 0;
//       kmeans::Status status = kmeans::cost_gradient_scratch(&bytes, n, k, d);
//       if (status != kmeans::Status::success) return status;
//       void* const scratch = ::operator new(bytes, std::align_val_t{64});
//       status = kmeans::cost_gradient(centres_adj, points, centres, n, k, d, scratch, bytes);
//       ::operator delete(scratch, std::align_val_t{64});
//       return status;
//     }
#pragma once

#include <cstddef>
#include <cstdint>

namespace kmeans {

/// What became of a call.
enum class Status {
  success,
  invalid_value,  // a size is negative or too large, or scratch too small; nothing was done
};

/// Entry point `cost_gradient`: computes centres_adj from points and centres.     kmeans.fut:11
///
/// centres_adj  [k][d], written
/// points       [n][d]
/// centres      [k][d]
/// scratch      host memory, aligned to 64 bytes
///
/// The results are the same in every run, whatever the number of threads.
[[nodiscard]] Status cost_gradient(float* centres_adj, const float* points, const float* centres,
                                   int64_t n, int64_t k, int64_t d, void* scratch,
                                   std::size_t scratch_bytes);

/// Writes to `bytes` how much scratch cost_gradient needs for these sizes.
[[nodiscard]] Status cost_gradient_scratch(std::size_t* bytes, int64_t n, int64_t k, int64_t d);

}  // namespace kmeans
