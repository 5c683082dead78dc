// kmeans.cu: CUDA C++ for the entry points of kmeans.fut, declared in kmeans.hpp.
// Written by `boustro translate kmeans.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   cost_gradient [n][k][d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32
//     = vjp (cost points) centres 1                                               kmeans.fut:12
//
// The derivative, rule by rule (`boustro derive kmeans.fut` prints it as a program):
//
//   forward  dists[i, j] = sum_t (points[i, t] - centres[j, t])^2
//            nearest[i]  = first j with the least dists[i, j]; -1 if none is below infinity
//   return   cost_adj        = 1                                                       the seed
//            minimum_adj[i]  = cost_adj                                      reverse_reduce_add
//            dists_adj[i, j] = minimum_adj[i] if j == nearest[i], else 0     reverse_reduce_min
//            centres_adj[j, t] += -2 * (points[i, t] - centres[j, t]) * dists_adj[i, j]
//                                                             reverse_map, free array `centres`

#include "kmeans.hpp"

#include <algorithm>
#include <cmath>

namespace kmeans {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

constexpr int block_size = 256;

/// Largest gridDim.y that CUDA accepts.
constexpr unsigned max_grid_height = 65535;

/// Arrays up to this size are indexed by `int`; one stride beyond the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;

/// Shared memory that a block may use without opting in to more.
constexpr std::size_t max_shared_bytes = 48 * 1024;

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

/// Threads along a row of `width` elements: the power of two up to 32 that covers it.
unsigned row_threads_for(int64_t width) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  return threads;
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
// Device functions of cost_gradient
// ---------------------------------------------------------------------------------------

/// adj[nearest[i], t] += -2 * (points[i, t] - centres[nearest[i], t]), the pairs (i, t) being
/// shared out over the grid: i to blockIdx.x and threadIdx.y, t to blockIdx.y and threadIdx.x.
__device__ void add_centres_adj(float* adj, const float* points, const float* centres,
                                const int* nearest, int64_t n, int d) {
  const int64_t first_i = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t stride_i = int64_t(gridDim.x) * blockDim.y;
  const int first_t = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int stride_t = static_cast<int>(gridDim.y * blockDim.x);

  for (int64_t i = first_i; i < n; i += stride_i) {
    const int j = nearest[i];
    if (j < 0) continue;
    for (int t = first_t; t < d; t += stride_t) {
      atomicAdd(&adj[j * d + t], -2.0f * (points[i * d + t] - centres[j * d + t]));
    }
  }
}

// ---------------------------------------------------------------------------------------
// Kernels of cost_gradient
// ---------------------------------------------------------------------------------------

// nearest[i] = argmin_j sum_t (points[i, t] - centres[j, t])^2
//   source  kmeans.fut:9, forward sweep of `map (\p -> f32.minimum ...) points`
//   rule    reverse_reduce_min: only the first minimum receives an adjoint. -1 stands for the
//           neutral element: no centre, or no distance below infinity
//   grid    one thread per point i
__global__ void __launch_bounds__(block_size)
nearest_kernel(int* __restrict__ nearest,          // [n], written
               const float* __restrict__ points,   // [n][d]
               const float* __restrict__ centres,  // [k][d]
               int64_t n, int k, int d) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= n) return;

  const float* const point = points + i * d;
  float min_dist = INFINITY;
  int argmin = -1;
  for (int j = 0; j < k; ++j) {
    float dist = 0.0f;
    for (int t = 0; t < d; ++t) {
      const float difference = point[t] - centres[j * d + t];
      dist += difference * difference;
    }
    if (dist < min_dist) {
      min_dist = dist;
      argmin = j;
    }
  }
  nearest[i] = argmin;
}

// centres_adj[nearest[i], t] += -2 * (points[i, t] - centres[nearest[i], t])
//   source  kmeans.fut:9, return sweep of `map (\p -> f32.minimum ...) points`
//   rule    reverse_map: the adjoint of the free array `centres` is an accumulator
//   grid    blocks stride over i, a block takes whole rows; see add_centres_adj
//
// Every block adds into a copy in shared memory first, then once to `centres_adj`: n * d additions
// would otherwise contend for k * d cells. The order of additions varies.
__global__ void __launch_bounds__(block_size)
centres_adj_shared_kernel(float* __restrict__ centres_adj,    // [k][d], added to
                          const float* __restrict__ points,   // [n][d]
                          const float* __restrict__ centres,  // [k][d]
                          const int* __restrict__ nearest,    // [n]
                          int64_t n, int k, int d) {
  extern __shared__ float block_adj[];  // [k][d]
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);

  for (int cell = thread; cell < k * d; cell += block_size) block_adj[cell] = 0.0f;
  __syncthreads();  // block_adj is zero

  add_centres_adj(block_adj, points, centres, nearest, n, d);
  __syncthreads();  // block_adj is complete

  for (int cell = thread; cell < k * d; cell += block_size) {
    atomicAdd(&centres_adj[cell], block_adj[cell]);
  }
}

// The same, straight to global memory, for when k * d cells do not fit in shared memory.
//   grid    one thread per pair (i, t); see add_centres_adj
__global__ void __launch_bounds__(block_size)
centres_adj_global_kernel(float* __restrict__ centres_adj,    // [k][d], added to
                          const float* __restrict__ points,   // [n][d]
                          const float* __restrict__ centres,  // [k][d]
                          const int* __restrict__ nearest,    // [n]
                          int64_t n, int d) {
  add_centres_adj(centres_adj, points, centres, nearest, n, d);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of cost_gradient
// ---------------------------------------------------------------------------------------

struct CostGradientScratch {
  int* nearest;  // [n]
  std::size_t bytes;

  CostGradientScratch(void* memory, int64_t n) {
    Scratch scratch(memory);
    nearest = scratch.take<int>(n);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t cost_gradient_scratch(std::size_t* bytes, int64_t n, int64_t k, int64_t d) {
  if (n < 0 || k < 0 || d < 0) return cudaErrorInvalidValue;
  if (k > max_int_size || d > max_int_size || k * d > max_int_size) return cudaErrorInvalidValue;
  *bytes = CostGradientScratch(nullptr, n).bytes;
  return cudaSuccess;
}

cudaError_t cost_gradient(float* centres_adj, const float* points, const float* centres, int64_t n,
                          int64_t k, int64_t d, void* scratch, std::size_t scratch_bytes,
                          cudaStream_t stream) {
  if (n < 0 || k < 0 || d < 0) return cudaErrorInvalidValue;
  if (k > max_int_size || d > max_int_size || k * d > max_int_size) return cudaErrorInvalidValue;
  const CostGradientScratch buffers(scratch, n);
  if (scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  if (k == 0 || d == 0) return cudaSuccess;  // the result has no elements

  if (const auto error = cudaMemsetAsync(centres_adj, 0,
                                         static_cast<std::size_t>(k * d) * sizeof(float), stream)) {
    return error;
  }
  if (n == 0) return cudaSuccess;  // nothing to add, and CUDA rejects an empty grid

  // Forward sweep.
  {
    const unsigned grid_size = blocks_for(n, block_size);
    nearest_kernel<<<grid_size, block_size, 0, stream>>>(buffers.nearest, points, centres, n,
                                                         static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }

  // Return sweep. threadIdx.x runs along a row, so d decides the shape of a block.
  const unsigned row_threads = row_threads_for(d);
  const unsigned column_threads = static_cast<unsigned>(block_size) / row_threads;
  const std::size_t centres_bytes = static_cast<std::size_t>(k * d) * sizeof(float);
  if (centres_bytes <= max_shared_bytes) {
    // A copy per block pays off if the block adds to each cell often: here 16 times on average.
    const int64_t points_per_block = std::max<int64_t>(16 * k, 256);
    const unsigned grid_size = blocks_for(n, points_per_block);
    const dim3 block_shape(row_threads, column_threads);
    centres_adj_shared_kernel<<<grid_size, block_shape, centres_bytes, stream>>>(
        centres_adj, points, centres, buffers.nearest, n, static_cast<int>(k), static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  } else {
    const dim3 block_shape(row_threads, column_threads);
    const dim3 grid_shape(blocks_for(n, column_threads),
                          std::min(blocks_for(d, row_threads), max_grid_height));
    centres_adj_global_kernel<<<grid_shape, block_shape, 0, stream>>>(
        centres_adj, points, centres, buffers.nearest, n, static_cast<int>(d));
    if (const auto error = cudaGetLastError()) return error;
  }
  return cudaSuccess;
}

}  // namespace kmeans
