// growth.cpp: C++ for the entry points of growth.fut, declared in growth.hpp.
// Written by `boustro translate growth.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : [n]f64           growth.fut:6

#include "growth.hpp"

#include <algorithm>

namespace growth {
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
// Functions of growth_gradient
// ---------------------------------------------------------------------------------------

/// One Euler step: the body of the loop in `grow`.                                 growth.fut:4
double grow_step(double y, double r) { return y + 0.01 * r * y * (1.0 - y); }

// ---------------------------------------------------------------------------------------
// Scratch memory of growth_gradient
// ---------------------------------------------------------------------------------------

struct GrowthGradientScratch {
  double* ys;  // [steps]
  std::size_t bytes;

  GrowthGradientScratch(void* memory, int64_t steps) {
    Scratch scratch(memory);
    ys = scratch.take<double>(steps);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n) {
  if (n < 0) return Status::invalid_value;
  steps = std::max<int64_t>(steps, 0);
  *bytes = GrowthGradientScratch(nullptr, steps).bytes;
  return Status::success;
}

Status growth_gradient(double* __restrict__ rs_adj, int64_t steps, const double* __restrict__ rs,
                       const double* __restrict__ y0s, int64_t n, void* scratch,
                       std::size_t scratch_bytes) {
  if (n < 0) return Status::invalid_value;
  steps = std::max<int64_t>(steps, 0);
  const GrowthGradientScratch buffers(scratch, steps);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
  double* const ys = buffers.ys;
  for (int64_t i = 0; i < n; ++i) {
    const double r = rs[i];

    // Forward sweep.
    double y = y0s[i];
    for (int64_t s = 0; s < steps; ++s) {
      ys[s] = y;
      y = grow_step(y, r);
    }

    // Return sweep.
    double r_adj = 0.0;
    double y_adj = 1.0;
    for (int64_t s = steps - 1; s >= 0; --s) {
      y = ys[s];
      r_adj += 0.01 * y * (1.0 - y) * y_adj;
      y_adj += 0.01 * r * (1.0 - 2.0 * y) * y_adj;
    }
    rs_adj[i] = r_adj;
  }
  return Status::success;
}

}  // namespace growth
