// ode.cu: CUDA C++ for the entry points of ode.fut, declared in ode.hpp.
// Written by `boustro translate ode.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : ([n]f64, [n]f64)
//     = vjp (\(rs, y0s) -> f64.sum (map2 (grow steps) rs y0s)) (rs, y0s) 1            ode.fut:8
//
// The derivative, rule by rule (`boustro derive ode.fut` prints it as a program), for each i:
//
//   forward  y[0] = y0s[i];  y[s + 1] = y[s] + 0.01 * r * y[s] * (1 - y[s]),  where r = rs[i]
//   return   y_adj = 1, r_adj = 0                                            reverse_reduce_add
//            for s = steps - 1, ..., 0:                                            reverse_loop
//              r_adj += 0.01 * y[s] * (1 - y[s]) * y_adj                   reverse_scalar, d/dr
//              y_adj += 0.01 * r * (1 - 2 * y[s]) * y_adj                  reverse_scalar, d/dy
//            rs_adj[i] = r_adj, y0s_adj[i] = y_adj                                  reverse_map
//
// #[stripmine(2)]: `steps` is split into chunks of ceil(sqrt(steps)). A thread keeps y at the start
// of each chunk and every y of one chunk, 2 * sqrt(steps) values, and runs each step forwards
// twice.

#include "ode.hpp"

#include <algorithm>
#include <cmath>

namespace ode {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

constexpr int block_size = 256;

/// About what the largest devices keep resident. Bounds scratch memory that every thread has.
constexpr int64_t max_threads = int64_t{1} << 18;

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
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

// ---------------------------------------------------------------------------------------
// Device functions of growth_gradient
// ---------------------------------------------------------------------------------------

/// One Euler step: the body of the loop in `grow`.                                    ode.fut:4
__device__ double grow_step(double y, double r) { return y + 0.01 * r * y * (1.0 - y); }

// ---------------------------------------------------------------------------------------
// Kernels of growth_gradient
// ---------------------------------------------------------------------------------------

// (rs_adj[i], y0s_adj[i]) = adjoints of the rate and the start of trajectory i
//   source  ode.fut:8, both sweeps of `map2 (grow steps) rs y0s`
//   rule    reverse_map; reverse_loop, strip-mined; the adjoint of `f64.sum` is 1 for every element
//   grid    threads stride over i, since each needs scratch; [...][threads] keeps the accesses of
//           neighbouring threads side by side
__global__ void __launch_bounds__(block_size)
growth_gradient_kernel(double* __restrict__ rs_adj,        // [n], written
                       double* __restrict__ y0s_adj,       // [n], written
                       double* __restrict__ chunk_starts,  // [chunks][threads], scratch
                       double* __restrict__ ys,            // [chunk_size][threads], scratch
                       const double* __restrict__ rs,      // [n]
                       const double* __restrict__ y0s,     // [n]
                       int64_t steps, int64_t chunks, int64_t chunk_size, int64_t n) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < n; i += threads) {
    const double r = rs[i];

    // Forward sweep.
    double y = y0s[i];
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      chunk_starts[chunk * threads + thread] = y;
      const int64_t length = min(chunk_size, steps - chunk * chunk_size);
      for (int64_t j = 0; j < length; ++j) y = grow_step(y, r);
    }

    // Return sweep.
    double r_adj = 0.0;
    double y_adj = 1.0;
    for (int64_t chunk = chunks - 1; chunk >= 0; --chunk) {
      const int64_t length = min(chunk_size, steps - chunk * chunk_size);

      // Run the chunk again, keeping every y.
      y = chunk_starts[chunk * threads + thread];
      for (int64_t j = 0; j < length; ++j) {
        ys[j * threads + thread] = y;
        y = grow_step(y, r);
      }

      // Return sweep of `y + 0.01 * r * y * (1 - y)`.
      for (int64_t j = length - 1; j >= 0; --j) {
        y = ys[j * threads + thread];
        r_adj += 0.01 * y * (1.0 - y) * y_adj;
        y_adj += 0.01 * r * (1.0 - 2.0 * y) * y_adj;
      }
    }

    rs_adj[i] = r_adj;
    y0s_adj[i] = y_adj;
  }
}

// ---------------------------------------------------------------------------------------
// Scratch memory of growth_gradient
// ---------------------------------------------------------------------------------------

struct GrowthGradientScratch {
  unsigned grid_size;
  int64_t chunk_size, chunks, threads;
  double* chunk_starts;  // [chunks][threads]
  double* ys;            // [chunk_size][threads]
  std::size_t bytes;

  GrowthGradientScratch(void* memory, int64_t steps, int64_t n) {
    grid_size = blocks_for(std::min(n, max_threads), block_size);
    chunk_size = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(steps))));
    chunks = steps == 0 ? 0 : (steps + chunk_size - 1) / chunk_size;
    threads = int64_t{grid_size} * block_size;

    Scratch scratch(memory);
    chunk_starts = scratch.take<double>(chunks * threads);
    ys = scratch.take<double>(chunk_size * threads);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n) {
  if (n < 0) return cudaErrorInvalidValue;
  steps = std::max<int64_t>(steps, 0);  // a loop `for _i < steps` does not run for negative steps
  *bytes = GrowthGradientScratch(nullptr, steps, n).bytes;
  return cudaSuccess;
}

cudaError_t growth_gradient(double* rs_adj, double* y0s_adj, int64_t steps, const double* rs,
                            const double* y0s, int64_t n, void* scratch, std::size_t scratch_bytes,
                            cudaStream_t stream) {
  if (n < 0) return cudaErrorInvalidValue;
  steps = std::max<int64_t>(steps, 0);  // a loop `for _i < steps` does not run for negative steps
  const GrowthGradientScratch buffers(scratch, steps, n);
  if (scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  if (n == 0) return cudaSuccess;  // the results have no elements; CUDA rejects an empty grid

  growth_gradient_kernel<<<buffers.grid_size, block_size, 0, stream>>>(
      rs_adj, y0s_adj, buffers.chunk_starts, buffers.ys, rs, y0s, steps, buffers.chunks,
      buffers.chunk_size, n);
  return cudaGetLastError();
}

}  // namespace ode
