// lstm.cu: CUDA C++ for the entry points of lstm.fut, declared in lstm.hpp.
// Written by `boustro translate lstm.fut`; yours to edit. C++17, CUDA 12.8 or later.
//
//   calculate_objective [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : f64
//     = objective main_params extra_params state sequence                           lstm.fut:52
//
//   calculate_jacobian [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : ([m][w]f64, [3][b]f64)
//     = vjp (\(main_params, extra_params) -> objective main_params extra_params state sequence)
//       (main_params, extra_params) 1                                               lstm.fut:60
//
//   The derivative, rule by rule (`boustro derive lstm.fut` prints it as a program):
//
//   forward  x_states[i, s, j], hidden_old_kept[i, s, j], cell_old_kept[i, s, j] and
//              last_states[i, j]: see objective_forward_kernel            reverse_loop, restore
//   return   total_parts[slab, i] = sum_{j in slab} exp(last_states[i, j] * weights[j] + biases[j])
//            normaliser_adj_parts[slab, i] = sum_{j in slab} -total_adj * sequence[i + 1, j]
//              where total_adj = -1 / (b * (t - 1))   reverse_loop, reverse_map, reverse_scalar
//            total[i] = sum_{slab < total_slabs} total_parts[slab, i]
//            normaliser_adj[i] = sum_{slab < total_slabs} normaliser_adj_parts[slab, i]
//                                                                     reverse_loop, reverse_map
//            weights_adj[j] = sum_{i < t - 1} ys_adj * last_states[i, j]
//            biases_adj[j] = sum_{i < t - 1} ys_adj
//              where ys_adj = total_adj * sequence[i + 1, j] + normaliser_adj[i] / (2 + total[i]) *
//                exp(last_states[i, j] * weights[j] + biases[j])
//            main_params_adj and extra_adj_row[j]: see objective_return_kernel
//        reverse_loop, reverse_map, reverse_scalar, reverse_update, reverse_index, reverse_call

#include "lstm.hpp"

#include <algorithm>
#include <cmath>

namespace lstm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Largest gridDim.y that CUDA accepts.
constexpr unsigned max_grid_height = 65535;

constexpr int block_size = 256;

/// Maximum size of arrays that are indexed by `int`: one stride past the end does not overflow.
constexpr int64_t max_int_size = int64_t{1} << 30;

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

/// Blocks along y or z that cover `size` items, `per_block` each, but no more than CUDA accepts
/// there: kernels stride over the rest.
unsigned grid_height_for(int64_t size, int64_t per_block = 1) {
  return std::min(blocks_for(size, per_block), max_grid_height);
}

/// Which neighbours lie side by side in memory: elements of neighbouring results, or the summands
/// of one result.
enum class Order { results, summands };

/// Threads that share a sum, a power of two: as many as fill a warp with a short row or, where
/// summands are neighbours, with each sum, if there are summands for them; then as many as keep the
/// device busy with `rows` rows of `width` sums, and leave each 4 summands or more. Where results
/// are neighbours, 8 of these, or all of a row, stay in the block.
unsigned sum_threads_for(int64_t width, int64_t rows, int64_t summands, Order neighbours) {
  const int64_t enough = 1 << 18, own_summands = 8, warp = 32;
  const bool row = neighbours == Order::summands;
  const int64_t least = row ? warp : 1,
                most = row ? block_size : block_size / std::min<int64_t>(width, 8);
  int64_t threads = 1;
  while (threads < summands && (threads < least || threads * width < warp)) threads *= 2;
  while (2 * threads <= most && threads * own_summands < summands &&
         threads * width * rows < enough)
    threads *= 2;
  return static_cast<unsigned>(threads);
}

/// The shape of a block for `rows` rows of `width` sums. The threads of a sum are those with one
/// threadIdx.y if its summands are neighbours, else those with one threadIdx.x.
dim3 sums_block(int64_t width, int64_t rows, int64_t summands, Order neighbours) {
  const unsigned threads = sum_threads_for(width, rows, summands, neighbours);
  unsigned sums = 1;
  while (sums < width && 2 * sums * threads <= block_size) sums *= 2;
  return neighbours == Order::summands ? dim3(threads, sums) : dim3(sums, threads);
}

/// Combines the values of the threads of a column, which have the same threadIdx.x: a power of two
/// of them, always in the same order. Returns the result to each. All threads of the block must
/// call it.
template <typename T, typename Op>
__device__ T combine_column(T value, Op op) {
  if (blockDim.y == 1) return value;
  __shared__ T values[block_size];
  T* const column = values + threadIdx.x;
  T& own = column[threadIdx.y * blockDim.x];
  own = value;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) own = op(own, column[(threadIdx.y + half) * blockDim.x]);
  }
  __syncthreads();
  const T result = column[0];
  __syncthreads();  // all threads have read it
  return result;
}

/// Combines the values of the threads of a row, which have the same threadIdx.y: a power of two
/// of them, always in the same order. Returns the result to each. All threads of the block must
/// call it.
template <typename T, typename Op>
__device__ T combine_row(T value, Op op) {
  if (blockDim.x == 1) return value;
  __shared__ T values[block_size];
  T* const row = values + threadIdx.y * blockDim.x;
  row[threadIdx.x] = value;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) row[threadIdx.x] = op(row[threadIdx.x], row[threadIdx.x + half]);
  }
  __syncthreads();
  const T result = row[0];
  __syncthreads();  // all threads have read it
  return result;
}

// ---------------------------------------------------------------------------------------
// Device functions
// ---------------------------------------------------------------------------------------

///                                                                                   lstm.fut:7
__device__ double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

/// x + y
struct Add {
  __device__ double operator()(double x, double y) const { return x + y; }
};

/// The adjoint of x, given that of sigmoid's result.                                 lstm.fut:7
__device__ double sigmoid_vjp(double x, double result_adj) {
  const double result = 1.0 / (1.0 + exp(-x));
  return result_adj * (result * (1.0 - result));
}

// ---------------------------------------------------------------------------------------
// Kernels of calculate_objective
// ---------------------------------------------------------------------------------------

// ys_kept[i, j] and total_parts_kept[i, j], step by step as below
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do ...`
//   grid    one thread per `j`; threads stride over the rest, each with memory of its own
__global__ void __launch_bounds__(block_size)
objective_kernel(double* __restrict__ ys_kept,            // [steps][b], written
                 double* __restrict__ total_parts_kept,   // [steps][b], written
                 double* __restrict__ objective_state,    // [l][2][threads], scratch
                 const double* __restrict__ main_params,  // [l][2][4][b]
                 const double* __restrict__ extra_row,    // [b]
                 const double* __restrict__ weights,      // [b]
                 const double* __restrict__ biases,       // [b]
                 const double* __restrict__ state,        // [l][2][b]
                 const double* __restrict__ sequence,     // [t][b]
                 int64_t b, int t, int64_t l) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t j = thread; j < b; j += threads) {
    const double extra = extra_row[j];
    const double weight = weights[j];
    const double bias = biases[j];
    for (int64_t s = 0; s < l; ++s) {
      for (int i = 0; i < 2; ++i) {
        objective_state[s * (2 * threads) + i * threads + thread] = state[s * (2 * b) + i * b + j];
      }
    }
    for (int64_t i = 0; i < int64_t{t} - 1; ++i) {
      double x = sequence[i * b + j] * extra;
      for (int64_t s = 0; s < l; ++s) {
        double* const own_objective_state = objective_state + s * (2 * threads) + thread;
        const double hidden = own_objective_state[0];
        const double cell = own_objective_state[threads];
        const double* const own_main_params = main_params + s * (8 * b) + j;
        const double forget_weight = own_main_params[0];
        const double forget_bias = own_main_params[4 * b];
        const double ingate_weight = own_main_params[b];
        const double ingate_bias = own_main_params[5 * b];
        const double outgate_weight = own_main_params[2 * b];
        const double outgate_bias = own_main_params[6 * b];
        const double change_weight = own_main_params[3 * b];
        const double change_bias = own_main_params[7 * b];
        const double forget = sigmoid(x * forget_weight + forget_bias);
        const double ingate = sigmoid(hidden * ingate_weight + ingate_bias);
        const double outgate = sigmoid(x * outgate_weight + outgate_bias);
        const double change = tanh(hidden * change_weight + change_bias);
        const double new_cell = cell * forget + ingate * change;
        const double new_hidden = outgate * tanh(new_cell);
        own_objective_state[0] = new_hidden;
        own_objective_state[threads] = new_cell;
        x = new_hidden;
      }
      const double y = x * weight + bias;
      ys_kept[i * b + j] = y;
      total_parts_kept[i * b + j] = exp(y);
    }
  }
}

// total[i] = sum_{j < b} sequence[i + 1, j] * (ys_kept[i, j] - log(2 + normaliser_total))
//   where normaliser_total = sum_{j < b} total_parts_kept[i, j]
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do ...`
//   grid    a row of threads (one threadIdx.y) per `i`, which share its sums
__global__ void __launch_bounds__(block_size)
total_kernel(double* __restrict__ total,                   // [steps], written
             const double* __restrict__ sequence,          // [t][b]
             const double* __restrict__ ys_kept,           // [steps][b]
             const double* __restrict__ total_parts_kept,  // [steps][b]
             int b, int64_t steps) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t i = min(number, steps - 1);  // threads past the end repeat the last: all combine
  const double* const ys_kept_row = ys_kept + i * b;
  const double* const total_parts_kept_row = total_parts_kept + i * b;
  double own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < b; j += static_cast<int>(blockDim.x)) {
    own_total += total_parts_kept_row[j];
  }
  const double normaliser_total = combine_row(own_total, Add{});
  const double normaliser = log(2.0 + normaliser_total);
  const double* const sequence_row = sequence + (i + 1) * b;
  double objective_own_total = 0.0;
  for (int j = static_cast<int>(threadIdx.x); j < b; j += static_cast<int>(blockDim.x)) {
    objective_own_total += sequence_row[j] * (ys_kept_row[j] - normaliser);
  }
  const double objective_total = combine_row(objective_own_total, Add{});
  if (threadIdx.x == 0 && number < steps) total[i] = objective_total;
}

// result = -(sum_{i < t - 1} objective_total[i]) / (b * (t - 1))
//   source  lstm.fut:50, `-total / f64.i64 (b * (t - 1))`
//   grid    one thread
__global__ void __launch_bounds__(block_size)
result_kernel(double* __restrict__ result,                 // written
              const double* __restrict__ objective_total,  // [steps]
              int b, int t) {
  double total = 0.0;
  for (int64_t i = 0; i < int64_t{t} - 1; ++i) total += objective_total[i];
  result[0] = -total / static_cast<double>(b * (int64_t{t} - 1));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch : Scratch {
  int64_t b, t, l;

  int64_t steps = std::max<int64_t>(t - 1, 0);
  unsigned ys_kept_grid = blocks_for(std::min(b, max_threads), block_size);

  double* ys_kept = take<double>(steps * b);           // [steps][b]
  double* total_parts_kept = take<double>(steps * b);  // [steps][b]
  double* objective_state =
      take<double>(l * 2 * (int64_t{ys_kept_grid} * block_size));  // [l][2][threads]
  double* total = take<double>(steps);
};

// ---------------------------------------------------------------------------------------
// Kernels of calculate_jacobian
// ---------------------------------------------------------------------------------------

// x_states[i, s, j], hidden_old_kept[i, s, j], cell_old_kept[i, s, j] and last_states[i, j], step
//     by step as below
//   source  lstm.fut:46, `loop (state, total) = (copy start, 0) for i < t - 1 do ...`
//   rule    reverse_loop; restore
//   grid    one thread per `j`; threads stride over the rest, each with memory of its own
__global__ void __launch_bounds__(block_size)
objective_forward_kernel(double* __restrict__ x_states,           // [steps][l][b], written
                         double* __restrict__ cell_old_kept,      // [steps][l][b], written
                         double* __restrict__ hidden_old_kept,    // [steps][l][b], written
                         double* __restrict__ last_states,        // [steps][b], written
                         double* __restrict__ objective_state,    // [l][2][threads], scratch
                         const double* __restrict__ main_params,  // [l][2][4][b]
                         const double* __restrict__ extra_row,    // [b]
                         const double* __restrict__ state,        // [l][2][b]
                         const double* __restrict__ sequence,     // [t][b]
                         int64_t b, int t, int64_t l) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t j = thread; j < b; j += threads) {
    const double extra = extra_row[j];
    for (int64_t s = 0; s < l; ++s) {
      for (int i = 0; i < 2; ++i) {
        objective_state[s * (2 * threads) + i * threads + thread] = state[s * (2 * b) + i * b + j];
      }
    }
    for (int64_t i = 0; i < int64_t{t} - 1; ++i) {
      double x = sequence[i * b + j] * extra;
      for (int64_t s = 0; s < l; ++s) {
        double* const own_objective_state = objective_state + s * (2 * threads) + thread;
        const double hidden = own_objective_state[0];
        const double cell = own_objective_state[threads];
        const double* const own_main_params = main_params + s * (8 * b) + j;
        const double forget_weight = own_main_params[0];
        const double forget_bias = own_main_params[4 * b];
        const double ingate_weight = own_main_params[b];
        const double ingate_bias = own_main_params[5 * b];
        const double outgate_weight = own_main_params[2 * b];
        const double outgate_bias = own_main_params[6 * b];
        const double change_weight = own_main_params[3 * b];
        const double change_bias = own_main_params[7 * b];
        const double forget = sigmoid(x * forget_weight + forget_bias);
        const double ingate = sigmoid(hidden * ingate_weight + ingate_bias);
        const double outgate = sigmoid(x * outgate_weight + outgate_bias);
        const double change = tanh(hidden * change_weight + change_bias);
        const double new_cell = cell * forget + ingate * change;
        const double new_hidden = outgate * tanh(new_cell);
        x_states[i * (l * b) + s * b + j] = x;
        own_objective_state[0] = new_hidden;
        own_objective_state[threads] = new_cell;
        hidden_old_kept[i * (l * b) + s * b + j] = hidden;
        cell_old_kept[i * (l * b) + s * b + j] = cell;
        x = new_hidden;
      }
      last_states[i * b + j] = x;
    }
  }
}

// total_parts[slab, i] = sum_{j in slab} exp(last_states[i, j] * weights[j] + biases[j])
// normaliser_adj_parts[slab, i] = sum_{j in slab} -total_adj * sequence[i + 1, j]
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 ...`
//   rule    reverse_loop; reverse_map; reverse_scalar
//   grid    a row of threads (one threadIdx.y) per `slab` and `i`, which share its sums: `i` to
//           blockIdx.x and threadIdx.y, `slab` to blockIdx.y
__global__ void __launch_bounds__(block_size)
total_parts_kernel(double* __restrict__ total_parts,           // [total_slabs][steps], written
                   double* __restrict__ normaliser_adj_parts,  // [total_slabs][steps], written
                   const double* __restrict__ weights,         // [b]
                   const double* __restrict__ biases,          // [b]
                   const double* __restrict__ sequence,        // [t][b]
                   const double* __restrict__ last_states,     // [steps][b]
                   int b, int64_t total_slabs, int64_t steps, int64_t total_slab_size,
                   double total_adj) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t i = min(number, steps - 1);  // threads past the end repeat the last: all combine

  for (int64_t slab = blockIdx.y; slab < total_slabs; slab += gridDim.y) {
    const int64_t first = slab * total_slab_size;
    const int64_t end = min(first + total_slab_size, int64_t{b});
    double own_total = 0.0;
    double own_normaliser_adj = 0.0;
    for (int64_t j = first + threadIdx.x; j < end; j += blockDim.x) {
      const double y = last_states[i * b + j] * weights[j] + biases[j];
      own_total += exp(y);
      own_normaliser_adj -= total_adj * sequence[(i + 1) * b + j];
    }
    const double total = combine_row(own_total, Add{});
    const double normaliser_adj = combine_row(own_normaliser_adj, Add{});
    if (threadIdx.x == 0 && number < steps) {
      total_parts[slab * steps + i] = total;
      normaliser_adj_parts[slab * steps + i] = normaliser_adj;
    }
  }
}

// total[i] = sum_{slab < total_slabs} total_parts[slab, i]
// normaliser_adj[i] = sum_{slab < total_slabs} normaliser_adj_parts[slab, i]
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 ...`
//   rule    reverse_loop; reverse_map
//   grid    a column of threads (one threadIdx.x) per `i`, which share its sums
__global__ void __launch_bounds__(block_size)
objective_total_kernel(double* __restrict__ total,                       // [steps], written
                       double* __restrict__ normaliser_adj,              // [steps], written
                       const double* __restrict__ total_parts,           // [total_slabs][steps]
                       const double* __restrict__ normaliser_adj_parts,  // [total_slabs][steps]
                       int64_t steps, int64_t total_slabs) {
  const int64_t number = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int64_t i = min(number, steps - 1);  // threads past the end repeat the last: all combine
  double own_total = 0.0;
  double own_normaliser_adj = 0.0;
  for (int64_t slab = threadIdx.y; slab < total_slabs; slab += blockDim.y) {
    own_total += total_parts[slab * steps + i];
    own_normaliser_adj += normaliser_adj_parts[slab * steps + i];
  }
  const double normaliser_total = combine_column(own_total, Add{});
  const double objective_normaliser_adj = combine_column(own_normaliser_adj, Add{});
  if (threadIdx.y == 0 && number < steps) {
    total[i] = normaliser_total;
    normaliser_adj[i] = objective_normaliser_adj;
  }
}

// weights_adj[j] = sum_{i < t - 1} ys_adj * last_states[i, j]
// biases_adj[j] = sum_{i < t - 1} ys_adj
//   where ys_adj = total_adj * sequence[i + 1, j] + normaliser_adj[i] / (2 + total[i]) *
//       exp(last_states[i, j] * weights[j] + biases[j])
// main_params_adj and extra_adj_row[j], step by step as below
//   source  lstm.fut:46, return sweep of `loop (state, total) = (copy start, 0) for i < t - 1 ...`
//   rule    reverse_loop; reverse_map; reverse_scalar; reverse_update; reverse_index; reverse_call
//   grid    one thread per `j`; threads stride over the rest, each with memory of its own
__global__ void __launch_bounds__(block_size)
objective_return_kernel(double* __restrict__ extra_adj_row,          // [b], written
                        double* __restrict__ main_params_adj,        // [l][2][4][b], written
                        double* __restrict__ weights_adj,            // [b], written
                        double* __restrict__ biases_adj,             // [b], written
                        double* __restrict__ state_adj,              // [l][2][threads], scratch
                        const double* __restrict__ main_params,      // [l][2][4][b]
                        const double* __restrict__ weights,          // [b]
                        const double* __restrict__ biases,           // [b]
                        const double* __restrict__ sequence,         // [t][b]
                        const double* __restrict__ x_states,         // [steps][l][b]
                        const double* __restrict__ hidden_old_kept,  // [steps][l][b]
                        const double* __restrict__ cell_old_kept,    // [steps][l][b]
                        const double* __restrict__ last_states,      // [steps][b]
                        const double* __restrict__ total,            // [steps]
                        const double* __restrict__ normaliser_adj,   // [steps]
                        int64_t b, int t, int64_t l, double total_adj) {
  const int64_t threads = int64_t(gridDim.x) * block_size;
  const int64_t thread = int64_t(blockIdx.x) * block_size + threadIdx.x;

  for (int64_t j = thread; j < b; j += threads) {
    const double weight = weights[j];
    for (int64_t s = 0; s < l; ++s) {
      for (int i = 0; i < 2; ++i) state_adj[s * (2 * threads) + i * threads + thread] = 0.0;
    }
    double extra_adj = 0.0;
    for (int64_t s = 0; s < l; ++s) {
      for (int i = 0; i < 2; ++i) {
        for (int u = 0; u < 4; ++u) main_params_adj[s * (8 * b) + i * (4 * b) + u * b + j] = 0.0;
      }
    }
    double objective_weights_adj = 0.0;
    double objective_biases_adj = 0.0;
    for (int64_t i = int64_t{t} - 2; i >= 0; --i) {
      const double x = last_states[i * b + j];
      const double term = normaliser_adj[i] / (2.0 + total[i]) * exp(x * weight + biases[j]);
      const double ys_adj = total_adj * sequence[(i + 1) * b + j] + term;
      double x_adj = ys_adj * weight;
      for (int64_t s = l - 1; s >= 0; --s) {
        const double predict_x = x_states[i * (l * b) + s * b + j];
        const double hidden_old = hidden_old_kept[i * (l * b) + s * b + j];
        const double cell_old = cell_old_kept[i * (l * b) + s * b + j];
        const double* const own_main_params = main_params + s * (8 * b) + j;
        const double forget_weight = own_main_params[0];
        const double forget_bias = own_main_params[4 * b];
        const double ingate_weight = own_main_params[b];
        const double ingate_bias = own_main_params[5 * b];
        const double outgate_weight = own_main_params[2 * b];
        const double outgate_bias = own_main_params[6 * b];
        const double change_weight = own_main_params[3 * b];
        const double change_bias = own_main_params[7 * b];
        double* const own_state_adj = state_adj + s * (2 * threads) + thread;
        double cell_adj = own_state_adj[threads];
        double hidden_adj = own_state_adj[0];
        const double forget_x = predict_x * forget_weight + forget_bias;
        const double forget = sigmoid(forget_x);
        const double ingate_x = hidden_old * ingate_weight + ingate_bias;
        const double ingate = sigmoid(ingate_x);
        const double outgate_x = predict_x * outgate_weight + outgate_bias;
        const double change = tanh(hidden_old * change_weight + change_bias);
        const double cell = cell_old * forget + ingate * change;
        hidden_adj += x_adj;
        const double new_hidden_tanh = tanh(cell);
        cell_adj += hidden_adj * sigmoid(outgate_x) * (1.0 - new_hidden_tanh * new_hidden_tanh);
        const double change_bias_adj = cell_adj * ingate * (1.0 - change * change);
        const double outgate_x_adj = sigmoid_vjp(outgate_x, hidden_adj * new_hidden_tanh);
        const double ingate_x_adj = sigmoid_vjp(ingate_x, cell_adj * change);
        const double forget_x_adj = sigmoid_vjp(forget_x, cell_adj * cell_old);
        double* const own_main_params_adj = main_params_adj + s * (8 * b) + j;
        own_main_params_adj[7 * b] += change_bias_adj;
        own_main_params_adj[3 * b] += change_bias_adj * hidden_old;
        own_main_params_adj[6 * b] += outgate_x_adj;
        own_main_params_adj[2 * b] += outgate_x_adj * predict_x;
        own_main_params_adj[5 * b] += ingate_x_adj;
        own_main_params_adj[b] += ingate_x_adj * hidden_old;
        own_main_params_adj[4 * b] += forget_x_adj;
        own_main_params_adj[0] += forget_x_adj * predict_x;
        own_state_adj[threads] = cell_adj * forget;
        own_state_adj[0] = change_bias_adj * change_weight + ingate_x_adj * ingate_weight;
        x_adj = outgate_x_adj * outgate_weight + forget_x_adj * forget_weight;
      }
      extra_adj += x_adj * sequence[i * b + j];
      objective_weights_adj += ys_adj * x;
      objective_biases_adj += ys_adj;
    }
    extra_adj_row[j] = extra_adj;
    weights_adj[j] = objective_weights_adj;
    biases_adj[j] = objective_biases_adj;
  }
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch : Scratch {
  int64_t b, t, l;

  int64_t steps = std::max<int64_t>(t - 1, 0);
  int64_t most_total_slabs =
      std::max<int64_t>(std::min(8192 / std::max<int64_t>(steps, 1), b / 256), 1);
  int64_t total_slab_size = std::max<int64_t>((b + most_total_slabs - 1) / most_total_slabs, 1);
  int64_t total_slabs = (b + total_slab_size - 1) / total_slab_size;
  unsigned x_states_grid = blocks_for(std::min(b, max_threads), block_size);
  unsigned extra_adj_grid = blocks_for(std::min(b, max_threads), block_size);

  double* x_states = take<double>(steps * l * b);         // [steps][l][b]
  double* cell_old_kept = take<double>(steps * l * b);    // [steps][l][b]
  double* hidden_old_kept = take<double>(steps * l * b);  // [steps][l][b]
  double* last_states = take<double>(steps * b);          // [steps][b]
  double* objective_state =
      take<double>(l * 2 * (int64_t{x_states_grid} * block_size));   // [l][2][threads]
  double* total_parts = take<double>(total_slabs * steps);           // [total_slabs][steps]
  double* normaliser_adj_parts = take<double>(total_slabs * steps);  // [total_slabs][steps]
  double* total = take<double>(steps);
  double* normaliser_adj = take<double>(steps);
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
  const int64_t l = m / 2;
  if (m != l * 2 || w != b * 4) return cudaErrorInvalidValue;
  *bytes = CalculateObjectiveScratch{Scratch(nullptr), b, t, l}.bytes();
  return cudaSuccess;
}

cudaError_t calculate_objective(double* result, const double* main_params,
                                const double* extra_params, const double* state,
                                const double* sequence, int64_t m, int64_t w, int64_t b, int64_t t,
                                void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  if (m != l * 2 || w != b * 4) return cudaErrorInvalidValue;
  const CalculateObjectiveScratch buffers{Scratch(scratch), b, t, l};
  if (!buffers.fits(scratch_bytes)) return cudaErrorInvalidValue;

  if (b > 0) {
    objective_kernel<<<buffers.ys_kept_grid, block_size, 0, stream>>>(
        buffers.ys_kept, buffers.total_parts_kept, buffers.objective_state, main_params,
        extra_params, extra_params + b, extra_params + 2 * b, state, sequence, b,
        static_cast<int>(t), l);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.steps > 0) {
    const dim3 block_shape = sums_block(buffers.steps, 1, b, Order::summands);
    const unsigned grid_size = blocks_for(buffers.steps, block_shape.y);
    total_kernel<<<grid_size, block_shape, 0, stream>>>(buffers.total, sequence, buffers.ys_kept,
                                                        buffers.total_parts_kept,
                                                        static_cast<int>(b), buffers.steps);
    if (const auto error = cudaGetLastError()) return error;
  }
  result_kernel<<<1, 1, 0, stream>>>(result, buffers.total, static_cast<int>(b),
                                     static_cast<int>(t));
  return cudaGetLastError();
}

cudaError_t calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b,
                                       int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  if (m != l * 2 || w != b * 4) return cudaErrorInvalidValue;
  *bytes = CalculateJacobianScratch{Scratch(nullptr), b, t, l}.bytes();
  return cudaSuccess;
}

cudaError_t calculate_jacobian(double* main_params_adj, double* extra_params_adj,
                               const double* main_params, const double* extra_params,
                               const double* state, const double* sequence, int64_t m, int64_t w,
                               int64_t b, int64_t t, void* scratch, std::size_t scratch_bytes,
                               cudaStream_t stream) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return cudaErrorInvalidValue;
  if (t > max_int_size || b > max_int_size) return cudaErrorInvalidValue;
  const int64_t l = m / 2;
  if (m != l * 2 || w != b * 4) return cudaErrorInvalidValue;
  const CalculateJacobianScratch buffers{Scratch(scratch), b, t, l};
  if (!buffers.fits(scratch_bytes)) return cudaErrorInvalidValue;
  const double total_adj = -1.0 / static_cast<double>(b * (t - 1));

  // Forward sweep.
  if (b > 0) {
    objective_forward_kernel<<<buffers.x_states_grid, block_size, 0, stream>>>(
        buffers.x_states, buffers.cell_old_kept, buffers.hidden_old_kept, buffers.last_states,
        buffers.objective_state, main_params, extra_params, state, sequence, b, static_cast<int>(t),
        l);
    if (const auto error = cudaGetLastError()) return error;
  }

  // Return sweep.
  if (buffers.total_slabs > 0 && buffers.steps > 0) {
    const dim3 block_shape =
        sums_block(buffers.steps, buffers.total_slabs, buffers.total_slab_size, Order::summands);
    const dim3 grid_shape(blocks_for(buffers.steps, block_shape.y),
                          grid_height_for(buffers.total_slabs));
    total_parts_kernel<<<grid_shape, block_shape, 0, stream>>>(
        buffers.total_parts, buffers.normaliser_adj_parts, extra_params + b, extra_params + 2 * b,
        sequence, buffers.last_states, static_cast<int>(b), buffers.total_slabs, buffers.steps,
        buffers.total_slab_size, total_adj);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (buffers.steps > 0) {
    const dim3 block_shape = sums_block(buffers.steps, 1, buffers.total_slabs, Order::results);
    const unsigned grid_size = blocks_for(buffers.steps, block_shape.x);
    objective_total_kernel<<<grid_size, block_shape, 0, stream>>>(
        buffers.total, buffers.normaliser_adj, buffers.total_parts, buffers.normaliser_adj_parts,
        buffers.steps, buffers.total_slabs);
    if (const auto error = cudaGetLastError()) return error;
  }

  if (b > 0) {
    objective_return_kernel<<<buffers.extra_adj_grid, block_size, 0, stream>>>(
        extra_params_adj, main_params_adj, extra_params_adj + b, extra_params_adj + 2 * b,
        buffers.state_adj, main_params, extra_params + b, extra_params + 2 * b, sequence,
        buffers.x_states, buffers.hidden_old_kept, buffers.cell_old_kept, buffers.last_states,
        buffers.total, buffers.normaliser_adj, b, static_cast<int>(t), l, total_adj);
    if (const auto error = cudaGetLastError()) return error;
  }
  return cudaSuccess;
}

}  // namespace lstm
