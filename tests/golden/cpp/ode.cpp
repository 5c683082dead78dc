// ode.cpp: C++ for the entry points of ode.fut, declared in ode.hpp.
// Written by `boustro translate ode.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : ([n]f64, [n]f64)
//     = vjp (\(rs, y0s) -> f64.sum (map2 (grow steps) rs y0s)) (rs, y0s) 1            ode.fut:7

#include "ode.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <type_traits>

namespace ode {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Workers share a loop in parts of at least so much work, in additions.
constexpr int64_t least_part_work = 1 << 15;

/// Loops that workers share are divided into at most so many parts.
constexpr int64_t max_parts = 64;

/// How many parts have `room` elements each for themselves, at least one: 2^24 in all.
int64_t most_parts(int64_t room) {
  return std::clamp((int64_t{1} << 24) / std::max(room, int64_t{1}), int64_t{1}, max_parts);
}

/// Into how many parts to divide a loop over `points`, each of about `work` additions: as many as
/// pay, for filling and collecting the `cells` that each part has for itself, too; besides these it
/// needs some `room`. Sizes alone decide, so that results do not depend on the number of workers.
/// Without OpenMP it may be that nobody asks.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = least_part_work * std::max(cells / 16, int64_t{1});
  const int64_t least_points = std::max(least_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, most_parts(cells + room));
}

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

/// x rounded towards zero; 0 for NaN and the infinities. Out of range of 64 bits, or of int, it
/// becomes the nearest such integer; narrower types and unsigned keep the low bits of 64.
template <typename Integer, typename Float>
Integer to_integer(Float x) {
  if (std::isnan(x) || std::isinf(x)) return 0;
  if constexpr (std::is_same_v<Integer, int>) {
    if (x >= static_cast<Float>(0x1p31)) return INT_MAX;
    return x < static_cast<Float>(-0x1p31) ? INT_MIN : static_cast<int>(x);
  }
  const Float limit = static_cast<Float>(0x1p63);
  if (x < -limit) return static_cast<Integer>(INT64_MIN);
  if (x < limit) return static_cast<Integer>(static_cast<int64_t>(x));
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == 8) {
    return x < 2 * limit ? static_cast<Integer>(x) : static_cast<Integer>(UINT64_MAX);
  }
  return static_cast<Integer>(INT64_MAX);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of growth_gradient
// ---------------------------------------------------------------------------------------

struct GrowthGradientScratch {
  double* y_states;    // [parts][chunks + 1]
  double* y_states_2;  // [parts][count]
  std::size_t bytes;

  GrowthGradientScratch(void* memory, int64_t chunk_size, int64_t chunks, int64_t parts,
                        int64_t trips) {
    Scratch scratch(memory);
    y_states = scratch.take<double>(parts * (chunks + 1));
    y_states_2 = scratch.take<double>(parts * std::max<int64_t>(std::min(chunk_size, trips), 0));
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n) {
  if (n < 0) return Status::invalid_value;
  const int64_t trips = std::max<int64_t>(steps, 0);
  const int64_t some_trips = std::max<int64_t>(steps, 1);
  const int64_t root = std::max<int64_t>(
      1, std::min<int64_t>(
             to_integer<int64_t>(std::rint(std::pow(static_cast<double>(some_trips), 0.5))),
             3037000498));
  const int64_t chunk_size = root + static_cast<int64_t>(root * root < some_trips);
  const int64_t chunks = (some_trips - 1) / chunk_size;
  const int64_t parts =
      parts_for(n, 109285, 0, chunks + 1 + std::max<int64_t>(std::min(chunk_size, trips), 0));
  *bytes = GrowthGradientScratch(nullptr, chunk_size, chunks, parts, trips).bytes;
  return Status::success;
}

Status growth_gradient(double* __restrict__ rs_adj, double* __restrict__ y0s_adj, int64_t steps,
                       const double* __restrict__ rs, const double* __restrict__ y0s, int64_t n,
                       void* scratch, std::size_t scratch_bytes) {
  if (n < 0) return Status::invalid_value;
  const int64_t trips = std::max<int64_t>(steps, 0);
  const int64_t some_trips = std::max<int64_t>(steps, 1);
  const int64_t root = std::max<int64_t>(
      1, std::min<int64_t>(
             to_integer<int64_t>(std::rint(std::pow(static_cast<double>(some_trips), 0.5))),
             3037000498));
  const int64_t chunk_size = root + static_cast<int64_t>(root * root < some_trips);
  const int64_t chunks = (some_trips - 1) / chunk_size;
  const int64_t parts =
      parts_for(n, 109285, 0, chunks + 1 + std::max<int64_t>(std::min(chunk_size, trips), 0));
  const GrowthGradientScratch buffers(scratch, chunk_size, chunks, parts, trips);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  for (int64_t part = 0; part < parts; ++part) {
    double* const y_states = buffers.y_states + part * (chunks + 1);
    double* const y_states_2 =
        buffers.y_states_2 + part * std::max<int64_t>(std::min(chunk_size, trips), 0);
    const int64_t begin = part * n / parts;
    const int64_t end = (part + 1) * n / parts;
    for (int64_t i = begin; i < end; ++i) {
      const double product = 0.01 * rs[i];
      double y = y0s[i];
      for (int64_t chunk = 0; chunk < chunks + 1; ++chunk) {
        y_states[chunk] = y;
        for (int64_t j = 0; j < std::min(chunk_size, trips - chunk * chunk_size); ++j) {
          y += product * y * (1.0 - y);
        }
      }
      double y_adj = 1.0;
      double product_adj = 0.0;
      for (int64_t chunk = chunks + 1 - 1; chunk >= 0; --chunk) {
        const double y_2 = y_states[chunk];
        const int64_t length = std::min(chunk_size, trips - chunk * chunk_size);
        double y_3 = y_2;
        for (int64_t j = 0; j < length; ++j) {
          y_states_2[j] = y_3;
          y_3 += product * y_3 * (1.0 - y_3);
        }
        for (int64_t j = length - 1; j >= 0; --j) {
          const double y_4 = y_states_2[j];
          const double term = y_adj * (1.0 - y_4);
          y_adj = y_adj - y_adj * (product * y_4) + term * product;
          product_adj += term * y_4;
        }
      }
      rs_adj[i] = product_adj * 0.01;
      y0s_adj[i] = y_adj;
    }
  }
  return Status::success;
}

}  // namespace ode
