// lstm.cu: CUDA C++ for the entry points of lstm.fut, declared in lstm.hpp.
// Written by `boustro translate lstm.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   calculate_objective [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : f64
//     = objective main_params extra_params state sequence                           lstm.fut:52
//
//   calculate_jacobian [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : ([m][w]f64, [3][b]f64)
//     = ...                                                                         lstm.fut:60
//
//   The derivative, rule by rule (`boustro derive lstm.fut` prints it as a program):
//
//   forward  first[i] = sequence[i] * extra_params[i]
//            cell[i] = sum_4
//            x_next[i] = 1 / (1 + exp(-(x[i] * weights_3[i] + biases_3[i]))) * tanh(sum_4)
//              where sum_4 = state_2[i] / (1 + exp(-(x[i] * weights[i] + biases[i]))) + 1 / (1 +
//                exp(-(state[i] * weights_2[i] + biases_2[i]))) * tanh(state[i] * weights_4[i] +
//                biases_4[i])
//            first_2[i] = sequence[i] * extra_params[i]
//            cell_2[i] = sum_4
//            x_next_2[i] = 1 / (1 + exp(-(x_2[i] * weights_3[i] + biases_3[i]))) * tanh(sum_4)
//              where sum_4 = state_2[i] / (1 + exp(-(x_2[i] * weights[i] + biases[i]))) + 1 / (1 +
//                exp(-(state[i] * weights_2[i] + biases_2[i]))) * tanh(state[i] * weights_4[i] +
//                biases_4[i])
//            total_parts[i] = exp(sum)
//            ys[i] = sum
//              where sum = x_2[i] * extra[i] + extra_2[i]
//            sum = 2 + total
//              where total = sum_{i < b} total_parts[i]
//   return   normaliser_adj_parts[i] = -term * sequence[i]
//            ys_adj[i] = term * sequence[i]                         reverse_map, reverse_scalar
//            term_2 = normaliser_adj / sum
//              where normaliser_adj = sum_{i < b} normaliser_adj_parts[i]
//                                                                   reverse_map, reverse_scalar
//            last_adj[i] = ys_adj_2 * extra[i]
//            extra_adj_next_2[i] = extra_adj_2[i] + ys_adj_2 * x_2[i]
//            extra_adj_next_3[i] = extra_adj_3[i] + ys_adj_2
//              where ys_adj_2 = ys_adj[i] + term_2 * exp(ys[i])     reverse_map, reverse_scalar
//            state_adj_2[i], part_adj[i], part_adj_2[i] and others, step by step as below
//                                    reverse_index, reverse_update, reverse_scalar, reverse_map
//            part_adj[i] += state_adj_2[i]                                        reverse_index
//            part_adj[i] += state_adj_3[i]                                        reverse_index
//            extra_adj_next[i] = extra_adj[i] + x_adj[i] * sequence[i]
//                                                                   reverse_map, reverse_scalar

#include "lstm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace lstm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

constexpr int block_size = 256;

/// Arrays up to this size are indexed by `int`; one stride beyond the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;

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

/// Hands what is assigned to it, a T, to a functor, with its index. Thrust's own iterator does not
/// name the type, which CUB needs where Clang compiles it.
template <typename T, typename Store>
struct StoredBy : thrust::tabulate_output_iterator<Store> {
  using value_type = T;
  using thrust::tabulate_output_iterator<Store>::tabulate_output_iterator;
};

/// An output iterator whose elements `store` takes.
template <typename T, typename Store>
StoredBy<T, Store> stored_by(Store store) {
  return StoredBy<T, Store>(store);
}

// ---------------------------------------------------------------------------------------
// Device functions of calculate_objective
// ---------------------------------------------------------------------------------------

/// Output of the reduction: takes total, and stores what is computed from it.
struct StoreNormaliser {
  double* normaliser;  // written

  __device__ void operator()(int64_t /*index_*/, double total) const {
    normaliser[0] = log(2.0 + total);
  }
};

/// x + y
struct Add {
  __device__ double operator()(double x, double y) const { return x + y; }
};

/// Output of the reduction: takes total, and stores what is computed from it.
struct StoreSum {
  double* total_next;  // written
  const double* total_2;

  __device__ void operator()(int64_t /*index_*/, double total) const {
    total_next[0] = total_2[0] + total;
  }
};

/// Input of the reduction: one element.
/// sequence[i] * (ys[i] - normaliser)
struct TotalAt {
  const double* sequence;  // [b]
  const double* ys;        // [b]
  const double* normaliser;

  __device__ double operator()(int64_t i) const { return sequence[i] * (ys[i] - normaliser[0]); }
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_objective
// ---------------------------------------------------------------------------------------

// first[i] = sequence[i] * extra_params[i]
//   source  lstm.fut:28, `map2 (*) input extra[0]`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_objective_first_kernel(double* __restrict__ first,               // [b], written
                                 const double* __restrict__ sequence,      // [b]
                                 const double* __restrict__ extra_params,  // [b]
                                 int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  first[i] = sequence[i] * extra_params[i];
}

// cell[i] and x_next[i], step by step as below
//   source  lstm.fut:19, `map2 (\o c -> o * f64.tanh c) outgate new_cell`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_objective_cell_kernel(double* __restrict__ cell,             // [b], updated
                                double* __restrict__ x_next,           // [b], written
                                const double* __restrict__ x,          // [b]
                                const double* __restrict__ weights,    // [b]
                                const double* __restrict__ biases,     // [b]
                                const double* __restrict__ state,      // [b]
                                const double* __restrict__ weights_2,  // [b]
                                const double* __restrict__ biases_2,   // [b]
                                const double* __restrict__ weights_3,  // [b]
                                const double* __restrict__ biases_3,   // [b]
                                const double* __restrict__ weights_4,  // [b]
                                const double* __restrict__ biases_4,   // [b]
                                int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double x_2 = x[i];
  const double x_3 = state[i];
  const double x_4 = cell[i];
  const double sum = 1.0 + exp(-(x_2 * weights[i] + biases[i]));
  const double sum_2 = 1.0 + exp(-(x_3 * weights_2[i] + biases_2[i]));
  const double sum_3 = 1.0 + exp(-(x_2 * weights_3[i] + biases_3[i]));
  const double product = 1.0 / sum_2 * tanh(x_3 * weights_4[i] + biases_4[i]);
  const double sum_4 = x_4 * (1.0 / sum) + product;
  cell[i] = sum_4;
  x_next[i] = 1.0 / sum_3 * tanh(sum_4);
}

// total_parts[i] = exp(sum)
// ys[i] = sum
//   where sum = x[i] * extra[i] + extra_2[i]
//   source  lstm.fut:48, `f64.sum (map f64.exp ys)`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_objective_total_parts_kernel(double* __restrict__ total_parts,    // [b], written
                                       double* __restrict__ ys,             // [b], written
                                       const double* __restrict__ x,        // [b]
                                       const double* __restrict__ extra,    // [b]
                                       const double* __restrict__ extra_2,  // [b]
                                       int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double sum = x[i] * extra[i] + extra_2[i];
  total_parts[i] = exp(sum);
  ys[i] = sum;
}

// quotient = -total / (b * (t - 1))
//   source  lstm.fut:50, `-total / f64.i64 (b * (t - 1))`
//   grid    one thread
__global__ void __launch_bounds__(block_size)
quotient_kernel(double* __restrict__ quotient,  // written
                const double* __restrict__ total, int b, int t) {
  quotient[0] = -total[0] / static_cast<double>(int64_t{b} * (int64_t{t} - 1));
}

// ---------------------------------------------------------------------------------------
// Reductions of calculate_objective. As in CUB, a null `scratch` means: only set `bytes`
// ---------------------------------------------------------------------------------------

// normaliser = log(2 + total)
//   where total = sum_{i < b} total_parts[i]
//   source  lstm.fut:48, `f64.sum (map f64.exp ys)`
//   order   associates freely; one pass over the data
cudaError_t reduce_normaliser(void* scratch, std::size_t& bytes,  // of `scratch`
                              double* normaliser,                 // written
                              const double* total_parts,          // [b]
                              int64_t b, cudaStream_t stream) {
  const auto output_iterator = stored_by<double>(StoreNormaliser{normaliser});
  return cub::DeviceReduce::Reduce(scratch, bytes, total_parts, output_iterator, b, Add{}, 0.0,
                                   stream);
}

// total_next = total_2 + total
//   where total = sum_{i < b} sequence[i] * (ys[i] - normaliser)
//   source  lstm.fut:49, `f64.sum (map2 (\x y -> x * (y - normaliser)) sequence[i +...`
//   order   associates freely; one pass over the data
cudaError_t reduce_sum(void* scratch, std::size_t& bytes,              // of `scratch`
                       double* total_next,                             // written
                       const double* total_2, const double* sequence,  // [b]
                       const double* ys,                               // [b]
                       const double* normaliser, int64_t b, cudaStream_t stream) {
  const auto input_iterator = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                              TotalAt{sequence, ys, normaliser});
  const auto output_iterator = stored_by<double>(StoreSum{total_next, total_2});
  return cub::DeviceReduce::Reduce(scratch, bytes, input_iterator, output_iterator, b, Add{}, 0.0,
                                   stream);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch {
  double* start;  // [l][2][b]
  double* total_memory;
  double* total_next_memory;
  double* first;          // [b]
  double* x_next_memory;  // [b]
  double* total_parts;    // [b]
  double* ys;             // [b]
  double* normaliser;
  std::byte* library_scratch;  // for one library call after the other
  std::size_t library_bytes;
  cudaError_t status;  // of asking for library_bytes
  std::size_t bytes;

  CalculateObjectiveScratch(void* memory, int64_t b, int64_t l) {
    status = query_library(b, l);

    Scratch scratch(memory);
    start = scratch.take<double>(l * 2 * b);
    total_memory = scratch.take<double>(1);
    total_next_memory = scratch.take<double>(1);
    first = scratch.take<double>(b);
    x_next_memory = scratch.take<double>(b);
    total_parts = scratch.take<double>(b);
    ys = scratch.take<double>(b);
    normaliser = scratch.take<double>(1);
    library_scratch = scratch.take<std::byte>(static_cast<int64_t>(library_bytes));
    bytes = scratch.bytes();
  }

  // The calls follow one another in the same memory, so the largest need counts.
  cudaError_t query_library(int64_t b, int64_t /*l*/) {
    library_bytes = 0;
    std::size_t needed = 0;
    if (const auto error = reduce_normaliser(nullptr, needed, nullptr, nullptr, b, nullptr)) {
      return error;
    }
    library_bytes = std::max(library_bytes, needed);
    if (const auto error =
            reduce_sum(nullptr, needed, nullptr, nullptr, nullptr, nullptr, nullptr, b, nullptr)) {
      return error;
    }
    library_bytes = std::max(library_bytes, needed);
    return cudaSuccess;
  }
};

// ---------------------------------------------------------------------------------------
// Device functions of calculate_jacobian
// ---------------------------------------------------------------------------------------

/// Output of the reduction: takes total, and stores what is computed from it.
struct StoreSum_2 {
  double* sum;  // written

  __device__ void operator()(int64_t /*index_*/, double total) const { sum[0] = 2.0 + total; }
};

/// x + y
struct Add_2 {
  __device__ double operator()(double x, double y) const { return x + y; }
};

/// Output of the reduction: takes normaliser_adj, and stores what is computed from it.
struct StoreTerm {
  double* term_2;  // written
  const double* sum;

  __device__ void operator()(int64_t /*index_*/, double normaliser_adj) const {
    term_2[0] = normaliser_adj / sum[0];
  }
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_jacobian
// ---------------------------------------------------------------------------------------

// first[i] = sequence[i] * extra_params[i]
//   source  lstm.fut:28, `map2 (*) input extra[0]`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_jacobian_first_kernel(double* __restrict__ first,               // [b], written
                                const double* __restrict__ sequence,      // [b]
                                const double* __restrict__ extra_params,  // [b]
                                int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  first[i] = sequence[i] * extra_params[i];
}

// cell[i] = sum_4
// x_next[i] = 1 / (1 + exp(-(x[i] * weights_3[i] + biases_3[i]))) * tanh(sum_4)
//   where sum_4 = state_2[i] / (1 + exp(-(x[i] * weights[i] + biases[i]))) + 1 / (1 +
//       exp(-(state[i] * weights_2[i] + biases_2[i]))) * tanh(state[i] * weights_4[i] +
//       biases_4[i])
//   source  lstm.fut:19, `map2 (\o c -> o * f64.tanh c) outgate new_cell`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_jacobian_cell_kernel(double* __restrict__ cell,             // [b], written
                               double* __restrict__ x_next,           // [b], written
                               const double* __restrict__ x,          // [b]
                               const double* __restrict__ weights,    // [b]
                               const double* __restrict__ biases,     // [b]
                               const double* __restrict__ state,      // [b]
                               const double* __restrict__ weights_2,  // [b]
                               const double* __restrict__ biases_2,   // [b]
                               const double* __restrict__ weights_3,  // [b]
                               const double* __restrict__ biases_3,   // [b]
                               const double* __restrict__ weights_4,  // [b]
                               const double* __restrict__ biases_4,   // [b]
                               const double* __restrict__ state_2,    // [b]
                               int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double x_2 = x[i];
  const double x_3 = state[i];
  const double sum = 1.0 + exp(-(x_2 * weights[i] + biases[i]));
  const double sum_2 = 1.0 + exp(-(x_3 * weights_2[i] + biases_2[i]));
  const double sum_3 = 1.0 + exp(-(x_2 * weights_3[i] + biases_3[i]));
  const double product = 1.0 / sum_2 * tanh(x_3 * weights_4[i] + biases_4[i]);
  const double sum_4 = state_2[i] * (1.0 / sum) + product;
  cell[i] = sum_4;
  x_next[i] = 1.0 / sum_3 * tanh(sum_4);
}

// first_2[i] = sequence[i] * extra_params[i]
//   source  lstm.fut:28, forward sweep of `map2 (*) input extra[0]`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_jacobian_first_kernel_2(double* __restrict__ first_2,             // [b], written
                                  const double* __restrict__ sequence,      // [b]
                                  const double* __restrict__ extra_params,  // [b]
                                  int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  first_2[i] = sequence[i] * extra_params[i];
}

// cell_2[i] = sum_4
// x_next_2[i] = 1 / (1 + exp(-(x_2[i] * weights_3[i] + biases_3[i]))) * tanh(sum_4)
//   where sum_4 = state_2[i] / (1 + exp(-(x_2[i] * weights[i] + biases[i]))) + 1 / (1 +
//       exp(-(state[i] * weights_2[i] + biases_2[i]))) * tanh(state[i] * weights_4[i] +
//       biases_4[i])
//   source  lstm.fut:19, forward sweep of `map2 (\o c -> o * f64.tanh c) outgate new_cell`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_jacobian_cell_kernel_2(double* __restrict__ cell_2,           // [b], written
                                 double* __restrict__ x_next_2,         // [b], written
                                 const double* __restrict__ x_2,        // [b]
                                 const double* __restrict__ weights,    // [b]
                                 const double* __restrict__ biases,     // [b]
                                 const double* __restrict__ state,      // [b]
                                 const double* __restrict__ weights_2,  // [b]
                                 const double* __restrict__ biases_2,   // [b]
                                 const double* __restrict__ weights_3,  // [b]
                                 const double* __restrict__ biases_3,   // [b]
                                 const double* __restrict__ weights_4,  // [b]
                                 const double* __restrict__ biases_4,   // [b]
                                 const double* __restrict__ state_2,    // [b]
                                 int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double x = x_2[i];
  const double x_3 = state[i];
  const double sum = 1.0 + exp(-(x * weights[i] + biases[i]));
  const double sum_2 = 1.0 + exp(-(x_3 * weights_2[i] + biases_2[i]));
  const double sum_3 = 1.0 + exp(-(x * weights_3[i] + biases_3[i]));
  const double product = 1.0 / sum_2 * tanh(x_3 * weights_4[i] + biases_4[i]);
  const double sum_4 = state_2[i] * (1.0 / sum) + product;
  cell_2[i] = sum_4;
  x_next_2[i] = 1.0 / sum_3 * tanh(sum_4);
}

// total_parts[i] = exp(sum)
// ys[i] = sum
//   where sum = x_2[i] * extra[i] + extra_2[i]
//   source  lstm.fut:48, forward sweep of `f64.sum (map f64.exp ys)`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
calculate_jacobian_total_parts_kernel(double* __restrict__ total_parts,    // [b], written
                                      double* __restrict__ ys,             // [b], written
                                      const double* __restrict__ x_2,      // [b]
                                      const double* __restrict__ extra,    // [b]
                                      const double* __restrict__ extra_2,  // [b]
                                      int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double sum = x_2[i] * extra[i] + extra_2[i];
  total_parts[i] = exp(sum);
  ys[i] = sum;
}

// normaliser_adj_parts[i] = -term * sequence[i]
// ys_adj[i] = term * sequence[i]
//   source  lstm.fut:49, return sweep of `(map2 (\x y -> x * (y - normaliser)) sequence[i + 1] ys)`
//   rule    reverse_map; reverse_scalar
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
normaliser_adj_parts_kernel(double* __restrict__ normaliser_adj_parts,  // [b], written
                            double* __restrict__ ys_adj,                // [b], written
                            const double* __restrict__ sequence,        // [b]
                            int64_t b, double term) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double term_2 = term * sequence[i];
  normaliser_adj_parts[i] = -term_2;
  ys_adj[i] = term_2;
}

// last_adj[i] = ys_adj_2 * extra[i]
// extra_adj_next_2[i] = extra_adj_2[i] + ys_adj_2 * x_2[i]
// extra_adj_next_3[i] = extra_adj_3[i] + ys_adj_2
//   where ys_adj_2 = ys_adj[i] + term_2 * exp(ys[i])
//   source  lstm.fut:35, return sweep of `map3 (\x weight bias -> x * weight + bias) last extra[1]
//           ...`
//   rule    reverse_map; reverse_scalar
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
last_adj_kernel(double* __restrict__ last_adj,           // [b], written
                double* __restrict__ extra_adj_next_2,   // [b], written
                double* __restrict__ extra_adj_next_3,   // [b], written
                const double* __restrict__ ys,           // [b]
                const double* __restrict__ ys_adj,       // [b]
                const double* __restrict__ x_2,          // [b]
                const double* __restrict__ extra,        // [b]
                const double* __restrict__ extra_adj_2,  // [b]
                const double* __restrict__ extra_adj_3,  // [b]
                const double* __restrict__ term_2, int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double ys_adj_2 = ys_adj[i] + term_2[0] * exp(ys[i]);
  last_adj[i] = ys_adj_2 * extra[i];
  extra_adj_next_2[i] = extra_adj_2[i] + ys_adj_2 * x_2[i];
  extra_adj_next_3[i] = extra_adj_3[i] + ys_adj_2;
}

// state_adj_2[i], part_adj[i], part_adj_2[i] and others, step by step as below
//   source  lstm.fut:13, return sweep of `weights[i]`
//   rule    reverse_index; reverse_update; reverse_scalar; reverse_map
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
state_adj_kernel(double* __restrict__ state_adj_2,       // [b], written
                 double* __restrict__ part_adj,          // [b], updated
                 double* __restrict__ part_adj_2,        // [b], updated
                 double* __restrict__ part_adj_3,        // [b], updated
                 double* __restrict__ part_adj_4,        // [b], updated
                 double* __restrict__ state_adj_3,       // [b], written
                 double* __restrict__ part_adj_5,        // [b], updated
                 double* __restrict__ part_adj_6,        // [b], updated
                 double* __restrict__ x_adj_next,        // [b], written
                 double* __restrict__ part_adj_7,        // [b], updated
                 double* __restrict__ part_adj_8,        // [b], updated
                 const double* __restrict__ x,           // [b]
                 const double* __restrict__ weights,     // [b]
                 const double* __restrict__ biases,      // [b]
                 const double* __restrict__ state_old,   // [b]
                 const double* __restrict__ weights_2,   // [b]
                 const double* __restrict__ biases_2,    // [b]
                 const double* __restrict__ weights_3,   // [b]
                 const double* __restrict__ biases_3,    // [b]
                 const double* __restrict__ weights_4,   // [b]
                 const double* __restrict__ biases_4,    // [b]
                 const double* __restrict__ state,       // [b]
                 const double* __restrict__ x_adj,       // [b]
                 const double* __restrict__ hidden_adj,  // [b]
                 const double* __restrict__ cell_adj,    // [b]
                 int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  const double x_2 = x[i];
  const double y = weights[i];
  const double x_3 = state_old[i];
  const double y_2 = weights_2[i];
  const double y_3 = weights_3[i];
  const double y_4 = weights_4[i];
  const double x_4 = state[i];
  const double part_adj_9 = part_adj[i];
  const double part_adj_10 = part_adj_2[i];
  const double part_adj_11 = part_adj_3[i];
  const double part_adj_12 = part_adj_4[i];
  const double part_adj_13 = part_adj_5[i];
  const double part_adj_14 = part_adj_6[i];
  const double part_adj_15 = part_adj_7[i];
  const double part_adj_16 = part_adj_8[i];
  const double exp_ = exp(-(x_2 * y + biases[i]));
  const double sum = 1.0 + exp_;
  const double quotient = 1.0 / sum;
  const double exp_2 = exp(-(x_3 * y_2 + biases_2[i]));
  const double sum_2 = 1.0 + exp_2;
  const double quotient_2 = 1.0 / sum_2;
  const double exp_3 = exp(-(x_2 * y_3 + biases_3[i]));
  const double sum_3 = 1.0 + exp_3;
  const double quotient_3 = 1.0 / sum_3;
  const double tanh_ = tanh(x_3 * y_4 + biases_4[i]);
  const double hidden_adj_2 = x_adj[i] + hidden_adj[i];
  const double tanh_2 = tanh(x_4 * quotient + quotient_2 * tanh_);
  const double cell_adj_2 = cell_adj[i] + hidden_adj_2 * quotient_3 * (1.0 - tanh_2 * tanh_2);
  const double term = cell_adj_2 * quotient_2 * (1.0 - tanh_ * tanh_);
  const double term_2 = hidden_adj_2 * tanh_2 / sum_3 * quotient_3 * exp_3;
  const double term_3 = cell_adj_2 * tanh_ / sum_2 * quotient_2 * exp_2;
  const double term_4 = cell_adj_2 * x_4 / sum * quotient * exp_;
  state_adj_2[i] = cell_adj_2 * quotient;
  part_adj[i] = part_adj_9 + term;
  part_adj_2[i] = part_adj_10 + term * x_3;
  part_adj_3[i] = part_adj_11 + term_2;
  part_adj_4[i] = part_adj_12 + term_2 * x_2;
  state_adj_3[i] = term * y_4 + term_3 * y_2;
  part_adj_5[i] = part_adj_13 + term_3;
  part_adj_6[i] = part_adj_14 + term_3 * x_3;
  x_adj_next[i] = term_2 * y_3 + term_4 * y;
  part_adj_7[i] = part_adj_15 + term_4;
  part_adj_8[i] = part_adj_16 + term_4 * x_2;
}

// part_adj[i] += state_adj_2[i]
//   source  lstm.fut:31, return sweep of `state[i, 1]`
//   rule    reverse_index
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
part_adj_kernel(double* __restrict__ part_adj,           // [b], updated
                const double* __restrict__ state_adj_2,  // [b]
                int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;
  part_adj[i] += state_adj_2[i];
}

// part_adj[i] += state_adj_3[i]
//   source  lstm.fut:31, return sweep of `state[i, 0]`
//   rule    reverse_index
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
part_adj_kernel_2(double* __restrict__ part_adj,           // [b], updated
                  const double* __restrict__ state_adj_3,  // [b]
                  int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;
  part_adj[i] += state_adj_3[i];
}

// extra_adj_next[i] = extra_adj[i] + x_adj[i] * sequence[i]
//   source  lstm.fut:28, return sweep of `map2 (*) input extra[0]`
//   rule    reverse_map; reverse_scalar
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
extra_adj_kernel(double* __restrict__ extra_adj_next,   // [b], written
                 const double* __restrict__ sequence,   // [b]
                 const double* __restrict__ x_adj,      // [b]
                 const double* __restrict__ extra_adj,  // [b]
                 int64_t b) {
  const int64_t i = int64_t(blockIdx.x) * block_size + threadIdx.x;
  if (i >= b) return;

  extra_adj_next[i] = extra_adj[i] + x_adj[i] * sequence[i];
}

// ---------------------------------------------------------------------------------------
// Reductions of calculate_jacobian. As in CUB, a null `scratch` means: only set `bytes`
// ---------------------------------------------------------------------------------------

// sum = 2 + total
//   where total = sum_{i < b} total_parts[i]
//   source  lstm.fut:48, forward sweep of `f64.sum (map f64.exp ys)`
//   order   associates freely; one pass over the data
cudaError_t reduce_sum_2(void* scratch, std::size_t& bytes,  // of `scratch`
                         double* sum,                        // written
                         const double* total_parts,          // [b]
                         int64_t b, cudaStream_t stream) {
  const auto output_iterator = stored_by<double>(StoreSum_2{sum});
  return cub::DeviceReduce::Reduce(scratch, bytes, total_parts, output_iterator, b, Add_2{}, 0.0,
                                   stream);
}

// term_2 = normaliser_adj / sum
//   where normaliser_adj = sum_{i < b} normaliser_adj_parts[i]
//   source  lstm.fut:49, return sweep of `(map2 (\x y -> x * (y - normaliser)) sequence[i + 1] ys)`
//   rule    reverse_map; reverse_scalar
//   order   associates freely; one pass over the data
cudaError_t reduce_term(void* scratch, std::size_t& bytes,                      // of `scratch`
                        double* term_2,                                         // written
                        const double* sum, const double* normaliser_adj_parts,  // [b]
                        int64_t b, cudaStream_t stream) {
  const auto output_iterator = stored_by<double>(StoreTerm{term_2, sum});
  return cub::DeviceReduce::Reduce(scratch, bytes, normaliser_adj_parts, output_iterator, b,
                                   Add_2{}, 0.0, stream);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch {
  double* start;                    // [l][2][b]
  double* state_old_log_log;        // [count][l][b]
  double* state_old_log_log_2;      // [count][l][b]
  double* first;                    // [b]
  double* x_next_memory;            // [b]
  double* cell;                     // [b]
  double* state_adj;                // [l][2][b]
  double* extra_adj_memory;         // [b]
  double* extra_adj_next_memory;    // [b]
  double* layers_adj;               // [l][2][4][b]
  double* extra_adj_memory_2;       // [b]
  double* extra_adj_next_memory_2;  // [b]
  double* extra_adj_memory_3;       // [b]
  double* extra_adj_next_memory_3;  // [b]
  double* first_2;                  // [b]
  double* state_old_log;            // [l][b]
  double* state_old_log_2;          // [l][b]
  double* x_states;                 // [l][b]
  double* x_next_memory_2;          // [b]
  double* cell_2;                   // [b]
  double* total_parts;              // [b]
  double* ys;                       // [b]
  double* sum;
  double* normaliser_adj_parts;  // [b]
  double* ys_adj;                // [b]
  double* term_2;
  double* last_adj;            // [b]
  double* x_adj_next_memory;   // [b]
  double* cell_adj;            // [b]
  double* state_adj_2;         // [b]
  double* state_adj_3;         // [b]
  std::byte* library_scratch;  // for one library call after the other
  std::size_t library_bytes;
  cudaError_t status;  // of asking for library_bytes
  std::size_t bytes;

  CalculateJacobianScratch(void* memory, int64_t b, int64_t count, int64_t l) {
    status = query_library(b, count, l);

    Scratch scratch(memory);
    start = scratch.take<double>(l * 2 * b);
    state_old_log_log = scratch.take<double>(count * l * b);
    state_old_log_log_2 = scratch.take<double>(count * l * b);
    first = scratch.take<double>(b);
    x_next_memory = scratch.take<double>(b);
    cell = scratch.take<double>(b);
    state_adj = scratch.take<double>(l * 2 * b);
    extra_adj_memory = scratch.take<double>(b);
    extra_adj_next_memory = scratch.take<double>(b);
    layers_adj = scratch.take<double>(l * 2 * 4 * b);
    extra_adj_memory_2 = scratch.take<double>(b);
    extra_adj_next_memory_2 = scratch.take<double>(b);
    extra_adj_memory_3 = scratch.take<double>(b);
    extra_adj_next_memory_3 = scratch.take<double>(b);
    first_2 = scratch.take<double>(b);
    state_old_log = scratch.take<double>(l * b);
    state_old_log_2 = scratch.take<double>(l * b);
    x_states = scratch.take<double>(l * b);
    x_next_memory_2 = scratch.take<double>(b);
    cell_2 = scratch.take<double>(b);
    total_parts = scratch.take<double>(b);
    ys = scratch.take<double>(b);
    sum = scratch.take<double>(1);
    normaliser_adj_parts = scratch.take<double>(b);
    ys_adj = scratch.take<double>(b);
    term_2 = scratch.take<double>(1);
    last_adj = scratch.take<double>(b);
    x_adj_next_memory = scratch.take<double>(b);
    cell_adj = scratch.take<double>(b);
    state_adj_2 = scratch.take<double>(b);
    state_adj_3 = scratch.take<double>(b);
    library_scratch = scratch.take<std::byte>(static_cast<int64_t>(library_bytes));
    bytes = scratch.bytes();
  }

  // The calls follow one another in the same memory, so the largest need counts.
  cudaError_t query_library(int64_t b, int64_t /*count*/, int64_t /*l*/) {
    library_bytes = 0;
    std::size_t needed = 0;
    if (const auto error = reduce_sum_2(nullptr, needed, nullptr, nullptr, b, nullptr)) {
      return error;
    }
    library_bytes = std::max(library_bytes, needed);
    if (const auto error = reduce_term(nullptr, needed, nullptr, nullptr, nullptr, b, nullptr)) {
      return error;
    }
    library_bytes = std::max(library_bytes, needed);
    return cudaSuccess;
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                        int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (b > max_int_size || t > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const CalculateObjectiveScratch buffers(nullptr, b, l);
  *bytes = buffers.bytes;
  return buffers.status;
}

cudaError_t calculate_objective(double* quotient, const double* main_params,
                                const double* extra_params, const double* state,
                                const double* sequence, int64_t m, int64_t w, int64_t b, int64_t t,
                                void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (b > max_int_size || t > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const CalculateObjectiveScratch buffers(scratch, b, l);
  if (buffers.status != cudaSuccess) return buffers.status;
  if (scratch == nullptr || scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  std::size_t library_bytes = buffers.library_bytes;
  const int64_t product = l * 2;
  if (m != product || w != b * 4) return cudaErrorInvalidValue;
  if (const auto error = cudaMemcpyAsync(buffers.start, state,
                                         static_cast<std::size_t>(l * 2 * b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  double* total = buffers.total_memory;
  double* total_next = buffers.total_next_memory;
  if (const auto error = cudaMemsetAsync(total, 0, sizeof(double), stream)) return error;

  for (int64_t i = 0; i < t - 1; ++i) {
    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      calculate_objective_first_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.first, sequence + i * b, extra_params, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    double* x = buffers.first;
    double* x_next = buffers.x_next_memory;

    for (int64_t i_2 = 0; i_2 < l; ++i_2) {
      if (b > 0) {
        const unsigned grid_size = blocks_for(b, block_size);
        calculate_objective_cell_kernel<<<grid_size, block_size, 0, stream>>>(
            buffers.start + (i_2 * (2 * b) + b), x_next, x, main_params + i_2 * (2 * (4 * b)),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b), buffers.start + i_2 * (2 * b),
            main_params + (i_2 * (2 * (4 * b)) + b),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b + b),
            main_params + (i_2 * (2 * (4 * b)) + 2 * b),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b),
            main_params + (i_2 * (2 * (4 * b)) + 3 * b),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b), b);
        if (const auto error = cudaGetLastError()) return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.start + i_2 * (2 * b), x_next,
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      std::swap(x, x_next);
    }

    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      calculate_objective_total_parts_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.total_parts, buffers.ys, x, extra_params + b, extra_params + 2 * b, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    if (const auto error = reduce_normaliser(buffers.library_scratch, library_bytes,
                                             buffers.normaliser, buffers.total_parts, b, stream)) {
      return error;
    }
    if (const auto error =
            reduce_sum(buffers.library_scratch, library_bytes, total_next, total,
                       sequence + (i + 1) * b, buffers.ys, buffers.normaliser, b, stream)) {
      return error;
    }
    std::swap(total, total_next);
  }
  quotient_kernel<<<1, 1, 0, stream>>>(quotient, total, static_cast<int>(b), static_cast<int>(t));
  return cudaGetLastError();
}

cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                       int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  const CalculateJacobianScratch buffers(nullptr, b, count, l);
  *bytes = buffers.bytes;
  return buffers.status;
}

cudaError_t calculate_jacobian(double* main_params_adj, double* extra_params_adj, Failure* failure,
                               const double* main_params, const double* extra_params,
                               const double* state, const double* sequence, int64_t m, int64_t w,
                               int64_t b, int64_t t, void* scratch, std::size_t scratch_bytes,
                               cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  const CalculateJacobianScratch buffers(scratch, b, count, l);
  if (buffers.status != cudaSuccess) return buffers.status;
  if (scratch == nullptr || scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  std::size_t library_bytes = buffers.library_bytes;
  if (const auto error = cudaMemsetAsync(failure, 0, sizeof(Failure), stream)) return error;
  const int64_t product = l * 2;
  const int64_t product_2 = b * 4;
  if (m != product || w != product_2) return cudaErrorInvalidValue;
  if (const auto error = cudaMemcpyAsync(buffers.start, state,
                                         static_cast<std::size_t>(l * 2 * b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  const double term = -(1.0 / static_cast<double>(b * (t - 1)));

  for (int64_t i = 0; i < t - 1; ++i) {
    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      calculate_jacobian_first_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.first, sequence + i * b, extra_params, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    double* x = buffers.first;
    double* x_next = buffers.x_next_memory;

    for (int64_t i_2 = 0; i_2 < l; ++i_2) {
      if (b > 0) {
        const unsigned grid_size = blocks_for(b, block_size);
        calculate_jacobian_cell_kernel<<<grid_size, block_size, 0, stream>>>(
            buffers.cell, x_next, x, main_params + i_2 * (2 * (4 * b)),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b), buffers.start + i_2 * (2 * b),
            main_params + (i_2 * (2 * (4 * b)) + b),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b + b),
            main_params + (i_2 * (2 * (4 * b)) + 2 * b),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b),
            main_params + (i_2 * (2 * (4 * b)) + 3 * b),
            main_params + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b),
            buffers.start + (i_2 * (2 * b) + b), b);
        if (const auto error = cudaGetLastError()) return error;
      }
      if (const auto error = cudaMemcpyAsync(
              buffers.state_old_log_log + (i * (l * b) + i_2 * b), buffers.start + i_2 * (2 * b),
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.start + i_2 * (2 * b), x_next,
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.state_old_log_log_2 + (i * (l * b) + i_2 * b),
                                             buffers.start + (i_2 * (2 * b) + b),
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.start + (i_2 * (2 * b) + b), buffers.cell,
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      std::swap(x, x_next);
    }
  }
  if (const auto error = cudaMemsetAsync(
          buffers.state_adj, 0, static_cast<std::size_t>(l * 2 * b) * sizeof(double), stream)) {
    return error;
  }
  double* extra_adj = buffers.extra_adj_memory;
  double* extra_adj_next = buffers.extra_adj_next_memory;
  if (const auto error =
          cudaMemsetAsync(extra_adj, 0, static_cast<std::size_t>(b) * sizeof(double), stream)) {
    return error;
  }
  if (const auto error =
          cudaMemsetAsync(buffers.layers_adj, 0,
                          static_cast<std::size_t>(l * 2 * 4 * b) * sizeof(double), stream)) {
    return error;
  }
  double* extra_adj_2 = buffers.extra_adj_memory_2;
  double* extra_adj_next_2 = buffers.extra_adj_next_memory_2;
  if (const auto error =
          cudaMemsetAsync(extra_adj_2, 0, static_cast<std::size_t>(b) * sizeof(double), stream)) {
    return error;
  }
  double* extra_adj_3 = buffers.extra_adj_memory_3;
  double* extra_adj_next_3 = buffers.extra_adj_next_memory_3;
  if (const auto error =
          cudaMemsetAsync(extra_adj_3, 0, static_cast<std::size_t>(b) * sizeof(double), stream)) {
    return error;
  }

  for (int64_t step = 0; step < t - 1; ++step) {
    const int64_t i_3 = t - 2 - step;

    for (int64_t step_2 = 0; step_2 < l; ++step_2) {
      const int64_t i_4 = l - 1 - step_2;
      if (const auto error = cudaMemcpyAsync(
              buffers.start + (i_4 * (2 * b) + b),
              buffers.state_old_log_log_2 + (i_3 * (l * b) + i_4 * b),
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(
              buffers.start + i_4 * (2 * b), buffers.state_old_log_log + (i_3 * (l * b) + i_4 * b),
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
    }
    if (i_3 < 0 || i_3 >= t) {
      const Failure failure_found{1, {i_3, t}};
      if (const auto error = cudaMemcpyAsync(failure, &failure_found, sizeof(failure_found),
                                             cudaMemcpyHostToDevice, stream)) {
        return error;
      }
      return cudaSuccess;
    }

    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      calculate_jacobian_first_kernel_2<<<grid_size, block_size, 0, stream>>>(
          buffers.first_2, sequence + i_3 * b, extra_params, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    double* x_2 = buffers.first_2;
    double* x_next_2 = buffers.x_next_memory_2;

    for (int64_t i_5 = 0; i_5 < l; ++i_5) {
      if (b > 0) {
        const unsigned grid_size = blocks_for(b, block_size);
        calculate_jacobian_cell_kernel_2<<<grid_size, block_size, 0, stream>>>(
            buffers.cell_2, x_next_2, x_2, main_params + i_5 * (2 * (4 * b)),
            main_params + (i_5 * (2 * (4 * b)) + 4 * b), buffers.start + i_5 * (2 * b),
            main_params + (i_5 * (2 * (4 * b)) + b),
            main_params + (i_5 * (2 * (4 * b)) + 4 * b + b),
            main_params + (i_5 * (2 * (4 * b)) + 2 * b),
            main_params + (i_5 * (2 * (4 * b)) + 4 * b + 2 * b),
            main_params + (i_5 * (2 * (4 * b)) + 3 * b),
            main_params + (i_5 * (2 * (4 * b)) + 4 * b + 3 * b),
            buffers.start + (i_5 * (2 * b) + b), b);
        if (const auto error = cudaGetLastError()) return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.x_states + i_5 * b, x_2,
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(
              buffers.state_old_log + i_5 * b, buffers.start + i_5 * (2 * b),
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.start + i_5 * (2 * b), x_next_2,
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(
              buffers.state_old_log_2 + i_5 * b, buffers.start + (i_5 * (2 * b) + b),
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (const auto error = cudaMemcpyAsync(buffers.start + (i_5 * (2 * b) + b), buffers.cell_2,
                                             static_cast<std::size_t>(b) * sizeof(double),
                                             cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      std::swap(x_2, x_next_2);
    }

    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      calculate_jacobian_total_parts_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.total_parts, buffers.ys, x_2, extra_params + b, extra_params + 2 * b, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    if (const auto error = reduce_sum_2(buffers.library_scratch, library_bytes, buffers.sum,
                                        buffers.total_parts, b, stream)) {
      return error;
    }
    if (i_3 + 1 < 0 || i_3 + 1 >= t) {
      const Failure failure_found{2, {i_3 + 1, t}};
      if (const auto error = cudaMemcpyAsync(failure, &failure_found, sizeof(failure_found),
                                             cudaMemcpyHostToDevice, stream)) {
        return error;
      }
      return cudaSuccess;
    }

    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      normaliser_adj_parts_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.normaliser_adj_parts, buffers.ys_adj, sequence + (i_3 + 1) * b, b, term);
      if (const auto error = cudaGetLastError()) return error;
    }
    if (const auto error = reduce_term(buffers.library_scratch, library_bytes, buffers.term_2,
                                       buffers.sum, buffers.normaliser_adj_parts, b, stream)) {
      return error;
    }

    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      last_adj_kernel<<<grid_size, block_size, 0, stream>>>(
          buffers.last_adj, extra_adj_next_2, extra_adj_next_3, buffers.ys, buffers.ys_adj, x_2,
          extra_params + b, extra_adj_2, extra_adj_3, buffers.term_2, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    double* x_adj = buffers.last_adj;
    double* x_adj_next = buffers.x_adj_next_memory;

    for (int64_t step_3 = 0; step_3 < l; ++step_3) {
      const int64_t i_6 = l - 1 - step_3;
      if (const auto error = cudaMemcpyAsync(
              buffers.start + (i_6 * (2 * b) + b), buffers.state_old_log_2 + i_6 * b,
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      if (i_6 < 0 || i_6 >= l) {
        const Failure failure_found{3, {i_6, l}};
        if (const auto error = cudaMemcpyAsync(failure, &failure_found, sizeof(failure_found),
                                               cudaMemcpyHostToDevice, stream)) {
          return error;
        }
        return cudaSuccess;
      }
      if (const auto error = cudaMemcpyAsync(
              buffers.cell_adj, buffers.state_adj + (i_6 * (2 * b) + b),
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }

      if (b > 0) {
        const unsigned grid_size = blocks_for(b, block_size);
        state_adj_kernel<<<grid_size, block_size, 0, stream>>>(
            buffers.state_adj_2, buffers.layers_adj + (i_6 * (2 * (4 * b)) + 4 * b + 3 * b),
            buffers.layers_adj + (i_6 * (2 * (4 * b)) + 3 * b),
            buffers.layers_adj + (i_6 * (2 * (4 * b)) + 4 * b + 2 * b),
            buffers.layers_adj + (i_6 * (2 * (4 * b)) + 2 * b), buffers.state_adj_3,
            buffers.layers_adj + (i_6 * (2 * (4 * b)) + 4 * b + b),
            buffers.layers_adj + (i_6 * (2 * (4 * b)) + b), x_adj_next,
            buffers.layers_adj + (i_6 * (2 * (4 * b)) + 4 * b),
            buffers.layers_adj + i_6 * (2 * (4 * b)), buffers.x_states + i_6 * b,
            main_params + i_6 * (2 * (4 * b)), main_params + (i_6 * (2 * (4 * b)) + 4 * b),
            buffers.state_old_log + i_6 * b, main_params + (i_6 * (2 * (4 * b)) + b),
            main_params + (i_6 * (2 * (4 * b)) + 4 * b + b),
            main_params + (i_6 * (2 * (4 * b)) + 2 * b),
            main_params + (i_6 * (2 * (4 * b)) + 4 * b + 2 * b),
            main_params + (i_6 * (2 * (4 * b)) + 3 * b),
            main_params + (i_6 * (2 * (4 * b)) + 4 * b + 3 * b),
            buffers.start + (i_6 * (2 * b) + b), x_adj, buffers.state_adj + i_6 * (2 * b),
            buffers.cell_adj, b);
        if (const auto error = cudaGetLastError()) return error;
      }
      if (const auto error =
              cudaMemsetAsync(buffers.state_adj + (i_6 * (2 * b) + b), 0,
                              static_cast<std::size_t>(b) * sizeof(double), stream)) {
        return error;
      }

      if (b > 0) {
        const unsigned grid_size = blocks_for(b, block_size);
        part_adj_kernel<<<grid_size, block_size, 0, stream>>>(
            buffers.state_adj + (i_6 * (2 * b) + b), buffers.state_adj_2, b);
        if (const auto error = cudaGetLastError()) return error;
      }
      if (const auto error =
              cudaMemsetAsync(buffers.state_adj + i_6 * (2 * b), 0,
                              static_cast<std::size_t>(b) * sizeof(double), stream)) {
        return error;
      }

      if (b > 0) {
        const unsigned grid_size = blocks_for(b, block_size);
        part_adj_kernel_2<<<grid_size, block_size, 0, stream>>>(buffers.state_adj + i_6 * (2 * b),
                                                                buffers.state_adj_3, b);
        if (const auto error = cudaGetLastError()) return error;
      }
      if (const auto error = cudaMemcpyAsync(
              buffers.start + i_6 * (2 * b), buffers.state_old_log + i_6 * b,
              static_cast<std::size_t>(b) * sizeof(double), cudaMemcpyDeviceToDevice, stream)) {
        return error;
      }
      std::swap(x_adj, x_adj_next);
    }

    if (b > 0) {
      const unsigned grid_size = blocks_for(b, block_size);
      extra_adj_kernel<<<grid_size, block_size, 0, stream>>>(extra_adj_next, sequence + i_3 * b,
                                                             x_adj, extra_adj, b);
      if (const auto error = cudaGetLastError()) return error;
    }
    std::swap(extra_adj, extra_adj_next);
    std::swap(extra_adj_2, extra_adj_next_2);
    std::swap(extra_adj_3, extra_adj_next_3);
  }
  if (const auto error = cudaMemsetAsync(
          extra_params_adj, 0, static_cast<std::size_t>(3 * b) * sizeof(double), stream)) {
    return error;
  }
  if (const auto error = cudaMemcpyAsync(extra_params_adj + 2 * b, extra_adj_3,
                                         static_cast<std::size_t>(b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  if (const auto error = cudaMemcpyAsync(extra_params_adj + b, extra_adj_2,
                                         static_cast<std::size_t>(b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  if (const auto error =
          cudaMemcpyAsync(extra_params_adj, extra_adj, static_cast<std::size_t>(b) * sizeof(double),
                          cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  return cudaMemcpyAsync(main_params_adj, buffers.layers_adj,
                         static_cast<std::size_t>(m * w) * sizeof(double), cudaMemcpyDeviceToDevice,
                         stream);
}

std::string failure_text(const Failure& failure) {
  switch (failure.check) {
    case 1:
      return "lstm.fut:47: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 2:
      return "lstm.fut:49: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 3:
      return "lstm.fut:33: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    default:
      return "";
  }
}

}  // namespace lstm
