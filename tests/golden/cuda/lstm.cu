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
//   forward  state_old_log[j, s, i] and objective_state_old_log[j, s, i], step by step as below
//                                                                                       restore
//   return   x_states[step, j, i], state_old_log_again[step, j, i], other_state_old_log[step, j, i]
//              and others, step by step as below
//                                                                         reverse_loop, restore
//            ys_adj[step, i] = term * sequence[t - 1 - step, i]
//                                                     reverse_loop, reverse_map, reverse_scalar
//            total[step] = sum_{i < b} exp(ys[step, i])
//            normaliser_adj[step] = sum_{i < b} -ys_adj[step, i]
//                                                     reverse_loop, reverse_map, reverse_scalar
//            layers_adj[j, s, u, i] = 0
//            weights_adj[i] = sum_{step < t - 1} normaliser_ys_adj * last[step, i]
//            biases_adj[i] = sum_{step < t - 1} normaliser_ys_adj
//              where normaliser_ys_adj = ys_adj[step, i] + normaliser_adj[step] / (2 + total[step])
//                * exp(ys[step, i])
//            layers_adj[j, 1, 3, i], layers_adj[j, 0, 3, i], layers_adj[j, 1, 2, i] and others,
//              step by step as below
//                      reverse_loop, reverse_scalar, reverse_map, reverse_update, reverse_index

#include "lstm.hpp"

#include <algorithm>
#include <cmath>

namespace lstm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

constexpr int block_size = 256;

/// Arrays up to this size are indexed by `int`; one stride beyond the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;

/// About what the largest devices keep resident. Bounds scratch memory that every thread has.
constexpr int64_t max_threads = int64_t{1} << 18;

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

/// Sets so many elements to zero, when the stream gets there.
template <typename T>
cudaError_t fill_zeros(T* elements, int64_t count, cudaStream_t stream) {
  return cudaMemsetAsync(elements, 0, static_cast<std::size_t>(count) * sizeof(T), stream);
}

/// Copies so many elements within device memory, when the stream gets there; the arrays do not
/// overlap.
template <typename T>
cudaError_t copy_array(T* to, const T* from, int64_t count, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

/// Blocks that cover `size` items, or as many as fill a large device twice, those that are `beside`
/// each counted: kernels stride over the rest.
unsigned few_blocks_for(int64_t size, int64_t per_block, unsigned beside = 1) {
  return std::min(blocks_for(size, per_block), 2048 / beside);
}

/// Threads of a block along a row of `width` elements: the power of two up to 32 that covers it,
/// and more if that leaves threads for further rows than there are.
unsigned row_threads_for(int64_t width, int64_t rows) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  while (2 * threads <= block_size && threads < width && block_size / (2 * threads) >= rows)
    threads *= 2;
  return threads;
}

/// A power of two, up to a block. As many as it takes to keep a device busy with so many rows of
/// sums, `width` each, as long as each thread has several summands. Memory is read in pieces: if
/// neighbouring summands lie next to each other, as many threads as a warp has come before that, as
/// far as there are summands; if neighbouring results do, the block keeps some of these. Where rows
/// are short, it takes several threads each to fill a warp.
unsigned sum_threads_for(int64_t width, int64_t rows, int64_t summands,
                         bool neighbouring_summands) {
  const int64_t enough = 1 << 18, own_summands = 8, warp = 32;
  const int64_t least = neighbouring_summands ? warp : 1;
  const int64_t most =
      neighbouring_summands ? block_size : block_size / std::min<int64_t>(width, 8);
  int64_t threads = 1;
  while (threads < summands && (threads < least || threads * width < warp)) threads *= 2;
  while (2 * threads <= most && threads * own_summands < summands &&
         threads * width * rows < enough)
    threads *= 2;
  return static_cast<unsigned>(threads);
}

/// As many sums as there are threads for, a power of two, but no more than it takes to cover
/// `width` of them. If neighbouring summands lie next to each other, the threads of a sum are those
/// with one threadIdx.y, else those with one threadIdx.x.
dim3 sums_block(int64_t width, int64_t rows, int64_t summands, bool neighbouring_summands) {
  const unsigned threads = sum_threads_for(width, rows, summands, neighbouring_summands);
  unsigned sums = 1;
  while (sums < width && 2 * sums * threads <= block_size) sums *= 2;
  return neighbouring_summands ? dim3(threads, sums) : dim3(sums, threads);
}

/// Combines the values of the threads with the same threadIdx.y, whose number is a power of two,
/// always in the same order; each of them gets the result. All threads of the block have to call
/// it.
template <typename T, typename Op>
__device__ T combine_row(T value, Op op) {
  if (blockDim.x == 1) return value;
  __shared__ T values[block_size];
  T* const row = values + threadIdx.y * blockDim.x;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    row[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x < half) value = op(value, row[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) row[0] = value;
  __syncthreads();
  return row[0];
}

// ---------------------------------------------------------------------------------------
// Device functions
// ---------------------------------------------------------------------------------------

/// x + y
struct Add {
  __device__ double operator()(double x, double y) const { return x + y; }
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_objective
// ---------------------------------------------------------------------------------------

// ys_log[j, i] and total_parts_log[j, i], step by step as below
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do le...`
//   grid    one thread per `i`
__global__ void __launch_bounds__(block_size)
ys_log_kernel(double* __restrict__ ys_log,              // [steps][b], written
              double* __restrict__ total_parts_log,     // [steps][b], written
              double* __restrict__ objective_state,     // [l][2][threads], scratch
              const double* __restrict__ state,         // [l][2][b]
              const double* __restrict__ sequence,      // [t][b]
              const double* __restrict__ extra_params,  // [b]
              const double* __restrict__ main_params,   // [l][2][4][b]
              const double* __restrict__ weights,       // [b]
              const double* __restrict__ biases,        // [b]
              int64_t b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < b; i += threads) {
    const double extra = extra_params[i];
    const double weight = weights[i];
    const double bias = biases[i];
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) {
        objective_state[j * (2 * threads) + s * threads + thread] = state[j * (2 * b) + s * b + i];
      }
    }
    for (int64_t j = 0; j < int64_t{t} - 1; ++j) {
      double x = sequence[j * b + i] * extra;
      for (int64_t s = 0; s < l; ++s) {
        const double hidden = objective_state[s * (2 * threads) + thread];
        const double cell = objective_state[s * (2 * threads) + threads + thread];
        const double forget_bias = main_params[s * (8 * b) + 4 * b + i];
        const double ingate_weight = main_params[s * (8 * b) + b + i];
        const double ingate_bias = main_params[s * (8 * b) + 5 * b + i];
        const double outgate_weight = main_params[s * (8 * b) + 2 * b + i];
        const double outgate_bias = main_params[s * (8 * b) + 6 * b + i];
        const double change_weight = main_params[s * (8 * b) + 3 * b + i];
        const double change_bias = main_params[s * (8 * b) + 7 * b + i];
        const double product = x * main_params[s * (8 * b) + i];
        const double new_cell_product = 1.0 / (1.0 + exp(-(hidden * ingate_weight + ingate_bias))) *
                                        tanh(hidden * change_weight + change_bias);
        const double new_cell =
            cell * (1.0 / (1.0 + exp(-(product + forget_bias)))) + new_cell_product;
        const double new_hidden =
            1.0 / (1.0 + exp(-(x * outgate_weight + outgate_bias))) * tanh(new_cell);
        objective_state[s * (2 * threads) + thread] = new_hidden;
        objective_state[s * (2 * threads) + threads + thread] = new_cell;
        x = new_hidden;
      }
      const double y = x * weight + bias;
      ys_log[j * b + i] = y;
      total_parts_log[j * b + i] = exp(y);
    }
  }
}

// total[i] = sum_{j < b} sequence[i + 1, j] * (ys_log[i, j] - log(2 + sum_{j < b}
//     total_parts_log[i, j]))
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do le...`
//   grid    a row of threads of a block per result, which share its sums
__global__ void __launch_bounds__(block_size)
total_kernel(double* __restrict__ total,                  // [steps], written
             const double* __restrict__ ys_log,           // [steps][b]
             const double* __restrict__ total_parts_log,  // [steps][b]
             const double* __restrict__ sequence,         // [t][b]
             int64_t steps, int b) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t i = min(number, steps - 1);  // all threads come to the sums
  const double* const ys_log_row = ys_log + i * b;
  const double* const total_parts_log_row = total_parts_log + i * b;
  double own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < b; j += static_cast<int>(blockDim.x)) {
    own_total += total_parts_log_row[j];
  }
  const double normaliser_total = combine_row(own_total, Add{});
  const double normaliser = log(2.0 + normaliser_total);
  const double* const sequence_row = sequence + (i + 1) * b;
  double objective_own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < b; j += static_cast<int>(blockDim.x)) {
    objective_own_total += sequence_row[j] * (ys_log_row[j] - normaliser);
  }
  const double objective_total = combine_row(objective_own_total, Add{});
  if (threadIdx.x == 0 && number < steps) total[i] = objective_total;
}

// result = -(sum_{i < t - 1} objective_total[i]) / (b * (t - 1))
//   source  lstm.fut:50, `-total / f64.i64 (b * (t - 1))`
//   grid    one thread
__global__ void __launch_bounds__(block_size)
quotient_kernel(double* __restrict__ result,                 // written
                const double* __restrict__ objective_total,  // [steps]
                int t, int b) {
  double total = 0.0;
  for (int64_t i = 0; i < int64_t{t} - 1; ++i) total += objective_total[i];
  result[0] = -total / static_cast<double>(int64_t{b} * (int64_t{t} - 1));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch : Scratch {
  int64_t m, b, t;

  int64_t l = m / 2;
  int64_t steps = std::max<int64_t>(t - 1, 0);
  unsigned ys_log_grid = blocks_for(std::min(b, max_threads), block_size);

  double* ys_log = take<double>(steps * b);           // [steps][b]
  double* total_parts_log = take<double>(steps * b);  // [steps][b]
  double* objective_state =
      take<double>(l * 2 * (int64_t{ys_log_grid} * block_size));  // [l][2][threads]
  double* total = take<double>(steps);
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_jacobian
// ---------------------------------------------------------------------------------------

// state_old_log[j, s, i] and objective_state_old_log[j, s, i], step by step as below
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do le...`
//   rule    restore
//   grid    one thread per `i`
__global__ void __launch_bounds__(block_size)
state_old_log_kernel(double* __restrict__ state_old_log,            // [count][l][b], written
                     double* __restrict__ objective_state_old_log,  // [count][l][b], written
                     double* __restrict__ objective_state,          // [l][2][threads], scratch
                     const double* __restrict__ state,              // [l][2][b]
                     const double* __restrict__ sequence,           // [t][b]
                     const double* __restrict__ extra_params,       // [b]
                     const double* __restrict__ main_params,        // [l][2][4][b]
                     int64_t b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < b; i += threads) {
    const double extra = extra_params[i];
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) {
        objective_state[j * (2 * threads) + s * threads + thread] = state[j * (2 * b) + s * b + i];
      }
    }
    for (int64_t j = 0; j < int64_t{t} - 1; ++j) {
      double x = sequence[j * b + i] * extra;
      for (int64_t s = 0; s < l; ++s) {
        const double hidden = objective_state[s * (2 * threads) + thread];
        const double cell = objective_state[s * (2 * threads) + threads + thread];
        const double bias = main_params[s * (8 * b) + 4 * b + i];
        const double weight = main_params[s * (8 * b) + b + i];
        const double ingate_bias = main_params[s * (8 * b) + 5 * b + i];
        const double outgate_weight = main_params[s * (8 * b) + 2 * b + i];
        const double outgate_bias = main_params[s * (8 * b) + 6 * b + i];
        const double change_weight = main_params[s * (8 * b) + 3 * b + i];
        const double change_bias = main_params[s * (8 * b) + 7 * b + i];
        const double product = x * main_params[s * (8 * b) + i];
        const double new_cell_product = 1.0 / (1.0 + exp(-(hidden * weight + ingate_bias))) *
                                        tanh(hidden * change_weight + change_bias);
        const double new_cell = cell * (1.0 / (1.0 + exp(-(product + bias)))) + new_cell_product;
        const double new_hidden =
            1.0 / (1.0 + exp(-(x * outgate_weight + outgate_bias))) * tanh(new_cell);
        objective_state[s * (2 * threads) + thread] = new_hidden;
        const double state_old = objective_state[s * (2 * threads) + threads + thread];
        objective_state[s * (2 * threads) + threads + thread] = new_cell;
        state_old_log[j * (l * b) + s * b + i] = hidden;
        objective_state_old_log[j * (l * b) + s * b + i] = state_old;
        x = new_hidden;
      }
    }
  }
}

// x_states[step, j, i], state_old_log_again[step, j, i], other_state_old_log[step, j, i] and
//     others, step by step as below
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; restore
//   grid    one thread per `step` and `i`: `step` to blockIdx.x and threadIdx.y, `i` to blockIdx.y
//           and threadIdx.x
__global__ void __launch_bounds__(block_size)
last_kernel(double* __restrict__ last,                           // [count][b], written
            double* __restrict__ state_old_log_again,            // [count][l][b], written
            double* __restrict__ other_state_old_log,            // [count][l][b], written
            double* __restrict__ x_states,                       // [count][l][b], written
            double* __restrict__ ys,                             // [count][b], written
            double* __restrict__ state,                          // [l][2][threads], scratch
            const double* __restrict__ sequence,                 // [t][b]
            const double* __restrict__ state_old_log,            // [count][l][b]
            const double* __restrict__ objective_state_old_log,  // [count][l][b]
            const double* __restrict__ extra_params,             // [b]
            const double* __restrict__ main_params,              // [l][2][4][b]
            const double* __restrict__ weights,                  // [b]
            const double* __restrict__ biases,                   // [b]
            int64_t count, int b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * gridDim.y * block_size;
  const int64_t thread = (int64_t(blockIdx.y) * gridDim.x + blockIdx.x) * block_size +
                         threadIdx.y * blockDim.x + threadIdx.x;
  const int64_t stride_step = int64_t(gridDim.x) * blockDim.y;
  const int stride_i = static_cast<int>(gridDim.y * blockDim.x);

  for (int64_t step = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; step < count;
       step += stride_step) {
    for (int i = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); i < b; i += stride_i) {
      const int64_t objective_i = int64_t{t} - 2 - step;
      for (int64_t j = l - 1; j >= 0; --j) {
        const double state_old = state_old_log[objective_i * (l * int64_t{b}) + j * b + i];
        state[j * (2 * threads) + threads + thread] =
            objective_state_old_log[objective_i * (l * int64_t{b}) + j * b + i];
        state[j * (2 * threads) + thread] = state_old;
      }
      double x = sequence[objective_i * b + i] * extra_params[i];
      for (int64_t j = 0; j < l; ++j) {
        const double hidden = state[j * (2 * threads) + thread];
        const double cell = state[j * (2 * threads) + threads + thread];
        const double bias = main_params[j * (8 * b) + 4 * b + i];
        const double weight = main_params[j * (8 * b) + b + i];
        const double ingate_bias = main_params[j * (8 * b) + 5 * b + i];
        const double outgate_weight = main_params[j * (8 * b) + 2 * b + i];
        const double outgate_bias = main_params[j * (8 * b) + 6 * b + i];
        const double change_weight = main_params[j * (8 * b) + 3 * b + i];
        const double change_bias = main_params[j * (8 * b) + 7 * b + i];
        const double product = x * main_params[j * (8 * b) + i];
        const double new_cell_product = 1.0 / (1.0 + exp(-(hidden * weight + ingate_bias))) *
                                        tanh(hidden * change_weight + change_bias);
        const double new_cell = cell * (1.0 / (1.0 + exp(-(product + bias)))) + new_cell_product;
        const double new_hidden =
            1.0 / (1.0 + exp(-(x * outgate_weight + outgate_bias))) * tanh(new_cell);
        x_states[step * (l * int64_t{b}) + j * b + i] = x;
        state_old_log_again[step * (l * int64_t{b}) + j * b + i] = hidden;
        other_state_old_log[step * (l * int64_t{b}) + j * b + i] = cell;
        x = new_hidden;
      }
      last[step * b + i] = x;
      ys[step * b + i] = x * weights[i] + biases[i];
    }
  }
}

// ys_adj[step, i] = term * sequence[t - 1 - step, i]
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; reverse_map; reverse_scalar
//   grid    one thread per `step` and `i`: `step` to blockIdx.x and threadIdx.y, `i` to blockIdx.y
//           and threadIdx.x; threads stride over the rest
__global__ void __launch_bounds__(block_size)
ys_adj_kernel(double* __restrict__ ys_adj,          // [count][b], written
              const double* __restrict__ sequence,  // [t][b]
              int64_t count, int b, int t, double term) {
  const int64_t stride_step = int64_t(gridDim.x) * blockDim.y;
  const int stride_i = static_cast<int>(gridDim.y * blockDim.x);
  for (int64_t step = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; step < count;
       step += stride_step) {
    for (int i = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); i < b; i += stride_i) {
      ys_adj[step * b + i] = term * sequence[(int64_t{t} - 1 - step) * b + i];
    }
  }
}

// total[step] = sum_{i < b} exp(ys[step, i])
// normaliser_adj[step] = sum_{i < b} -ys_adj[step, i]
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; reverse_map; reverse_scalar
//   grid    a row of threads of a block per result, which share its sums
__global__ void __launch_bounds__(block_size)
objective_total_kernel(double* __restrict__ total,           // [count], written
                       double* __restrict__ normaliser_adj,  // [count], written
                       const double* __restrict__ ys,        // [count][b]
                       const double* __restrict__ ys_adj,    // [count][b]
                       int64_t count, int b) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t step = min(number, count - 1);  // all threads come to the sums
  const double* const ys_row = ys + step * b;
  double own_total = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < b; i += static_cast<int>(blockDim.x)) {
    own_total += exp(ys_row[i]);
  }
  const double normaliser_total = combine_row(own_total, Add{});
  const double* const ys_adj_row = ys_adj + step * b;
  double own_normaliser_adj = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < b; i += static_cast<int>(blockDim.x)) {
    own_normaliser_adj += -ys_adj_row[i];
  }
  const double objective_normaliser_adj = combine_row(own_normaliser_adj, Add{});
  if (threadIdx.x == 0 && number < count) {
    total[step] = normaliser_total;
    normaliser_adj[step] = objective_normaliser_adj;
  }
}

// layers_adj[j, s, u, i] = 0
// weights_adj[i] = sum_{step < t - 1} normaliser_ys_adj * last[step, i]
// biases_adj[i] = sum_{step < t - 1} normaliser_ys_adj
//   where normaliser_ys_adj = ys_adj[step, i] + normaliser_adj[step] / (2 + total[step]) *
//       exp(ys[step, i])
// layers_adj[j, 1, 3, i], layers_adj[j, 0, 3, i], layers_adj[j, 1, 2, i] and others, step by step
//     as below
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; reverse_scalar; reverse_map; reverse_update; reverse_index
//   grid    one thread per `i`
__global__ void __launch_bounds__(block_size)
extra_adj_kernel(double* __restrict__ extra_adj,                  // [b], written
                 double* __restrict__ layers_adj,                 // [l][2][4][b], written
                 double* __restrict__ weights_adj,                // [b], written
                 double* __restrict__ biases_adj,                 // [b], written
                 double* __restrict__ state_adj,                  // [l][2][threads], scratch
                 const double* __restrict__ last,                 // [count][b]
                 const double* __restrict__ state_old_log_again,  // [count][l][b]
                 const double* __restrict__ other_state_old_log,  // [count][l][b]
                 const double* __restrict__ x_states,             // [count][l][b]
                 const double* __restrict__ ys,                   // [count][b]
                 const double* __restrict__ ys_adj,               // [count][b]
                 const double* __restrict__ sequence,             // [t][b]
                 const double* __restrict__ weights,              // [b]
                 const double* __restrict__ main_params,          // [l][2][4][b]
                 const double* __restrict__ total,                // [count]
                 const double* __restrict__ normaliser_adj,       // [count]
                 int64_t b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < b; i += threads) {
    const double weight = weights[i];
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) state_adj[j * (2 * threads) + s * threads + thread] = 0.0;
    }
    double objective_extra_adj = 0.0;
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) {
        for (int u = 0; u < 4; ++u) layers_adj[j * (8 * b) + s * (4 * b) + u * b + i] = 0.0;
      }
    }
    double objective_weights_adj = 0.0;
    double objective_biases_adj = 0.0;
    for (int64_t step = 0; step < int64_t{t} - 1; ++step) {
      const double term = normaliser_adj[step] / (2.0 + total[step]) * exp(ys[step * b + i]);
      const double normaliser_ys_adj = ys_adj[step * b + i] + term;
      double x_adj = normaliser_ys_adj * weight;
      for (int64_t j = l - 1; j >= 0; --j) {
        const double x = x_states[step * (l * b) + j * b + i];
        const double state_old = state_old_log_again[step * (l * b) + j * b + i];
        const double predict_state_old = other_state_old_log[step * (l * b) + j * b + i];
        const double forget_weight = main_params[j * (8 * b) + i];
        const double bias = main_params[j * (8 * b) + 4 * b + i];
        const double ingate_weight = main_params[j * (8 * b) + b + i];
        const double ingate_bias = main_params[j * (8 * b) + 5 * b + i];
        const double outgate_weight = main_params[j * (8 * b) + 2 * b + i];
        const double outgate_bias = main_params[j * (8 * b) + 6 * b + i];
        const double change_weight = main_params[j * (8 * b) + 3 * b + i];
        const double change_bias = main_params[j * (8 * b) + 7 * b + i];
        double cell_adj = state_adj[j * (2 * threads) + threads + thread];
        double hidden_adj = state_adj[j * (2 * threads) + thread];
        const double part_adj = layers_adj[j * (8 * b) + 3 * b + i];
        const double outgate_part_adj = layers_adj[j * (8 * b) + 6 * b + i];
        const double gate_part_adj = layers_adj[j * (8 * b) + 2 * b + i];
        const double ingate_part_adj = layers_adj[j * (8 * b) + 5 * b + i];
        const double layer_part_adj = layers_adj[j * (8 * b) + b + i];
        const double forget_part_adj = layers_adj[j * (8 * b) + 4 * b + i];
        const double predict_part_adj = layers_adj[j * (8 * b) + i];
        const double exp_ = exp(-(x * forget_weight + bias));
        const double sum = 1.0 + exp_;
        const double forget = 1.0 / sum;
        const double ingate_exp_ = exp(-(state_old * ingate_weight + ingate_bias));
        const double ingate_sum = 1.0 + ingate_exp_;
        const double ingate = 1.0 / ingate_sum;
        const double outgate_exp_ = exp(-(x * outgate_weight + outgate_bias));
        const double outgate_sum = 1.0 + outgate_exp_;
        const double outgate = 1.0 / outgate_sum;
        const double change = tanh(state_old * change_weight + change_bias);
        hidden_adj += x_adj;
        const double tanh_ = tanh(predict_state_old * forget + ingate * change);
        cell_adj += hidden_adj * outgate * (1.0 - tanh_ * tanh_);
        const double change_term = cell_adj * ingate * (1.0 - change * change);
        const double outgate_term = hidden_adj * tanh_ / outgate_sum * outgate * outgate_exp_;
        const double ingate_term = cell_adj * change / ingate_sum * ingate * ingate_exp_;
        const double forget_term = cell_adj * predict_state_old / sum * forget * exp_;
        layers_adj[j * (8 * b) + 7 * b + i] += change_term;
        layers_adj[j * (8 * b) + 3 * b + i] = part_adj + change_term * state_old;
        layers_adj[j * (8 * b) + 6 * b + i] = outgate_part_adj + outgate_term;
        layers_adj[j * (8 * b) + 2 * b + i] = gate_part_adj + outgate_term * x;
        layers_adj[j * (8 * b) + 5 * b + i] = ingate_part_adj + ingate_term;
        layers_adj[j * (8 * b) + b + i] = layer_part_adj + ingate_term * state_old;
        layers_adj[j * (8 * b) + 4 * b + i] = forget_part_adj + forget_term;
        layers_adj[j * (8 * b) + i] = predict_part_adj + forget_term * x;
        state_adj[j * (2 * threads) + threads + thread] = cell_adj * forget;
        state_adj[j * (2 * threads) + thread] =
            change_term * change_weight + ingate_term * ingate_weight;
        x_adj = outgate_term * outgate_weight + forget_term * forget_weight;
      }
      objective_extra_adj += x_adj * sequence[(int64_t{t} - 2 - step) * b + i];
      objective_weights_adj += normaliser_ys_adj * last[step * b + i];
      objective_biases_adj += normaliser_ys_adj;
    }
    extra_adj[i] = objective_extra_adj;
    weights_adj[i] = objective_weights_adj;
    biases_adj[i] = objective_biases_adj;
  }
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch : Scratch {
  int64_t m, b, t;

  int64_t l = m / 2;
  int64_t count = std::max<int64_t>(t - 1, 0);
  unsigned state_old_log_grid = blocks_for(std::min(b, max_threads), block_size);
  unsigned last_row_threads = row_threads_for(b, count);
  unsigned last_grid_height =
      std::min<unsigned>(blocks_for(std::max<int64_t>(b, 1), last_row_threads), 64u);
  unsigned last_grid_width =
      std::min(blocks_for(count, block_size / last_row_threads),
               static_cast<unsigned>(max_threads / block_size) / last_grid_height);
  unsigned extra_adj_grid = blocks_for(std::min(b, max_threads), block_size);

  double* state_old_log = take<double>(count * l * b);            // [count][l][b]
  double* objective_state_old_log = take<double>(count * l * b);  // [count][l][b]
  double* objective_state =
      take<double>(l * 2 * (int64_t{state_old_log_grid} * block_size));  // [l][2][threads]
  double* state_old_log_again = take<double>(count * l * b);             // [count][l][b]
  double* other_state_old_log = take<double>(count * l * b);             // [count][l][b]
  double* x_states = take<double>(count * l * b);                        // [count][l][b]
  double* last = take<double>(count * b);                                // [count][b]
  double* ys = take<double>(count * b);                                  // [count][b]
  double* state_again = take<double>(
      l * 2 * (int64_t{last_grid_width} * last_grid_height * block_size));  // [l][2][threads]
  double* ys_adj = take<double>(count * b);                                 // [count][b]
  double* total = take<double>(count);
  double* normaliser_adj = take<double>(count);
  double* layers_adj = take<double>(l * 2 * 4 * b);  // [l][2][4][b]
  double* extra_adj = take<double>(b);
  double* weights_adj = take<double>(b);
  double* biases_adj = take<double>(b);
  double* state_adj =
      take<double>(l * 2 * (int64_t{extra_adj_grid} * block_size));  // [l][2][threads]
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                        int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  *bytes = CalculateObjectiveScratch{Scratch(nullptr), m, b, t}.bytes();
  return cudaSuccess;
}

cudaError_t calculate_objective(double* result, const double* main_params,
                                const double* extra_params, const double* state,
                                const double* sequence, int64_t m, int64_t w, int64_t b, int64_t t,
                                void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  const CalculateObjectiveScratch buffers{Scratch(scratch), m, b, t};
  if (scratch_bytes < buffers.bytes()) return cudaErrorInvalidValue;
  const int64_t product = buffers.l * 2;
  if (m != product || w != b * 4) return cudaErrorInvalidValue;

  if (b > 0) {
    ys_log_kernel<<<buffers.ys_log_grid, block_size, 0, stream>>>(
        buffers.ys_log, buffers.total_parts_log, buffers.objective_state, state, sequence,
        extra_params, main_params, extra_params + b, extra_params + 2 * b, b, buffers.l,
        static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.steps > 0) {
    const dim3 block = sums_block(buffers.steps, 1, b, true);
    const unsigned grid_size = blocks_for(buffers.steps, block.y);
    total_kernel<<<grid_size, block, 0, stream>>>(buffers.total, buffers.ys_log,
                                                  buffers.total_parts_log, sequence, buffers.steps,
                                                  static_cast<int>(b));
    if (const auto error = cudaGetLastError()) return error;
  }
  quotient_kernel<<<1, 1, 0, stream>>>(result, buffers.total, static_cast<int>(t),
                                       static_cast<int>(b));
  return cudaGetLastError();
}

cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                       int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size || 4 * b > max_int_size || 8 * b > max_int_size)
    return cudaErrorInvalidValue;
  *bytes = CalculateJacobianScratch{Scratch(nullptr), m, b, t}.bytes();
  return cudaSuccess;
}

cudaError_t calculate_jacobian(double* main_params_adj, double* extra_params_adj,
                               const double* main_params, const double* extra_params,
                               const double* state, const double* sequence, int64_t m, int64_t w,
                               int64_t b, int64_t t, void* scratch, std::size_t scratch_bytes,
                               cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size || 4 * b > max_int_size || 8 * b > max_int_size)
    return cudaErrorInvalidValue;
  const CalculateJacobianScratch buffers{Scratch(scratch), m, b, t};
  if (scratch_bytes < buffers.bytes()) return cudaErrorInvalidValue;
  const int64_t product = buffers.l * 2;
  const int64_t layers_product = b * 4;
  if (m != product || w != layers_product) return cudaErrorInvalidValue;
  const double term = -(1.0 / static_cast<double>(b * (t - 1)));

  // Forward sweep.
  if (b > 0) {
    state_old_log_kernel<<<buffers.state_old_log_grid, block_size, 0, stream>>>(
        buffers.state_old_log, buffers.objective_state_old_log, buffers.objective_state, state,
        sequence, extra_params, main_params, b, buffers.l, static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }

  // Return sweep.
  if (buffers.count > 0 && b > 0) {
    const dim3 block_shape(buffers.last_row_threads, block_size / buffers.last_row_threads);
    const dim3 grid_shape(buffers.last_grid_width, buffers.last_grid_height);
    last_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.last, buffers.state_old_log_again, buffers.other_state_old_log, buffers.x_states,
        buffers.ys, buffers.state_again, sequence, buffers.state_old_log,
        buffers.objective_state_old_log, extra_params, main_params, extra_params + b,
        extra_params + 2 * b, buffers.count, static_cast<int>(b), buffers.l, static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.count > 0 && b > 0) {
    const unsigned row_threads = row_threads_for(b, buffers.count);
    const unsigned grid_width = few_blocks_for(buffers.count, block_size / row_threads);
    const dim3 block_shape(row_threads, block_size / row_threads);
    const dim3 grid_shape(grid_width, few_blocks_for(b, row_threads, grid_width));
    ys_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.ys_adj, sequence, buffers.count, static_cast<int>(b), static_cast<int>(t), term);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.count > 0) {
    const dim3 block = sums_block(buffers.count, 1, b, true);
    const unsigned grid_size = blocks_for(buffers.count, block.y);
    objective_total_kernel<<<grid_size, block, 0, stream>>>(buffers.total, buffers.normaliser_adj,
                                                            buffers.ys, buffers.ys_adj,
                                                            buffers.count, static_cast<int>(b));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (b > 0) {
    extra_adj_kernel<<<buffers.extra_adj_grid, block_size, 0, stream>>>(
        buffers.extra_adj, buffers.layers_adj, buffers.weights_adj, buffers.biases_adj,
        buffers.state_adj, buffers.last, buffers.state_old_log_again, buffers.other_state_old_log,
        buffers.x_states, buffers.ys, buffers.ys_adj, sequence, extra_params + b, main_params,
        buffers.total, buffers.normaliser_adj, b, buffers.l, static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }
  if (const auto error = fill_zeros(extra_params_adj, 3 * b, stream)) return error;
  if (const auto error = copy_array(extra_params_adj + 2 * b, buffers.biases_adj, b, stream)) {
    return error;
  }
  if (const auto error = copy_array(extra_params_adj + b, buffers.weights_adj, b, stream)) {
    return error;
  }
  if (const auto error = copy_array(extra_params_adj, buffers.extra_adj, b, stream)) return error;
  return copy_array(main_params_adj, buffers.layers_adj, m * w, stream);
}

}  // namespace lstm
