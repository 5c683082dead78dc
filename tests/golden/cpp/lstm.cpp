// lstm.cpp: C++ for the entry points of lstm.fut, declared in lstm.hpp.
// Written by `boustro translate lstm.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   calculate_objective [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : f64
//     = objective main_params extra_params state sequence                           lstm.fut:52
//
//   calculate_jacobian [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : ([m][w]f64, [3][b]f64)
//     = ...                                                                         lstm.fut:60

#include "lstm.hpp"

#include <algorithm>
#include <cmath>

namespace lstm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Loops that workers share are divided into at most so many parts.
constexpr int64_t max_parts = 64;

/// Fills in *failure, unless another check failed before.
void record_failure(Failure* failure, int check, int64_t first = 0, int64_t second = 0,
                    int64_t third = 0, int64_t fourth = 0) {
#ifdef _OPENMP
#pragma omp critical
#endif
  if (failure->check == 0) {
    failure->values[0] = first;
    failure->values[1] = second;
    failure->values[2] = third;
    failure->values[3] = fourth;
#ifdef _OPENMP
#pragma omp atomic write
#endif
    failure->check = check;
  }
}

/// Whether 0 <= index < size; if not, *failure says so.
bool check_index(Failure* failure, int check, int64_t index, int64_t size) {
  if (0 <= index && index < size) return true;
  record_failure(failure, check, index, size);
  return false;
}

/// How many parts have `room` elements each for themselves, at least one: 2^24 in all.
int64_t most_parts(int64_t room) {
  return std::clamp((int64_t{1} << 24) / std::max(room, int64_t{1}), int64_t{1}, max_parts);
}

/// Into how many parts to divide a loop over `points`, each of about `work` additions: as many as
/// pay for being handed to workers, and for filling and collecting the `cells` that each part has
/// for itself; besides these it needs some `room`. Sizes alone decide, so that results do not
/// depend on the number of workers.
/// Without OpenMP it may be that nobody asks.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = std::max(int64_t{1} << 15, cells * 2048);
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

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch {
  double* xs;      // [product][4][b]
  double* start;   // [l][2][b]
  double* first;   // [b]
  double* last;    // [b]
  double* x_next;  // [b]
  double* cell;    // [b]
  double* ys;      // [b]
  std::size_t bytes;

  CalculateObjectiveScratch(void* memory, int64_t b, int64_t l, int64_t product) {
    Scratch scratch(memory);
    xs = scratch.take<double>(product * 4 * b);
    start = scratch.take<double>(l * 2 * b);
    first = scratch.take<double>(b);
    last = scratch.take<double>(b);
    x_next = scratch.take<double>(b);
    cell = scratch.take<double>(b);
    ys = scratch.take<double>(b);
    bytes = scratch.bytes();
  }
};

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch {
  double* xs;                   // [product][4][b]
  double* start;                // [l][2][b]
  double* state_old_log_log;    // [count][l][b]
  double* state_old_log_log_2;  // [count][l][b]
  double* first;                // [b]
  double* state_old_log;        // [l][b]
  double* state_old_log_2;      // [l][b]
  double* last;                 // [b]
  double* x_next;               // [b]
  double* cell;                 // [b]
  double* state_old;            // [b]
  double* state_old_2;          // [b]
  double* state_adj;            // [l][2][b]
  double* extra_adj;            // [b]
  double* extra_adj_next;       // [b]
  double* layers_adj;           // [l][2][4][b]
  double* extra_adj_2;          // [b]
  double* extra_adj_next_2;     // [b]
  double* extra_adj_3;          // [b]
  double* extra_adj_next_3;     // [b]
  double* first_2;              // [b]
  double* state_old_log_3;      // [l][b]
  double* state_old_log_4;      // [l][b]
  double* x_states;             // [l][b]
  double* last_2;               // [b]
  double* x_next_2;             // [b]
  double* cell_2;               // [b]
  double* state_old_3;          // [b]
  double* state_old_4;          // [b]
  double* ys;                   // [b]
  double* ys_adj;               // [b]
  double* last_adj;             // [b]
  double* x_adj;                // [b]
  double* x_adj_next;           // [b]
  double* cell_adj;             // [b]
  double* outgate_adj;          // [b]
  double* state_adj_2;          // [b]
  double* forget_adj;           // [b]
  double* ingate_adj;           // [b]
  double* state_adj_3;          // [b]
  double* weights_adj;          // [b]
  double* biases_adj;           // [b]
  double* part_adj_2;           // [b]
  double* part_adj_5;           // [b]
  double* x_adj_3;              // [b]
  double* weights_adj_2;        // [b]
  double* biases_adj_3;         // [b]
  double* part_adj_8;           // [b]
  double* part_adj_11;          // [b]
  double* weights_adj_4;        // [b]
  double* biases_adj_5;         // [b]
  double* state_adj_4;          // [b]
  double* part_adj_14;          // [b]
  double* part_adj_17;          // [b]
  double* weights_adj_6;        // [b]
  double* biases_adj_7;         // [b]
  double* part_adj_20;          // [b]
  double* part_adj_23;          // [b]
  double* part_adj_26;          // [b]
  double* part_adj_29;          // [b]
  double* part_adj_31;          // [b]
  double* part_adj_33;          // [b]
  std::size_t bytes;

  CalculateJacobianScratch(void* memory, int64_t b, int64_t count, int64_t l, int64_t product) {
    Scratch scratch(memory);
    xs = scratch.take<double>(product * 4 * b);
    start = scratch.take<double>(l * 2 * b);
    state_old_log_log = scratch.take<double>(count * l * b);
    state_old_log_log_2 = scratch.take<double>(count * l * b);
    first = scratch.take<double>(b);
    state_old_log = scratch.take<double>(l * b);
    state_old_log_2 = scratch.take<double>(l * b);
    last = scratch.take<double>(b);
    x_next = scratch.take<double>(b);
    cell = scratch.take<double>(b);
    state_old = scratch.take<double>(b);
    state_old_2 = scratch.take<double>(b);
    state_adj = scratch.take<double>(l * 2 * b);
    extra_adj = scratch.take<double>(b);
    extra_adj_next = scratch.take<double>(b);
    layers_adj = scratch.take<double>(l * 2 * 4 * b);
    extra_adj_2 = scratch.take<double>(b);
    extra_adj_next_2 = scratch.take<double>(b);
    extra_adj_3 = scratch.take<double>(b);
    extra_adj_next_3 = scratch.take<double>(b);
    first_2 = scratch.take<double>(b);
    state_old_log_3 = scratch.take<double>(l * b);
    state_old_log_4 = scratch.take<double>(l * b);
    x_states = scratch.take<double>(l * b);
    last_2 = scratch.take<double>(b);
    x_next_2 = scratch.take<double>(b);
    cell_2 = scratch.take<double>(b);
    state_old_3 = scratch.take<double>(b);
    state_old_4 = scratch.take<double>(b);
    ys = scratch.take<double>(b);
    ys_adj = scratch.take<double>(b);
    last_adj = scratch.take<double>(b);
    x_adj = scratch.take<double>(b);
    x_adj_next = scratch.take<double>(b);
    cell_adj = scratch.take<double>(b);
    outgate_adj = scratch.take<double>(b);
    state_adj_2 = scratch.take<double>(b);
    forget_adj = scratch.take<double>(b);
    ingate_adj = scratch.take<double>(b);
    state_adj_3 = scratch.take<double>(b);
    weights_adj = scratch.take<double>(b);
    biases_adj = scratch.take<double>(b);
    part_adj_2 = scratch.take<double>(b);
    part_adj_5 = scratch.take<double>(b);
    x_adj_3 = scratch.take<double>(b);
    weights_adj_2 = scratch.take<double>(b);
    biases_adj_3 = scratch.take<double>(b);
    part_adj_8 = scratch.take<double>(b);
    part_adj_11 = scratch.take<double>(b);
    weights_adj_4 = scratch.take<double>(b);
    biases_adj_5 = scratch.take<double>(b);
    state_adj_4 = scratch.take<double>(b);
    part_adj_14 = scratch.take<double>(b);
    part_adj_17 = scratch.take<double>(b);
    weights_adj_6 = scratch.take<double>(b);
    biases_adj_7 = scratch.take<double>(b);
    part_adj_20 = scratch.take<double>(b);
    part_adj_23 = scratch.take<double>(b);
    part_adj_26 = scratch.take<double>(b);
    part_adj_29 = scratch.take<double>(b);
    part_adj_31 = scratch.take<double>(b);
    part_adj_33 = scratch.take<double>(b);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b, int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  const int64_t product = l * 2;
  *bytes = CalculateObjectiveScratch(nullptr, b, l, product).bytes;
  return Status::success;
}

Status calculate_objective(double* __restrict__ quotient, Failure* failure,
                           const double* __restrict__ main_params,
                           const double* __restrict__ extra_params,
                           const double* __restrict__ state, const double* __restrict__ sequence,
                           int64_t m, int64_t w, int64_t b, int64_t t, void* scratch,
                           std::size_t scratch_bytes) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  const int64_t product = l * 2;
  const CalculateObjectiveScratch buffers(scratch, b, l, product);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
  *failure = Failure{};
  if (m != product || w != b * 4) {
    record_failure(failure, 1, w, b * 4);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(product, 1) > 1)
#endif
  for (int64_t i = 0; i < product; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int64_t s = 0; s < b; ++s) {
        buffers.xs[i * (4 * b) + j * b + s] = main_params[i * w + j * b + s];
      }
    }
  }
  if (m != product) {
    record_failure(failure, 2, m, product);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t u = 0; u < l; ++u) {
    for (int u_2 = 0; u_2 < 2; ++u_2) {
      for (int64_t u_3 = 0; u_3 < b; ++u_3) {
        buffers.start[u * (2 * b) + u_2 * b + u_3] = state[u * (2 * b) + u_2 * b + u_3];
      }
    }
  }
  const double* const extra = extra_params + 2 * b;
  double total = 0.0;
  for (int64_t i_2 = 0; i_2 < t - 1; ++i_2) {
    const double* const sequence_2 = sequence + i_2 * b;
    for (int64_t u_4 = 0; u_4 < b; ++u_4) buffers.first[u_4] = sequence_2[u_4] * extra_params[u_4];
    for (int64_t u_5 = 0; u_5 < b; ++u_5) buffers.last[u_5] = buffers.first[u_5];
    for (int64_t i_3 = 0; i_3 < l; ++i_3) {
      double* const state_2 = buffers.start + i_3 * (2 * b);
      double* const state_3 = buffers.start + (i_3 * (2 * b) + b);
      double* const weights = buffers.xs + i_3 * (2 * (4 * b));
      double* const biases = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b);
      double* const weights_2 = buffers.xs + (i_3 * (2 * (4 * b)) + b);
      double* const biases_2 = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b + b);
      double* const weights_3 = buffers.xs + (i_3 * (2 * (4 * b)) + 2 * b);
      double* const biases_3 = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b + 2 * b);
      double* const weights_4 = buffers.xs + (i_3 * (2 * (4 * b)) + 3 * b);
      double* const biases_4 = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t u_6 = 0; u_6 < b; ++u_6) {
        const double x = buffers.last[u_6];
        const double y = weights[u_6];
        const double z = biases[u_6];
        const double x_2 = state_2[u_6];
        const double y_2 = weights_2[u_6];
        const double z_2 = biases_2[u_6];
        const double y_3 = weights_3[u_6];
        const double z_3 = biases_3[u_6];
        const double y_4 = weights_4[u_6];
        const double z_4 = biases_4[u_6];
        const double x_3 = state_3[u_6];
        const double product_2 = x_3 * (1.0 / (1.0 + std::exp(-(x * y + z))));
        const double product_3 =
            1.0 / (1.0 + std::exp(-(x_2 * y_2 + z_2))) * std::tanh(x_2 * y_4 + z_4);
        const double sum = product_2 + product_3;
        const double product_4 = 1.0 / (1.0 + std::exp(-(x * y_3 + z_3))) * std::tanh(sum);
        buffers.cell[u_6] = sum;
        buffers.x_next[u_6] = product_4;
      }
      for (int64_t u_7 = 0; u_7 < b; ++u_7) {
        buffers.start[i_3 * (2 * b) + u_7] = buffers.x_next[u_7];
      }
      for (int64_t u_8 = 0; u_8 < b; ++u_8) {
        buffers.start[i_3 * (2 * b) + b + u_8] = buffers.cell[u_8];
      }
      for (int64_t u_9 = 0; u_9 < b; ++u_9) buffers.last[u_9] = buffers.x_next[u_9];
    }
    double total_2 = 0.0;
    for (int64_t u_10 = 0; u_10 < b; ++u_10) {
      const double x_4 = buffers.last[u_10];
      const double sum_2 = x_4 * extra_params[b + u_10] + extra[u_10];
      total_2 += std::exp(sum_2);
      buffers.ys[u_10] = sum_2;
    }
    const double normaliser = std::log(2.0 + total_2);
    const double* const sequence_3 = sequence + (i_2 + 1) * b;
    double total_3 = 0.0;
    for (int64_t u_11 = 0; u_11 < b; ++u_11) {
      const double y_5 = buffers.ys[u_11];
      total_3 += sequence_3[u_11] * (y_5 - normaliser);
    }
    total += total_3;
  }
  quotient[0] = -total / static_cast<double>(b * (t - 1));
  return failure->check == 0 ? Status::success : Status::check_failed;
}

Status calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b, int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  const int64_t product = l * 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  *bytes = CalculateJacobianScratch(nullptr, b, count, l, product).bytes;
  return Status::success;
}

Status calculate_jacobian(double* __restrict__ main_params_adj,
                          double* __restrict__ extra_params_adj, Failure* failure,
                          const double* __restrict__ main_params,
                          const double* __restrict__ extra_params, const double* __restrict__ state,
                          const double* __restrict__ sequence, int64_t m, int64_t w, int64_t b,
                          int64_t t, void* scratch, std::size_t scratch_bytes) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  const int64_t product = l * 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  const CalculateJacobianScratch buffers(scratch, b, count, l, product);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
  *failure = Failure{};
  const int64_t product_2 = b * 4;
  if (m != product || w != product_2) {
    record_failure(failure, 3, w, product_2);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(product, 1) > 1)
#endif
  for (int64_t i = 0; i < product; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int64_t s = 0; s < b; ++s) {
        buffers.xs[i * (4 * b) + j * b + s] = main_params[i * w + j * b + s];
      }
    }
  }
  if (m != product) {
    record_failure(failure, 4, m, product);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t u = 0; u < l; ++u) {
    for (int u_2 = 0; u_2 < 2; ++u_2) {
      for (int64_t u_3 = 0; u_3 < b; ++u_3) {
        buffers.start[u * (2 * b) + u_2 * b + u_3] = state[u * (2 * b) + u_2 * b + u_3];
      }
    }
  }
  const double* const extra = extra_params + 2 * b;
  for (int64_t i_2 = 0; i_2 < t - 1; ++i_2) {
    const double* const sequence_2 = sequence + i_2 * b;
    for (int64_t u_4 = 0; u_4 < b; ++u_4) buffers.first[u_4] = sequence_2[u_4] * extra_params[u_4];
    for (int64_t u_5 = 0; u_5 < b; ++u_5) buffers.last[u_5] = buffers.first[u_5];
    for (int64_t i_3 = 0; i_3 < l; ++i_3) {
      double* const state_2 = buffers.start + i_3 * (2 * b);
      double* const state_3 = buffers.start + (i_3 * (2 * b) + b);
      double* const weights = buffers.xs + i_3 * (2 * (4 * b));
      double* const biases = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b);
      double* const weights_2 = buffers.xs + (i_3 * (2 * (4 * b)) + b);
      double* const biases_2 = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b + b);
      double* const weights_3 = buffers.xs + (i_3 * (2 * (4 * b)) + 2 * b);
      double* const biases_3 = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b + 2 * b);
      double* const weights_4 = buffers.xs + (i_3 * (2 * (4 * b)) + 3 * b);
      double* const biases_4 = buffers.xs + (i_3 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t u_6 = 0; u_6 < b; ++u_6) {
        const double x = buffers.last[u_6];
        const double y = weights[u_6];
        const double z = biases[u_6];
        const double x_2 = state_2[u_6];
        const double y_2 = weights_2[u_6];
        const double z_2 = biases_2[u_6];
        const double y_3 = weights_3[u_6];
        const double z_3 = biases_3[u_6];
        const double y_4 = weights_4[u_6];
        const double z_4 = biases_4[u_6];
        const double x_3 = state_3[u_6];
        const double product_3 = x_3 * (1.0 / (1.0 + std::exp(-(x * y + z))));
        const double product_4 =
            1.0 / (1.0 + std::exp(-(x_2 * y_2 + z_2))) * std::tanh(x_2 * y_4 + z_4);
        const double sum = product_3 + product_4;
        const double product_5 = 1.0 / (1.0 + std::exp(-(x * y_3 + z_3))) * std::tanh(sum);
        buffers.cell[u_6] = sum;
        buffers.x_next[u_6] = product_5;
      }
      for (int64_t u_7 = 0; u_7 < b; ++u_7) {
        buffers.state_old[u_7] = buffers.start[i_3 * (2 * b) + u_7];
      }
      for (int64_t u_8 = 0; u_8 < b; ++u_8) {
        buffers.start[i_3 * (2 * b) + u_8] = buffers.x_next[u_8];
      }
      for (int64_t u_9 = 0; u_9 < b; ++u_9) {
        buffers.state_old_2[u_9] = buffers.start[i_3 * (2 * b) + b + u_9];
      }
      for (int64_t u_10 = 0; u_10 < b; ++u_10) {
        buffers.start[i_3 * (2 * b) + b + u_10] = buffers.cell[u_10];
      }
      for (int64_t u_11 = 0; u_11 < b; ++u_11) {
        buffers.state_old_log[i_3 * b + u_11] = buffers.state_old[u_11];
      }
      for (int64_t u_12 = 0; u_12 < b; ++u_12) {
        buffers.state_old_log_2[i_3 * b + u_12] = buffers.state_old_2[u_12];
      }
      for (int64_t u_13 = 0; u_13 < b; ++u_13) buffers.last[u_13] = buffers.x_next[u_13];
    }
    for (int64_t u_14 = 0; u_14 < l; ++u_14) {
      for (int64_t u_15 = 0; u_15 < b; ++u_15) {
        buffers.state_old_log_log[i_2 * (l * b) + u_14 * b + u_15] =
            buffers.state_old_log[u_14 * b + u_15];
      }
    }
    for (int64_t u_16 = 0; u_16 < l; ++u_16) {
      for (int64_t u_17 = 0; u_17 < b; ++u_17) {
        buffers.state_old_log_log_2[i_2 * (l * b) + u_16 * b + u_17] =
            buffers.state_old_log_2[u_16 * b + u_17];
      }
    }
  }
  const double term = -(1.0 / static_cast<double>(b * (t - 1)));
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t u_18 = 0; u_18 < l; ++u_18) {
    for (int u_19 = 0; u_19 < 2; ++u_19) {
      for (int64_t u_20 = 0; u_20 < b; ++u_20) {
        buffers.state_adj[u_18 * (2 * b) + u_19 * b + u_20] = 0.0;
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t u_21 = 0; u_21 < b; ++u_21) buffers.extra_adj[u_21] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (8 * b)) > 1)
#endif
  for (int64_t u_22 = 0; u_22 < l; ++u_22) {
    for (int u_23 = 0; u_23 < 2; ++u_23) {
      for (int u_24 = 0; u_24 < 4; ++u_24) {
        for (int64_t u_25 = 0; u_25 < b; ++u_25) {
          buffers.layers_adj[u_22 * (2 * (4 * b)) + u_23 * (4 * b) + u_24 * b + u_25] = 0.0;
        }
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t u_26 = 0; u_26 < b; ++u_26) buffers.extra_adj_2[u_26] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t u_27 = 0; u_27 < b; ++u_27) buffers.extra_adj_3[u_27] = 0.0;
  for (int64_t step = 0; step < t - 1; ++step) {
    const int64_t i_4 = t - 2 - step;
    for (int64_t i_5 = l - 1; i_5 >= 0; --i_5) {
      for (int64_t u_28 = 0; u_28 < b; ++u_28) {
        buffers.start[i_5 * (2 * b) + b + u_28] =
            buffers.state_old_log_log_2[i_4 * (l * b) + i_5 * b + u_28];
      }
      for (int64_t u_29 = 0; u_29 < b; ++u_29) {
        buffers.start[i_5 * (2 * b) + u_29] =
            buffers.state_old_log_log[i_4 * (l * b) + i_5 * b + u_29];
      }
    }
    if (!check_index(failure, 5, i_4, t)) return Status::check_failed;
    const double* const sequence_3 = sequence + i_4 * b;
    for (int64_t u_30 = 0; u_30 < b; ++u_30) {
      buffers.first_2[u_30] = sequence_3[u_30] * extra_params[u_30];
    }
    for (int64_t u_31 = 0; u_31 < b; ++u_31) buffers.last_2[u_31] = buffers.first_2[u_31];
    for (int64_t i_6 = 0; i_6 < l; ++i_6) {
      for (int64_t u_32 = 0; u_32 < b; ++u_32) {
        buffers.x_states[i_6 * b + u_32] = buffers.last_2[u_32];
      }
      double* const state_4 = buffers.start + i_6 * (2 * b);
      double* const state_5 = buffers.start + (i_6 * (2 * b) + b);
      double* const weights_5 = buffers.xs + i_6 * (2 * (4 * b));
      double* const biases_5 = buffers.xs + (i_6 * (2 * (4 * b)) + 4 * b);
      double* const weights_6 = buffers.xs + (i_6 * (2 * (4 * b)) + b);
      double* const biases_6 = buffers.xs + (i_6 * (2 * (4 * b)) + 4 * b + b);
      double* const weights_7 = buffers.xs + (i_6 * (2 * (4 * b)) + 2 * b);
      double* const biases_7 = buffers.xs + (i_6 * (2 * (4 * b)) + 4 * b + 2 * b);
      double* const weights_8 = buffers.xs + (i_6 * (2 * (4 * b)) + 3 * b);
      double* const biases_8 = buffers.xs + (i_6 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t u_33 = 0; u_33 < b; ++u_33) {
        const double x_4 = buffers.last_2[u_33];
        const double y_5 = weights_5[u_33];
        const double z_5 = biases_5[u_33];
        const double x_5 = state_4[u_33];
        const double y_6 = weights_6[u_33];
        const double z_6 = biases_6[u_33];
        const double y_7 = weights_7[u_33];
        const double z_7 = biases_7[u_33];
        const double y_8 = weights_8[u_33];
        const double z_8 = biases_8[u_33];
        const double x_6 = state_5[u_33];
        const double product_6 = x_6 * (1.0 / (1.0 + std::exp(-(x_4 * y_5 + z_5))));
        const double product_7 =
            1.0 / (1.0 + std::exp(-(x_5 * y_6 + z_6))) * std::tanh(x_5 * y_8 + z_8);
        const double sum_2 = product_6 + product_7;
        const double product_8 = 1.0 / (1.0 + std::exp(-(x_4 * y_7 + z_7))) * std::tanh(sum_2);
        buffers.cell_2[u_33] = sum_2;
        buffers.x_next_2[u_33] = product_8;
      }
      for (int64_t u_34 = 0; u_34 < b; ++u_34) {
        buffers.state_old_3[u_34] = buffers.start[i_6 * (2 * b) + u_34];
      }
      for (int64_t u_35 = 0; u_35 < b; ++u_35) {
        buffers.start[i_6 * (2 * b) + u_35] = buffers.x_next_2[u_35];
      }
      for (int64_t u_36 = 0; u_36 < b; ++u_36) {
        buffers.state_old_4[u_36] = buffers.start[i_6 * (2 * b) + b + u_36];
      }
      for (int64_t u_37 = 0; u_37 < b; ++u_37) {
        buffers.start[i_6 * (2 * b) + b + u_37] = buffers.cell_2[u_37];
      }
      for (int64_t u_38 = 0; u_38 < b; ++u_38) {
        buffers.state_old_log_3[i_6 * b + u_38] = buffers.state_old_3[u_38];
      }
      for (int64_t u_39 = 0; u_39 < b; ++u_39) {
        buffers.state_old_log_4[i_6 * b + u_39] = buffers.state_old_4[u_39];
      }
      for (int64_t u_40 = 0; u_40 < b; ++u_40) buffers.last_2[u_40] = buffers.x_next_2[u_40];
    }
    double total = 0.0;
    for (int64_t u_41 = 0; u_41 < b; ++u_41) {
      const double x_7 = buffers.last_2[u_41];
      const double sum_3 = x_7 * extra_params[b + u_41] + extra[u_41];
      total += std::exp(sum_3);
      buffers.ys[u_41] = sum_3;
    }
    const int64_t index_ = i_4 + 1;
    if (!check_index(failure, 6, index_, t)) return Status::check_failed;
    const double* const sequence_4 = sequence + index_ * b;
    double normaliser_adj = 0.0;
    for (int64_t u_42 = 0; u_42 < b; ++u_42) {
      const double term_2 = term * sequence_4[u_42];
      normaliser_adj += -term_2;
      buffers.ys_adj[u_42] = term_2;
    }
    const double term_3 = normaliser_adj / (2.0 + total);
    for (int64_t u_43 = 0; u_43 < b; ++u_43) {
      const double x_8 = buffers.ys[u_43];
      const double ys_adj_2 = buffers.ys_adj[u_43];
      const double x_9 = buffers.last_2[u_43];
      const double extra_adj_4 = buffers.extra_adj_2[u_43];
      const double extra_adj_5 = buffers.extra_adj_3[u_43];
      const double ys_adj_3 = ys_adj_2 + term_3 * std::exp(x_8);
      buffers.last_adj[u_43] = ys_adj_3 * extra_params[b + u_43];
      buffers.extra_adj_next_2[u_43] = extra_adj_4 + ys_adj_3 * x_9;
      buffers.extra_adj_next_3[u_43] = extra_adj_5 + ys_adj_3;
    }
    for (int64_t u_44 = 0; u_44 < b; ++u_44) buffers.x_adj[u_44] = buffers.last_adj[u_44];
    for (int64_t i_7 = l - 1; i_7 >= 0; --i_7) {
      double* const x_10 = buffers.x_states + i_7 * b;
      double* const state_old_5 = buffers.state_old_log_3 + i_7 * b;
      for (int64_t u_45 = 0; u_45 < b; ++u_45) {
        buffers.start[i_7 * (2 * b) + b + u_45] = buffers.state_old_log_4[i_7 * b + u_45];
      }
      for (int64_t u_46 = 0; u_46 < b; ++u_46) {
        buffers.start[i_7 * (2 * b) + u_46] = state_old_5[u_46];
      }
      double* const state_6 = buffers.start + (i_7 * (2 * b) + b);
      double* const weights_9 = buffers.xs + i_7 * (2 * (4 * b));
      double* const biases_9 = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b);
      double* const weights_10 = buffers.xs + (i_7 * (2 * (4 * b)) + b);
      double* const biases_10 = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b + b);
      double* const weights_11 = buffers.xs + (i_7 * (2 * (4 * b)) + 2 * b);
      double* const biases_11 = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b + 2 * b);
      double* const weights_12 = buffers.xs + (i_7 * (2 * (4 * b)) + 3 * b);
      double* const biases_12 = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t u_47 = 0; u_47 < b; ++u_47) {
        buffers.cell_adj[u_47] = buffers.state_adj[i_7 * (2 * b) + b + u_47];
      }
      for (int64_t u_48 = 0; u_48 < b; ++u_48) buffers.state_adj[i_7 * (2 * b) + b + u_48] = 0.0;
      double* const hidden_adj = buffers.state_adj + i_7 * (2 * b);
      for (int64_t u_49 = 0; u_49 < b; ++u_49) {
        const double x_11 = x_10[u_49];
        const double y_9 = weights_9[u_49];
        const double z_9 = biases_9[u_49];
        const double x_12 = state_old_5[u_49];
        const double y_10 = weights_10[u_49];
        const double z_10 = biases_10[u_49];
        const double y_11 = weights_11[u_49];
        const double z_11 = biases_11[u_49];
        const double y_12 = weights_12[u_49];
        const double z_12 = biases_12[u_49];
        const double x_13 = state_6[u_49];
        const double x_adj_2 = buffers.x_adj[u_49];
        const double hidden_adj_2 = hidden_adj[u_49];
        const double cell_adj_2 = buffers.cell_adj[u_49];
        const double quotient = 1.0 / (1.0 + std::exp(-(x_11 * y_9 + z_9)));
        const double quotient_2 = 1.0 / (1.0 + std::exp(-(x_12 * y_10 + z_10)));
        const double tanh_ = std::tanh(x_12 * y_12 + z_12);
        const double hidden_adj_3 = x_adj_2 + hidden_adj_2;
        const double tanh_2 = std::tanh(x_13 * quotient + quotient_2 * tanh_);
        const double term_4 = hidden_adj_3 * (1.0 / (1.0 + std::exp(-(x_11 * y_11 + z_11))));
        const double cell_adj_3 = cell_adj_2 + term_4 * (1.0 - tanh_2 * tanh_2);
        const double term_5 = cell_adj_3 * quotient_2 * (1.0 - tanh_ * tanh_);
        buffers.outgate_adj[u_49] = hidden_adj_3 * tanh_2;
        buffers.state_adj_2[u_49] = cell_adj_3 * quotient;
        buffers.forget_adj[u_49] = cell_adj_3 * x_13;
        buffers.ingate_adj[u_49] = cell_adj_3 * tanh_;
        buffers.state_adj_3[u_49] = term_5 * y_12;
        buffers.weights_adj[u_49] = term_5 * x_12;
        buffers.biases_adj[u_49] = term_5;
      }
      for (int64_t u_50 = 0; u_50 < b; ++u_50) buffers.state_adj[i_7 * (2 * b) + u_50] = 0.0;
      double* const part_adj = buffers.layers_adj + (i_7 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t u_51 = 0; u_51 < b; ++u_51) {
        const double part_adj_3 = part_adj[u_51];
        const double biases_adj_2 = buffers.biases_adj[u_51];
        buffers.part_adj_2[u_51] = part_adj_3 + biases_adj_2;
      }
      for (int64_t u_52 = 0; u_52 < b; ++u_52) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + 3 * b + u_52] = buffers.part_adj_2[u_52];
      }
      double* const part_adj_4 = buffers.layers_adj + (i_7 * (2 * (4 * b)) + 3 * b);
      for (int64_t u_53 = 0; u_53 < b; ++u_53) {
        const double part_adj_6 = part_adj_4[u_53];
        const double weights_adj_3 = buffers.weights_adj[u_53];
        const double x_14 = x_10[u_53];
        const double y_13 = weights_11[u_53];
        const double z_13 = biases_11[u_53];
        const double quotient_adj = buffers.outgate_adj[u_53];
        const double exp_ = std::exp(-(x_14 * y_13 + z_13));
        const double sum_4 = 1.0 + exp_;
        const double term_6 = quotient_adj / sum_4 * (1.0 / sum_4) * exp_;
        buffers.part_adj_5[u_53] = part_adj_6 + weights_adj_3;
        buffers.x_adj_3[u_53] = term_6 * y_13;
        buffers.weights_adj_2[u_53] = term_6 * x_14;
        buffers.biases_adj_3[u_53] = term_6;
      }
      for (int64_t u_54 = 0; u_54 < b; ++u_54) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 3 * b + u_54] = buffers.part_adj_5[u_54];
      }
      double* const part_adj_7 = buffers.layers_adj + (i_7 * (2 * (4 * b)) + 4 * b + 2 * b);
      for (int64_t u_55 = 0; u_55 < b; ++u_55) {
        const double part_adj_9 = part_adj_7[u_55];
        const double biases_adj_4 = buffers.biases_adj_3[u_55];
        buffers.part_adj_8[u_55] = part_adj_9 + biases_adj_4;
      }
      for (int64_t u_56 = 0; u_56 < b; ++u_56) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + 2 * b + u_56] = buffers.part_adj_8[u_56];
      }
      double* const part_adj_10 = buffers.layers_adj + (i_7 * (2 * (4 * b)) + 2 * b);
      for (int64_t u_57 = 0; u_57 < b; ++u_57) {
        const double part_adj_12 = part_adj_10[u_57];
        const double weights_adj_5 = buffers.weights_adj_2[u_57];
        const double x_15 = state_old_5[u_57];
        const double y_14 = weights_10[u_57];
        const double z_14 = biases_10[u_57];
        const double quotient_adj_2 = buffers.ingate_adj[u_57];
        const double state_adj_5 = buffers.state_adj_3[u_57];
        const double exp_2 = std::exp(-(x_15 * y_14 + z_14));
        const double sum_5 = 1.0 + exp_2;
        const double term_7 = quotient_adj_2 / sum_5 * (1.0 / sum_5) * exp_2;
        buffers.part_adj_11[u_57] = part_adj_12 + weights_adj_5;
        buffers.weights_adj_4[u_57] = term_7 * x_15;
        buffers.biases_adj_5[u_57] = term_7;
        buffers.state_adj_4[u_57] = state_adj_5 + term_7 * y_14;
      }
      for (int64_t u_58 = 0; u_58 < b; ++u_58) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 2 * b + u_58] = buffers.part_adj_11[u_58];
      }
      double* const part_adj_13 = buffers.layers_adj + (i_7 * (2 * (4 * b)) + 4 * b + b);
      for (int64_t u_59 = 0; u_59 < b; ++u_59) {
        const double part_adj_15 = part_adj_13[u_59];
        const double biases_adj_6 = buffers.biases_adj_5[u_59];
        buffers.part_adj_14[u_59] = part_adj_15 + biases_adj_6;
      }
      for (int64_t u_60 = 0; u_60 < b; ++u_60) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + b + u_60] = buffers.part_adj_14[u_60];
      }
      double* const part_adj_16 = buffers.layers_adj + (i_7 * (2 * (4 * b)) + b);
      for (int64_t u_61 = 0; u_61 < b; ++u_61) {
        const double part_adj_18 = part_adj_16[u_61];
        const double weights_adj_7 = buffers.weights_adj_4[u_61];
        const double x_16 = x_10[u_61];
        const double y_15 = weights_9[u_61];
        const double z_15 = biases_9[u_61];
        const double quotient_adj_3 = buffers.forget_adj[u_61];
        const double x_adj_4 = buffers.x_adj_3[u_61];
        const double exp_3 = std::exp(-(x_16 * y_15 + z_15));
        const double sum_6 = 1.0 + exp_3;
        const double term_8 = quotient_adj_3 / sum_6 * (1.0 / sum_6) * exp_3;
        buffers.part_adj_17[u_61] = part_adj_18 + weights_adj_7;
        buffers.weights_adj_6[u_61] = term_8 * x_16;
        buffers.biases_adj_7[u_61] = term_8;
        buffers.x_adj_next[u_61] = x_adj_4 + term_8 * y_15;
      }
      for (int64_t u_62 = 0; u_62 < b; ++u_62) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + b + u_62] = buffers.part_adj_17[u_62];
      }
      double* const part_adj_19 = buffers.layers_adj + (i_7 * (2 * (4 * b)) + 4 * b);
      for (int64_t u_63 = 0; u_63 < b; ++u_63) {
        const double part_adj_21 = part_adj_19[u_63];
        const double biases_adj_8 = buffers.biases_adj_7[u_63];
        buffers.part_adj_20[u_63] = part_adj_21 + biases_adj_8;
      }
      for (int64_t u_64 = 0; u_64 < b; ++u_64) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + u_64] = buffers.part_adj_20[u_64];
      }
      double* const part_adj_22 = buffers.layers_adj + i_7 * (2 * (4 * b));
      for (int64_t u_65 = 0; u_65 < b; ++u_65) {
        const double part_adj_24 = part_adj_22[u_65];
        const double weights_adj_8 = buffers.weights_adj_6[u_65];
        buffers.part_adj_23[u_65] = part_adj_24 + weights_adj_8;
      }
      for (int64_t u_66 = 0; u_66 < b; ++u_66) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + u_66] = buffers.part_adj_23[u_66];
      }
      double* const part_adj_25 = buffers.state_adj + (i_7 * (2 * b) + b);
      for (int64_t u_67 = 0; u_67 < b; ++u_67) {
        const double part_adj_27 = part_adj_25[u_67];
        const double state_adj_6 = buffers.state_adj_2[u_67];
        buffers.part_adj_26[u_67] = part_adj_27 + state_adj_6;
      }
      for (int64_t u_68 = 0; u_68 < b; ++u_68) {
        buffers.state_adj[i_7 * (2 * b) + b + u_68] = buffers.part_adj_26[u_68];
      }
      double* const part_adj_28 = buffers.state_adj + i_7 * (2 * b);
      for (int64_t u_69 = 0; u_69 < b; ++u_69) {
        const double part_adj_30 = part_adj_28[u_69];
        const double state_adj_7 = buffers.state_adj_4[u_69];
        buffers.part_adj_29[u_69] = part_adj_30 + state_adj_7;
      }
      for (int64_t u_70 = 0; u_70 < b; ++u_70) {
        buffers.state_adj[i_7 * (2 * b) + u_70] = buffers.part_adj_29[u_70];
      }
      for (int64_t u_71 = 0; u_71 < b; ++u_71) buffers.x_adj[u_71] = buffers.x_adj_next[u_71];
    }
    for (int64_t u_72 = 0; u_72 < b; ++u_72) {
      const double product_adj = buffers.x_adj[u_72];
      const double extra_adj_6 = buffers.extra_adj[u_72];
      buffers.extra_adj_next[u_72] = extra_adj_6 + product_adj * sequence_3[u_72];
    }
    for (int64_t u_73 = 0; u_73 < b; ++u_73) {
      buffers.extra_adj[u_73] = buffers.extra_adj_next[u_73];
    }
    for (int64_t u_74 = 0; u_74 < b; ++u_74) {
      buffers.extra_adj_2[u_74] = buffers.extra_adj_next_2[u_74];
    }
    for (int64_t u_75 = 0; u_75 < b; ++u_75) {
      buffers.extra_adj_3[u_75] = buffers.extra_adj_next_3[u_75];
    }
  }
  if (product != m || product_2 != w) {
    record_failure(failure, 3, product_2, w);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(product, 1) > 1)
#endif
  for (int64_t u_76 = 0; u_76 < product; ++u_76) {
    for (int64_t u_77 = 0; u_77 < w; ++u_77) {
      main_params_adj[u_76 * w + u_77] = buffers.layers_adj[u_76 * (4 * b) + u_77];
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(3, 4 * b) > 1)
#endif
  for (int u_78 = 0; u_78 < 3; ++u_78) {
    for (int64_t u_79 = 0; u_79 < b; ++u_79) extra_params_adj[u_78 * b + u_79] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t u_80 = 0; u_80 < b; ++u_80) {
    extra_params_adj[2 * b + u_80] = buffers.extra_adj_3[u_80];
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 9) > 1)
#endif
  for (int64_t u_81 = 0; u_81 < b; ++u_81) {
    const double part_adj_32 = extra_params_adj[b + u_81];
    const double extra_adj_7 = buffers.extra_adj_2[u_81];
    buffers.part_adj_31[u_81] = part_adj_32 + extra_adj_7;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t u_82 = 0; u_82 < b; ++u_82) extra_params_adj[b + u_82] = buffers.part_adj_31[u_82];
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 9) > 1)
#endif
  for (int64_t u_83 = 0; u_83 < b; ++u_83) {
    const double part_adj_34 = extra_params_adj[u_83];
    const double extra_adj_8 = buffers.extra_adj[u_83];
    buffers.part_adj_33[u_83] = part_adj_34 + extra_adj_8;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t u_84 = 0; u_84 < b; ++u_84) extra_params_adj[u_84] = buffers.part_adj_33[u_84];
  return failure->check == 0 ? Status::success : Status::check_failed;
}

std::string failure_text(const Failure& failure) {
  switch (failure.check) {
    case 1:
      return "lstm.fut:43: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 2:
      return "lstm.fut:44: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 3:
      return "lstm.fut:43: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 4:
      return "lstm.fut:44: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 5:
      return "lstm.fut:47: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 6:
      return "lstm.fut:49: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    default:
      return "";
  }
}

}  // namespace lstm
