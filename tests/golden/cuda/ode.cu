// ode.cu: CUDA C++ for the entry points of ode.fut, declared in ode.hpp.
// Written by `boustro translate ode.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : ([n]f64, [n]f64)
//     = vjp (\(rs, y0s) -> f64.sum (map2 (grow steps) rs y0s)) (rs, y0s) 1            ode.fut:7
//
//   The derivative, rule by rule (`boustro derive ode.fut` prints it as a program):
//
//   return   rs_adj[i] and y0s_adj[i]: see rs_adj_kernel
//                             reverse_map, reverse_loop_stripmine, reverse_loop, reverse_scalar

#include "ode.hpp"

#include <algorithm>
#include <cmath>

namespace ode {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

constexpr int block_size = 256;

/// Maximum number of threads of a kernel in which each needs scratch memory: about what the largest
/// devices keep resident.
constexpr int64_t max_threads = int64_t{1} << 18;

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

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

// ---------------------------------------------------------------------------------------
// Kernels of growth_gradient
// ---------------------------------------------------------------------------------------

// rs_adj[i] and y0s_adj[i], step by step as below
//   source  ode.fut:8, return sweep of `map2 (grow steps) rs y0s`
//   rule    reverse_map; reverse_loop_stripmine; reverse_loop; reverse_scalar
//   grid    one thread per `i`; threads stride over the rest, each with memory of its own
__global__ void __launch_bounds__(block_size)
rs_adj_kernel(
    double* __restrict__ rs_adj,          // [n], written
    double* __restrict__ y0s_adj,         // [n], written
    double* __restrict__ chunk_y_states,  // [(some_trips - 1) / chunk_size + 1][threads], scratch
    double* __restrict__ y_states,        // [max(min(chunk_size, trips), 0)][threads], scratch
    const double* __restrict__ rs,        // [n]
    const double* __restrict__ y0s,       // [n]
    int64_t n, int64_t some_trips, int64_t chunk_size, int64_t trips) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < n; i += threads) {
    const double product = 0.01 * rs[i];
    const int64_t last_chunk = (some_trips - 1) / chunk_size;
    const int64_t chunks = last_chunk + 1;
    double y = y0s[i];
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      chunk_y_states[chunk * threads + thread] = y;
      for (int64_t j = 0; j < min(chunk_size, trips - chunk * chunk_size); ++j) {
        y += product * y * (1.0 - y);
      }
    }
    double y_adj = 1.0;
    double product_adj = 0.0;
    for (int64_t chunk = chunks - 1; chunk >= 0; --chunk) {
      const int64_t length = min(chunk_size, trips - chunk * chunk_size);
      double other_y = chunk_y_states[chunk * threads + thread];
      for (int64_t j = 0; j < length; ++j) {
        y_states[j * threads + thread] = other_y;
        other_y += product * other_y * (1.0 - other_y);
      }
      for (int64_t j = length - 1; j >= 0; --j) {
        const double y_again = y_states[j * threads + thread];
        const double term = y_adj * (1.0 - y_again);
        y_adj = y_adj - y_adj * (product * y_again) + term * product;
        product_adj += term * y_again;
      }
    }
    rs_adj[i] = product_adj * 0.01;
    y0s_adj[i] = y_adj;
  }
}

// ---------------------------------------------------------------------------------------
// Scratch memory of growth_gradient
// ---------------------------------------------------------------------------------------

struct GrowthGradientScratch : Scratch {
  int64_t steps, n;

  int64_t trips = std::max<int64_t>(steps, 0);
  int64_t some_trips = std::max<int64_t>(steps, 1);
  int64_t chunk_size = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(some_trips))));
  unsigned rs_adj_grid = blocks_for(std::min(n, max_threads), block_size);

  double* chunk_y_states =
      take<double>(((some_trips - 1) / chunk_size + 1) * (int64_t{rs_adj_grid} * block_size));
  double* y_states =
      take<double>(std::min(chunk_size, trips) * (int64_t{rs_adj_grid} * block_size));
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n) {
  if (n < 0) return cudaErrorInvalidValue;
  *bytes = GrowthGradientScratch{Scratch(nullptr), steps, n}.bytes();
  return cudaSuccess;
}

cudaError_t growth_gradient(double* rs_adj, double* y0s_adj, int64_t steps, const double* rs,
                            const double* y0s, int64_t n, void* scratch, std::size_t scratch_bytes,
                            cudaStream_t stream) {
  if (n < 0) return cudaErrorInvalidValue;
  const GrowthGradientScratch buffers{Scratch(scratch), steps, n};
  if (!buffers.fits(scratch_bytes)) return cudaErrorInvalidValue;

  if (n == 0) return cudaSuccess;  // the results have no elements

  rs_adj_kernel<<<buffers.rs_adj_grid, block_size, 0, stream>>>(
      rs_adj, y0s_adj, buffers.chunk_y_states, buffers.y_states, rs, y0s, n, buffers.some_trips,
      buffers.chunk_size, buffers.trips);
  return cudaGetLastError();
}

}  // namespace ode
