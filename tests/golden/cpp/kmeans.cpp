// kmeans.cpp: C++ for the entry points of kmeans.fut, declared in kmeans.hpp.
// Written by `boustro translate kmeans.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   cost_gradient [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32
//     = vjp (cost points) centres 1                                               kmeans.fut:11

#include "kmeans.hpp"

#include <algorithm>
#include <cmath>

namespace kmeans {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Least work, in additions, of each part of a loop that workers share.
constexpr int64_t least_part_work = 1 << 15;

/// Maximum number of parts into which a loop that workers share is divided.
constexpr int64_t max_parts = 64;

/// Maximum number of elements of all parts together. More of them would let more workers share
/// loops whose parts are large.
constexpr int64_t max_room = int64_t{1} << 22;

/// Returns the maximum number of parts that may have `room` elements each for themselves: a power
/// of two, so that two workers, or four, get equally many.
int64_t most_parts(int64_t room) {
  int64_t parts = 1;
  while (2 * parts <= max_parts && 2 * parts <= max_room / std::max(room, int64_t{1})) parts *= 2;
  return parts;
}

/// Hands out the caller's scratch memory in units of 256 bytes; without memory it counts bytes.
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
  /// Whether the caller's `bytes` are enough; where none are needed, there may be no memory.
  bool fits(std::size_t bytes) const { return bytes_ <= bytes && (memory_ || bytes_ == 0); }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

/// Returns into how many parts to divide a loop over `points` points of about `work` additions
/// each: as many as pay, filling and collecting `cells` private elements per part included, and as
/// have memory for these and `room` more. Sizes alone decide, so that results do not depend on the
/// number of workers. Without OpenMP it may be unused.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = least_part_work * std::max(cells / 16, int64_t{1});
  const int64_t least_points = std::max(least_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, most_parts(cells + room));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of cost_gradient
// ---------------------------------------------------------------------------------------

struct CostGradientScratch : Scratch {
  int64_t k, d, parts;

  float* centres_adj_of_parts = take<float>((parts - 1) * k * d);  // [parts - 1][k][d]
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status cost_gradient_scratch(std::size_t* bytes, int64_t n, int64_t k, int64_t d) {
  if (n < 0 || k < 0 || d < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 11 * d * k, k * d);
  *bytes = CostGradientScratch{Scratch(nullptr), k, d, parts}.bytes();
  return Status::success;
}

Status cost_gradient(float* __restrict__ centres_adj, const float* __restrict__ points,
                     const float* __restrict__ centres, int64_t n, int64_t k, int64_t d,
                     void* scratch, std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 11 * d * k, k * d);
  const CostGradientScratch buffers{Scratch(scratch), k, d, parts};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 4 * d) > 1)
#endif
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t t = 0; t < d; ++t) centres_adj[j * d + t] = 0.0f;
  }

#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  // kmeans.fut:9, return sweep of `points |> map (\p -> f32.minimum (map (dist p) ...`: reverse_map
  for (int64_t part = 0; part < parts; ++part) {
    // The first part adds to the result itself, the others to copies.
    float* const own_centres_adj =
        part == 0 ? centres_adj : buffers.centres_adj_of_parts + (part - 1) * (k * d);
    if (part > 0) {
      std::fill_n(own_centres_adj, k * d, 0.0f);
    }
    const int64_t begin = part * n / parts;
    const int64_t end = (part + 1) * n / parts;
    for (int64_t i = begin; i < end; ++i) {
      const float* const p = points + i * d;
      float minimum = INFINITY;
      int64_t winner = -1;
      for (int64_t j = 0; j < k; ++j) {
        const float* const c = centres + j * d;
        float total = 0.0f;
        for (int64_t t = 0; t < d; ++t) {
          const float difference = p[t] - c[t];
          total += difference * difference;
        }
        if (total < minimum) {
          minimum = total;
          winner = j;
        }
      }
      if (winner >= 0) {
        const float* const c = centres + winner * d;
        for (int64_t t = 0; t < d; ++t) {
          const float difference = p[t] - c[t];
          own_centres_adj[winner * d + t] -= 2.0f * difference;
        }
      }
    }
  }
  for (int64_t part = 1; part < parts; ++part) {
    for (int64_t i = 0; i < k * d; ++i) {
      centres_adj[i] += buffers.centres_adj_of_parts[(part - 1) * (k * d) + i];
    }
  }
  return Status::success;
}

}  // namespace kmeans
