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
//   forward  state_old_log_log[i_2, i_3, i] and state_old_log_log_2[i_2, i_3, i], step by step as
//              below
//                                                                                       restore
//   return   x_states[step, i_3, i], state_old_log[step, i_3, i], state_old_log_2[step, i_3, i] and
//              others, step by step as below
//                                                                         reverse_loop, restore
//            ys_adj[step, i] = term * sequence[t - 2 - step + 1, i]
//                                                     reverse_loop, reverse_map, reverse_scalar
//            total[step] = sum_{i < b} exp(ys[step, i])
//            normaliser_adj[step] = sum_{i < b} -ys_adj[step, i]
//                                                     reverse_loop, reverse_map, reverse_scalar
//            layers_adj[j, s, u, i] = 0
//            extra_adj_2[i] = sum_{step < t - 1} ys_adj_2 * last[step, i]
//            extra_adj_3[i] = sum_{step < t - 1} ys_adj_2
//              where ys_adj_2 = ys_adj[step, i] + normaliser_adj[step] / (2 + total[step]) *
//                exp(ys[step, i])
//            layers_adj[i + i_2 * 2 * 4 * b + 4 * b + 3 * b], layers_adj[i + i_2 * 2 * 4 * b + 3 *
//              b], layers_adj[i + i_2 * 2 * 4 * b + 4 * b + 2 * b] and others, step by step as
//              below
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

/// Largest gridDim.y that CUDA accepts.
constexpr unsigned max_grid_height = 65535;

/// Arrays up to this size are indexed by `int`; one stride beyond the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;

/// About what the largest devices keep resident. Bounds scratch memory that every thread has.
constexpr int64_t max_threads = int64_t{1} << 18;

/// Blocks that cover `size` items. An array large enough to overflow the result fits on no device.
unsigned blocks_for(int64_t size, int64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

/// Combines the values of the threads with the same threadIdx.y, whose number is a power of two, always in the same order; each of them
/// gets the result. All threads of the block have to call it.
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

/// A power of two: as many as there are threads for, but no more than it takes to cover `width` results.
unsigned results_for(int64_t width, unsigned sum_threads) {
  unsigned results = 1;
  while (results < width && 2 * results * sum_threads <= block_size) results *= 2;
  return results;
}

/// Threads of a block along a row of `width` elements: the power of two up to 32 that covers it, and
/// more if that leaves threads for further rows than there are.
unsigned row_threads_for(int64_t width, int64_t rows) {
  unsigned threads = 1;
  while (threads < 32 && threads < width) threads *= 2;
  while (2 * threads <= block_size && threads < width && block_size / (2 * threads) >= rows)
    threads *= 2;
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

/// A power of two, up to a block. As many as it takes to keep a device busy with so many rows of sums, `width` each, as long as each thread
/// has several summands. Memory is read in pieces: if neighbouring summands lie next to each other, as many threads as a warp has come
/// before that, as far as there are summands; if neighbouring results do, the block keeps some of these. Where rows are short, it takes
/// several threads each to fill a warp.
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

// ys_log[i_2, i] and total_parts_log[i_2, i], step by step as below
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do le...`
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
ys_log_kernel(double* __restrict__ ys_log,              // [steps][b], written
              double* __restrict__ total_parts_log,     // [steps][b], written
              double* __restrict__ state_2,             // [l][2][threads], scratch
              const double* __restrict__ state,         // [l][2][b]
              const double* __restrict__ sequence,      // [t][b]
              const double* __restrict__ extra_params,  // [b]
              const double* __restrict__ main_params,   // [l][2][4][b]
              const double* __restrict__ extra_2,       // [b]
              const double* __restrict__ extra_4,       // [b]
              int64_t b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < b; i += threads) {
    const double extra = extra_params[i];
    const double extra_3 = extra_2[i];
    const double extra_5 = extra_4[i];
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) {
        state_2[thread + j * (2 * threads) + s * threads] = state[i + j * (2 * b) + s * b];
      }
    }
    for (int64_t i_2 = 0; i_2 < int64_t{t} - 1; ++i_2) {
      double x = sequence[i + i_2 * b] * extra;
      for (int64_t i_3 = 0; i_3 < l; ++i_3) {
        const double state_3 = state_2[thread + i_3 * (2 * threads)];
        const double state_4 = state_2[thread + i_3 * (2 * threads) + threads];
        const double biases = main_params[i + i_3 * (2 * (4 * b)) + 4 * b];
        const double weights = main_params[i + i_3 * (2 * (4 * b)) + b];
        const double biases_2 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + b];
        const double weights_2 = main_params[i + i_3 * (2 * (4 * b)) + 2 * b];
        const double biases_3 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + 2 * b];
        const double weights_3 = main_params[i + i_3 * (2 * (4 * b)) + 3 * b];
        const double biases_4 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + 3 * b];
        const double product = x * main_params[i + i_3 * (2 * (4 * b))];
        const double product_2 = 1.0 / (1.0 + exp(-(state_3 * weights + biases_2))) *
                                 tanh(state_3 * weights_3 + biases_4);
        const double sum = state_4 * (1.0 / (1.0 + exp(-(product + biases)))) + product_2;
        const double product_3 = 1.0 / (1.0 + exp(-(x * weights_2 + biases_3))) * tanh(sum);
        state_2[thread + i_3 * (2 * threads)] = product_3;
        state_2[thread + i_3 * (2 * threads) + threads] = sum;
        x = product_3;
      }
      const double sum = x * extra_3 + extra_5;
      ys_log[i + i_2 * b] = sum;
      total_parts_log[i + i_2 * b] = exp(sum);
    }
  }
}

// total[i] = sum_{j < b} sequence[i + 1, j] * (ys_log[i, j] - log(2 + sum_{j < b}
//     total_parts_log[i, j]))
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do le...`
//   grid    a row of threads of a block per result, which share its sums
__global__ void __launch_bounds__(block_size)
calculate_objective_total_kernel(double* __restrict__ total,                  // [steps], written
                                 const double* __restrict__ ys_log,           // [steps][b]
                                 const double* __restrict__ total_parts_log,  // [steps][b]
                                 const double* __restrict__ sequence,         // [t][b]
                                 int64_t steps, int b) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t i = min(number, steps - 1);
  const double* const ys_log_2 = ys_log + i * b;
  const double* const total_parts_log_2 = total_parts_log + i * b;
  double own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < b; j += static_cast<int>(blockDim.x)) {
    own_total += total_parts_log_2[j];
  }
  const double total_2 = combine_row(own_total, Add{});
  const double normaliser = log(2.0 + total_2);
  const double* const sequence_2 = sequence + (i + 1) * b;
  double own_total_2 = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < b; j += static_cast<int>(blockDim.x)) {
    own_total_2 += sequence_2[j] * (ys_log_2[j] - normaliser);
  }
  const double total_3 = combine_row(own_total_2, Add{});
  if (threadIdx.x == 0 && number < steps) total[i] = total_3;
}

// quotient = -(sum_{i < t - 1} total_2[i]) / (b * (t - 1))
//   source  lstm.fut:50, `-total / f64.i64 (b * (t - 1))`
//   grid    one thread
__global__ void __launch_bounds__(block_size)
quotient_kernel(double* __restrict__ quotient,       // written
                const double* __restrict__ total_2,  // [steps]
                int t, int b) {
  double total = 0.0;
  for (int64_t i = 0; i < int64_t{t} - 1; ++i) total += total_2[i];
  quotient[0] = -total / static_cast<double>(int64_t{b} * (int64_t{t} - 1));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch {
  unsigned ys_log_grid;
  double* ys_log;           // [steps][b]
  double* total_parts_log;  // [steps][b]
  double* state_2;          // [l][2][threads]
  double* total;            // [steps]
  std::size_t bytes;

  CalculateObjectiveScratch(void* memory, int64_t b, int64_t l, int64_t steps) {
    ys_log_grid = blocks_for(std::min(b, max_threads), block_size);

    Scratch scratch(memory);
    ys_log = scratch.take<double>(steps * b);
    total_parts_log = scratch.take<double>(steps * b);
    state_2 = scratch.take<double>(l * 2 * (int64_t{ys_log_grid} * block_size));
    total = scratch.take<double>(steps);
    bytes = scratch.bytes();
  }
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_jacobian
// ---------------------------------------------------------------------------------------

// state_old_log_log[i_2, i_3, i] and state_old_log_log_2[i_2, i_3, i], step by step as below
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do le...`
//   rule    restore
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
state_old_log_log_kernel(double* __restrict__ state_old_log_log,    // [count][l][b], written
                         double* __restrict__ state_old_log_log_2,  // [count][l][b], written
                         double* __restrict__ state_2,              // [l][2][threads], scratch
                         const double* __restrict__ state,          // [l][2][b]
                         const double* __restrict__ sequence,       // [t][b]
                         const double* __restrict__ extra_params,   // [b]
                         const double* __restrict__ main_params,    // [l][2][4][b]
                         int64_t b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < b; i += threads) {
    const double extra = extra_params[i];
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) {
        state_2[thread + j * (2 * threads) + s * threads] = state[i + j * (2 * b) + s * b];
      }
    }
    for (int64_t i_2 = 0; i_2 < int64_t{t} - 1; ++i_2) {
      double x = sequence[i + i_2 * b] * extra;
      for (int64_t i_3 = 0; i_3 < l; ++i_3) {
        const double state_3 = state_2[thread + i_3 * (2 * threads)];
        const double state_4 = state_2[thread + i_3 * (2 * threads) + threads];
        const double biases = main_params[i + i_3 * (2 * (4 * b)) + 4 * b];
        const double weights = main_params[i + i_3 * (2 * (4 * b)) + b];
        const double biases_2 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + b];
        const double weights_2 = main_params[i + i_3 * (2 * (4 * b)) + 2 * b];
        const double biases_3 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + 2 * b];
        const double weights_3 = main_params[i + i_3 * (2 * (4 * b)) + 3 * b];
        const double biases_4 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + 3 * b];
        const double product = x * main_params[i + i_3 * (2 * (4 * b))];
        const double product_2 = 1.0 / (1.0 + exp(-(state_3 * weights + biases_2))) *
                                 tanh(state_3 * weights_3 + biases_4);
        const double sum = state_4 * (1.0 / (1.0 + exp(-(product + biases)))) + product_2;
        const double product_3 = 1.0 / (1.0 + exp(-(x * weights_2 + biases_3))) * tanh(sum);
        state_2[thread + i_3 * (2 * threads)] = product_3;
        const double state_old = state_2[thread + i_3 * (2 * threads) + threads];
        state_2[thread + i_3 * (2 * threads) + threads] = sum;
        state_old_log_log[i + i_2 * (l * b) + i_3 * b] = state_3;
        state_old_log_log_2[i + i_2 * (l * b) + i_3 * b] = state_old;
        x = product_3;
      }
    }
  }
}

// x_states[step, i_3, i], state_old_log[step, i_3, i], state_old_log_2[step, i_3, i] and others,
//     step by step as below
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; restore
//   grid    one thread per pair: rows to blockIdx.x and threadIdx.y, elements of a row to
//           blockIdx.y and threadIdx.x
__global__ void __launch_bounds__(block_size)
last_kernel(double* __restrict__ last,                       // [count][b], written
            double* __restrict__ state_old_log,              // [count][l][b], written
            double* __restrict__ state_old_log_2,            // [count][l][b], written
            double* __restrict__ x_states,                   // [count][l][b], written
            double* __restrict__ ys,                         // [count][b], written
            double* __restrict__ state,                      // [l][2][threads], scratch
            double* __restrict__ state_2,                    // [l][2][threads], scratch
            const double* __restrict__ sequence,             // [t][b]
            const double* __restrict__ state_old_log_log,    // [count][l][b]
            const double* __restrict__ state_old_log_log_2,  // [count][l][b]
            const double* __restrict__ extra_params,         // [b]
            const double* __restrict__ main_params,          // [l][2][4][b]
            const double* __restrict__ extra,                // [b]
            const double* __restrict__ extra_2,              // [b]
            int64_t count, int b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * gridDim.y * block_size;
  const int64_t thread = (int64_t(blockIdx.y) * gridDim.x + blockIdx.x) * block_size +
                         threadIdx.y * blockDim.x + threadIdx.x;
  const int64_t stride_step = int64_t(gridDim.x) * blockDim.y;
  const int stride_i = static_cast<int>(gridDim.y * blockDim.x);

  for (int64_t step = int64_t(blockIdx.x) * blockDim.y + threadIdx.y; step < count;
       step += stride_step) {
    for (int i = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); i < b; i += stride_i) {
      const int64_t i_2 = int64_t{t} - 2 - step;
      for (int64_t i_3 = l - 1; i_3 >= 0; --i_3) {
        const double state_old = state_old_log_log[i + i_2 * (l * int64_t{b}) + i_3 * b];
        state[thread + i_3 * (2 * threads) + threads] =
            state_old_log_log_2[i + i_2 * (l * int64_t{b}) + i_3 * b];
        state[thread + i_3 * (2 * threads)] = state_old;
      }
      for (int64_t j = 0; j < l; ++j) {
        for (int s = 0; s < 2; ++s) {
          state_2[thread + j * (2 * threads) + s * threads] =
              state[thread + j * (2 * threads) + s * threads];
        }
      }
      double x = sequence[i_2 * b + i] * extra_params[i];
      for (int64_t i_3 = 0; i_3 < l; ++i_3) {
        const double state_3 = state_2[thread + i_3 * (2 * threads)];
        const double state_4 = state_2[thread + i_3 * (2 * threads) + threads];
        const double biases = main_params[i + i_3 * (2 * (4 * b)) + 4 * b];
        const double weights = main_params[i + i_3 * (2 * (4 * b)) + b];
        const double biases_2 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + b];
        const double weights_2 = main_params[i + i_3 * (2 * (4 * b)) + 2 * b];
        const double biases_3 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + 2 * b];
        const double weights_3 = main_params[i + i_3 * (2 * (4 * b)) + 3 * b];
        const double biases_4 = main_params[i + i_3 * (2 * (4 * b)) + 4 * b + 3 * b];
        const double product = x * main_params[i + i_3 * (2 * (4 * b))];
        const double product_2 = 1.0 / (1.0 + exp(-(state_3 * weights + biases_2))) *
                                 tanh(state_3 * weights_3 + biases_4);
        const double sum = state_4 * (1.0 / (1.0 + exp(-(product + biases)))) + product_2;
        const double product_3 = 1.0 / (1.0 + exp(-(x * weights_2 + biases_3))) * tanh(sum);
        x_states[step * (l * int64_t{b}) + i + i_3 * b] = x;
        state_2[thread + i_3 * (2 * threads)] = product_3;
        const double state_old = state_2[thread + i_3 * (2 * threads) + threads];
        state_2[thread + i_3 * (2 * threads) + threads] = sum;
        state_old_log[step * (l * int64_t{b}) + i + i_3 * b] = state_3;
        state_old_log_2[step * (l * int64_t{b}) + i + i_3 * b] = state_old;
        x = product_3;
      }
      last[step * b + i] = x;
      ys[step * b + i] = x * extra[i] + extra_2[i];
    }
  }
}

// ys_adj[step, i] = term * sequence[t - 2 - step + 1, i]
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; reverse_map; reverse_scalar
//   grid    one thread per pair: rows to blockIdx.x and threadIdx.y, elements of a row to
//           blockIdx.y and threadIdx.x
__global__ void __launch_bounds__(block_size)
ys_adj_kernel(double* __restrict__ ys_adj,          // [count][b], written
              const double* __restrict__ sequence,  // [t][b]
              int64_t count, int b, int t, double term) {
  const int64_t step = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (step >= count) return;

  const int stride = static_cast<int>(gridDim.y * blockDim.x);
  for (int i = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x); i < b; i += stride) {
    const double x = sequence[(int64_t{t} - 2 - step + 1) * b + i];
    ys_adj[step * b + i] = term * x;
  }
}

// total[step] = sum_{i < b} exp(ys[step, i])
// normaliser_adj[step] = sum_{i < b} -ys_adj[step, i]
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; reverse_map; reverse_scalar
//   grid    a row of threads of a block per result, which share its sums
__global__ void __launch_bounds__(block_size)
calculate_jacobian_total_kernel(double* __restrict__ total,           // [count], written
                                double* __restrict__ normaliser_adj,  // [count], written
                                const double* __restrict__ ys,        // [count][b]
                                const double* __restrict__ ys_adj,    // [count][b]
                                int64_t count, int b) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t step = min(number, count - 1);
  const double* const ys_2 = ys + step * b;
  double own_total = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < b; i += static_cast<int>(blockDim.x)) {
    own_total += exp(ys_2[i]);
  }
  const double total_2 = combine_row(own_total, Add{});
  const double* const ys_adj_2 = ys_adj + step * b;
  double own_normaliser_adj = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < b; i += static_cast<int>(blockDim.x)) {
    own_normaliser_adj += -ys_adj_2[i];
  }
  const double normaliser_adj_2 = combine_row(own_normaliser_adj, Add{});
  if (threadIdx.x == 0 && number < count) {
    total[step] = total_2;
    normaliser_adj[step] = normaliser_adj_2;
  }
}

// layers_adj[j, s, u, i] = 0
// extra_adj_2[i] = sum_{step < t - 1} ys_adj_2 * last[step, i]
// extra_adj_3[i] = sum_{step < t - 1} ys_adj_2
//   where ys_adj_2 = ys_adj[step, i] + normaliser_adj[step] / (2 + total[step]) * exp(ys[step, i])
// layers_adj[i + i_2 * 2 * 4 * b + 4 * b + 3 * b], layers_adj[i + i_2 * 2 * 4 * b + 3 * b],
//     layers_adj[i + i_2 * 2 * 4 * b + 4 * b + 2 * b] and others, step by step as below
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 do
//           le...`
//   rule    reverse_loop; reverse_scalar; reverse_map; reverse_update; reverse_index
//   grid    one thread per element of the outermost dimension
__global__ void __launch_bounds__(block_size)
extra_adj_kernel(double* __restrict__ extra_adj,              // [b], written
                 double* __restrict__ layers_adj,             // [l][2][4][b], written
                 double* __restrict__ extra_adj_2,            // [b], written
                 double* __restrict__ extra_adj_3,            // [b], written
                 double* __restrict__ state_adj,              // [l][2][threads], scratch
                 const double* __restrict__ last,             // [count][b]
                 const double* __restrict__ state_old_log,    // [count][l][b]
                 const double* __restrict__ state_old_log_2,  // [count][l][b]
                 const double* __restrict__ x_states,         // [count][l][b]
                 const double* __restrict__ ys,               // [count][b]
                 const double* __restrict__ ys_adj,           // [count][b]
                 const double* __restrict__ sequence,         // [t][b]
                 const double* __restrict__ extra,            // [b]
                 const double* __restrict__ main_params,      // [l][2][4][b]
                 const double* __restrict__ total,            // [count]
                 const double* __restrict__ normaliser_adj,   // [count]
                 int64_t b, int64_t l, int t) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t i = thread; i < b; i += threads) {
    const double extra_2 = extra[i];
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) state_adj[thread + j * (2 * threads) + s * threads] = 0.0;
    }
    double extra_adj_4 = 0.0;
    for (int64_t j = 0; j < l; ++j) {
      for (int s = 0; s < 2; ++s) {
        for (int u = 0; u < 4; ++u) layers_adj[i + j * (2 * (4 * b)) + s * (4 * b) + u * b] = 0.0;
      }
    }
    double extra_adj_5 = 0.0;
    double extra_adj_6 = 0.0;
    for (int64_t step = 0; step < int64_t{t} - 1; ++step) {
      const double term = normaliser_adj[step] / (2.0 + total[step]) * exp(ys[i + step * b]);
      const double ys_adj_2 = ys_adj[i + step * b] + term;
      double x_adj = ys_adj_2 * extra_2;
      for (int64_t i_2 = l - 1; i_2 >= 0; --i_2) {
        const double x = x_states[i + step * (l * b) + i_2 * b];
        const double state_old = state_old_log[i + step * (l * b) + i_2 * b];
        const double state_old_2 = state_old_log_2[i + step * (l * b) + i_2 * b];
        const double weights = main_params[i + i_2 * (2 * (4 * b))];
        const double biases = main_params[i + i_2 * (2 * (4 * b)) + 4 * b];
        const double weights_2 = main_params[i + i_2 * (2 * (4 * b)) + b];
        const double biases_2 = main_params[i + i_2 * (2 * (4 * b)) + 4 * b + b];
        const double weights_3 = main_params[i + i_2 * (2 * (4 * b)) + 2 * b];
        const double biases_3 = main_params[i + i_2 * (2 * (4 * b)) + 4 * b + 2 * b];
        const double weights_4 = main_params[i + i_2 * (2 * (4 * b)) + 3 * b];
        const double biases_4 = main_params[i + i_2 * (2 * (4 * b)) + 4 * b + 3 * b];
        const double cell_adj = state_adj[thread + i_2 * (2 * threads) + threads];
        const double hidden_adj = state_adj[thread + i_2 * (2 * threads)];
        const double part_adj = layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b + 3 * b];
        const double part_adj_2 = layers_adj[i + i_2 * (2 * (4 * b)) + 3 * b];
        const double part_adj_3 = layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b + 2 * b];
        const double part_adj_4 = layers_adj[i + i_2 * (2 * (4 * b)) + 2 * b];
        const double part_adj_5 = layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b + b];
        const double part_adj_6 = layers_adj[i + i_2 * (2 * (4 * b)) + b];
        const double part_adj_7 = layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b];
        const double part_adj_8 = layers_adj[i + i_2 * (2 * (4 * b))];
        const double exp_ = exp(-(x * weights + biases));
        const double sum = 1.0 + exp_;
        const double quotient = 1.0 / sum;
        const double exp_2 = exp(-(state_old * weights_2 + biases_2));
        const double sum_2 = 1.0 + exp_2;
        const double quotient_2 = 1.0 / sum_2;
        const double exp_3 = exp(-(x * weights_3 + biases_3));
        const double sum_3 = 1.0 + exp_3;
        const double quotient_3 = 1.0 / sum_3;
        const double tanh_ = tanh(state_old * weights_4 + biases_4);
        const double hidden_adj_2 = x_adj + hidden_adj;
        const double tanh_2 = tanh(state_old_2 * quotient + quotient_2 * tanh_);
        const double cell_adj_2 = cell_adj + hidden_adj_2 * quotient_3 * (1.0 - tanh_2 * tanh_2);
        const double term_2 = cell_adj_2 * quotient_2 * (1.0 - tanh_ * tanh_);
        const double term_3 = hidden_adj_2 * tanh_2 / sum_3 * quotient_3 * exp_3;
        const double term_4 = cell_adj_2 * tanh_ / sum_2 * quotient_2 * exp_2;
        const double term_5 = cell_adj_2 * state_old_2 / sum * quotient * exp_;
        state_adj[thread + i_2 * (2 * threads) + threads] = 0.0;
        state_adj[thread + i_2 * (2 * threads)] = 0.0;
        layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b + 3 * b] = part_adj + term_2;
        layers_adj[i + i_2 * (2 * (4 * b)) + 3 * b] = part_adj_2 + term_2 * state_old;
        layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b + 2 * b] = part_adj_3 + term_3;
        layers_adj[i + i_2 * (2 * (4 * b)) + 2 * b] = part_adj_4 + term_3 * x;
        layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b + b] = part_adj_5 + term_4;
        layers_adj[i + i_2 * (2 * (4 * b)) + b] = part_adj_6 + term_4 * state_old;
        layers_adj[i + i_2 * (2 * (4 * b)) + 4 * b] = part_adj_7 + term_5;
        layers_adj[i + i_2 * (2 * (4 * b))] = part_adj_8 + term_5 * x;
        state_adj[thread + i_2 * (2 * threads) + threads] = cell_adj_2 * quotient;
        state_adj[thread + i_2 * (2 * threads)] = term_2 * weights_4 + term_4 * weights_2;
        x_adj = term_3 * weights_3 + term_5 * weights;
      }
      extra_adj_4 += x_adj * sequence[i + (int64_t{t} - 2 - step) * b];
      extra_adj_5 += ys_adj_2 * last[i + step * b];
      extra_adj_6 += ys_adj_2;
    }
    extra_adj[i] = extra_adj_4;
    extra_adj_2[i] = extra_adj_5;
    extra_adj_3[i] = extra_adj_6;
  }
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch {
  unsigned state_old_log_log_grid, last_row_threads, last_grid_height, last_grid_width,
      extra_adj_grid;
  double* state_old_log_log;    // [count][l][b]
  double* state_old_log_log_2;  // [count][l][b]
  double* state_2;              // [l][2][threads]
  double* state_old_log;        // [count][l][b]
  double* state_old_log_2;      // [count][l][b]
  double* x_states;             // [count][l][b]
  double* last;                 // [count][b]
  double* ys;                   // [count][b]
  double* state_3;              // [l][2][threads]
  double* state_4;              // [l][2][threads]
  double* ys_adj;               // [count][b]
  double* total;                // [count]
  double* normaliser_adj;       // [count]
  double* layers_adj;           // [l][2][4][b]
  double* extra_adj;            // [b]
  double* extra_adj_2;          // [b]
  double* extra_adj_3;          // [b]
  double* state_adj;            // [l][2][threads]
  std::size_t bytes;

  CalculateJacobianScratch(void* memory, int64_t b, int64_t count, int64_t l) {
    state_old_log_log_grid = blocks_for(std::min(b, max_threads), block_size);
    last_row_threads = row_threads_for(b, count);
    last_grid_height =
        std::min<unsigned>(blocks_for(std::max<int64_t>(b, 1), last_row_threads), 64u);
    last_grid_width = std::min(blocks_for(count, block_size / last_row_threads),
                               static_cast<unsigned>(max_threads / block_size) / last_grid_height);
    extra_adj_grid = blocks_for(std::min(b, max_threads), block_size);

    Scratch scratch(memory);
    state_old_log_log = scratch.take<double>(count * l * b);
    state_old_log_log_2 = scratch.take<double>(count * l * b);
    state_2 = scratch.take<double>(l * 2 * (int64_t{state_old_log_log_grid} * block_size));
    state_old_log = scratch.take<double>(count * l * b);
    state_old_log_2 = scratch.take<double>(count * l * b);
    x_states = scratch.take<double>(count * l * b);
    last = scratch.take<double>(count * b);
    ys = scratch.take<double>(count * b);
    state_3 =
        scratch.take<double>(l * 2 * (int64_t{last_grid_width} * last_grid_height * block_size));
    state_4 =
        scratch.take<double>(l * 2 * (int64_t{last_grid_width} * last_grid_height * block_size));
    ys_adj = scratch.take<double>(count * b);
    total = scratch.take<double>(count);
    normaliser_adj = scratch.take<double>(count);
    layers_adj = scratch.take<double>(l * 2 * 4 * b);
    extra_adj = scratch.take<double>(b);
    extra_adj_2 = scratch.take<double>(b);
    extra_adj_3 = scratch.take<double>(b);
    state_adj = scratch.take<double>(l * 2 * (int64_t{extra_adj_grid} * block_size));
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

cudaError_t calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                        int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const int64_t steps = std::max<int64_t>(t - 1, 0);
  *bytes = CalculateObjectiveScratch(nullptr, b, l, steps).bytes;
  return cudaSuccess;
}

cudaError_t calculate_objective(double* quotient, const double* main_params,
                                const double* extra_params, const double* state,
                                const double* sequence, int64_t m, int64_t w, int64_t b, int64_t t,
                                void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const int64_t steps = std::max<int64_t>(t - 1, 0);
  const CalculateObjectiveScratch buffers(scratch, b, l, steps);
  if (scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  const int64_t product = l * 2;
  if (m != product || w != b * 4) return cudaErrorInvalidValue;

  if (b > 0) {
    ys_log_kernel<<<buffers.ys_log_grid, block_size, 0, stream>>>(
        buffers.ys_log, buffers.total_parts_log, buffers.state_2, state, sequence, extra_params,
        main_params, extra_params + b, extra_params + 2 * b, b, l, static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (steps > 0) {
    const unsigned sum_threads = sum_threads_for(steps, 1, b, true);
    const unsigned results = results_for(steps, sum_threads);
    const dim3 block_shape(sum_threads, results);
    const unsigned grid_size = blocks_for(steps, results);
    calculate_objective_total_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.total, buffers.ys_log, buffers.total_parts_log, sequence, steps,
        static_cast<int>(b));
    if (const auto error = cudaGetLastError()) return error;
  }
  quotient_kernel<<<1, 1, 0, stream>>>(quotient, buffers.total, static_cast<int>(t),
                                       static_cast<int>(b));
  return cudaGetLastError();
}

cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                       int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size || 4 * b > max_int_size || 8 * b > max_int_size)
    return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  *bytes = CalculateJacobianScratch(nullptr, b, count, l).bytes;
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
  const int64_t l = m / 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  const CalculateJacobianScratch buffers(scratch, b, count, l);
  if (scratch_bytes < buffers.bytes) return cudaErrorInvalidValue;
  const int64_t product = l * 2;
  const int64_t product_2 = b * 4;
  if (m != product || w != product_2) return cudaErrorInvalidValue;
  const double term = -(1.0 / static_cast<double>(b * (t - 1)));

  if (b > 0) {
    state_old_log_log_kernel<<<buffers.state_old_log_log_grid, block_size, 0, stream>>>(
        buffers.state_old_log_log, buffers.state_old_log_log_2, buffers.state_2, state, sequence,
        extra_params, main_params, b, l, static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (count > 0 && b > 0) {
    {
      const dim3 block_shape(buffers.last_row_threads, block_size / buffers.last_row_threads);
      const dim3 grid_shape(buffers.last_grid_width, buffers.last_grid_height);
      last_kernel<<<grid_shape, block_shape, 0, stream>>>(
          buffers.last, buffers.state_old_log, buffers.state_old_log_2, buffers.x_states,
          buffers.ys, buffers.state_3, buffers.state_4, sequence, buffers.state_old_log_log,
          buffers.state_old_log_log_2, extra_params, main_params, extra_params + b,
          extra_params + 2 * b, count, static_cast<int>(b), l, static_cast<int>(t));
      if (const auto error = cudaGetLastError()) return error;
    }
    const unsigned row_threads = row_threads_for(b, count);
    {
      const dim3 block_shape(row_threads, block_size / row_threads);
      const dim3 grid_shape(blocks_for(count, block_size / row_threads),
                            std::min(blocks_for(b, row_threads), max_grid_height));
      ys_adj_kernel<<<grid_shape, block_shape, 0, stream>>>(
          buffers.ys_adj, sequence, count, static_cast<int>(b), static_cast<int>(t), term);
      if (const auto error = cudaGetLastError()) return error;
    }
  }

  if (count > 0) {
    const unsigned sum_threads = sum_threads_for(count, 1, b, true);
    const unsigned results = results_for(count, sum_threads);
    const dim3 block_shape(sum_threads, results);
    const unsigned grid_size = blocks_for(count, results);
    calculate_jacobian_total_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.total, buffers.normaliser_adj, buffers.ys, buffers.ys_adj, count,
        static_cast<int>(b));
    if (const auto error = cudaGetLastError()) return error;
  }

  if (b > 0) {
    extra_adj_kernel<<<buffers.extra_adj_grid, block_size, 0, stream>>>(
        buffers.extra_adj, buffers.layers_adj, buffers.extra_adj_2, buffers.extra_adj_3,
        buffers.state_adj, buffers.last, buffers.state_old_log, buffers.state_old_log_2,
        buffers.x_states, buffers.ys, buffers.ys_adj, sequence, extra_params + b, main_params,
        buffers.total, buffers.normaliser_adj, b, l, static_cast<int>(t));
    if (const auto error = cudaGetLastError()) return error;
  }
  if (const auto error = cudaMemsetAsync(
          extra_params_adj, 0, static_cast<std::size_t>(3 * b) * sizeof(double), stream)) {
    return error;
  }
  if (const auto error = cudaMemcpyAsync(extra_params_adj + 2 * b, buffers.extra_adj_3,
                                         static_cast<std::size_t>(b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  if (const auto error = cudaMemcpyAsync(extra_params_adj + b, buffers.extra_adj_2,
                                         static_cast<std::size_t>(b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  if (const auto error = cudaMemcpyAsync(extra_params_adj, buffers.extra_adj,
                                         static_cast<std::size_t>(b) * sizeof(double),
                                         cudaMemcpyDeviceToDevice, stream)) {
    return error;
  }
  return cudaMemcpyAsync(main_params_adj, buffers.layers_adj,
                         static_cast<std::size_t>(m * w) * sizeof(double), cudaMemcpyDeviceToDevice,
                         stream);
}

}  // namespace lstm
