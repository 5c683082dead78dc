// kmeans.cpp: C++ for the entry points of kmeans.fut, declared in kmeans.hpp.
// Written by `boustro translate kmeans.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   cost_gradient [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32
//     = vjp (cost points) centres 1                                               kmeans.fut:11

#include "kmeans.hpp"

#include <cmath>

namespace kmeans {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Hands out the caller's scratch memory piece by piece; without memory it only counts bytes.
class Scratch {
 public:
  explicit Scratch(void* memory) : memory_(static_cast<std::byte*>(memory)) {}

  template <typename T>
  T* take(int64_t size) {
    std::byte* const piece = memory_ == nullptr ? nullptr : memory_ + bytes_;
    if (size > 0) bytes_ += (static_cast<std::size_t>(size) * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T*>(piece);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

// ---------------------------------------------------------------------------------------
// Scratch memory of cost_gradient
// ---------------------------------------------------------------------------------------

struct CostGradientScratch {
  int64_t* winner_kept;  // [n]
  std::size_t bytes;

  CostGradientScratch(void* memory, int64_t n) {
    Scratch scratch(memory);
    winner_kept = scratch.take<int64_t>(n);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status cost_gradient_scratch(std::size_t* bytes, int64_t n, int64_t k, int64_t d) {
  if (n < 0 || k < 0 || d < 0) return Status::invalid_value;
  *bytes = CostGradientScratch(nullptr, n).bytes;
  return Status::success;
}

Status cost_gradient(float* __restrict__ centres_adj, const float* __restrict__ points,
                     const float* __restrict__ centres, int64_t n, int64_t k, int64_t d,
                     void* scratch, std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0) return Status::invalid_value;
  const CostGradientScratch buffers(scratch, n);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t i = 0; i < n; ++i) {
    const float* const p = points + i * d;
    float minimum = INFINITY;
    int64_t winner = -1;
    for (int64_t j = 0; j < k; ++j) {
      const float* const c = centres + j * d;
      float total = 0.0f;
      for (int64_t l = 0; l < d; ++l) {
        const float difference = p[l] - c[l];
        total += difference * difference;
      }
      if (total < minimum) {
        minimum = total;
        winner = j;
      }
    }
    buffers.winner_kept[i] = winner;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t = 0; t < k; ++t) {
    for (int64_t s = 0; s < d; ++s) centres_adj[t * d + s] = 0.0f;
  }
  for (int64_t u = 0; u < n; ++u) {
    const float* const p_2 = points + u * d;
    const int64_t winner_2 = buffers.winner_kept[u];
    if (0 <= winner_2) {
      const float* const c_2 = centres + winner_2 * d;
      for (int64_t u_2 = 0; u_2 < d; ++u_2) {
        const float difference_2 = p_2[u_2] - c_2[u_2];
        const float sum = centres_adj[winner_2 * d + u_2] + -(difference_2 + difference_2);
        centres_adj[winner_2 * d + u_2] = sum;
      }
    }
  }
  return Status::success;
}

}  // namespace kmeans
