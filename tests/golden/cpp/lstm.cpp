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

/// Fills in *failure, unless another check failed before.
void record_failure(Failure* failure, int check, int64_t first = 0, int64_t second = 0,
                    int64_t third = 0, int64_t fourth = 0) {
#ifdef _OPENMP
#pragma omp critical
#endif
  if (failure->check == 0) *failure = {check, {first, second, third, fourth}};
}

/// Whether 0 <= index < size; if not, *failure says so.
bool check_index(Failure* failure, int check, int64_t index, int64_t size) {
  if (0 <= index && index < size) return true;
  record_failure(failure, check, index, size);
  return false;
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
  double* part_adj;             // [b]
  double* part_adj_3;           // [b]
  double* x_adj_3;              // [b]
  double* weights_adj_2;        // [b]
  double* biases_adj_3;         // [b]
  double* part_adj_5;           // [b]
  double* part_adj_7;           // [b]
  double* weights_adj_4;        // [b]
  double* biases_adj_5;         // [b]
  double* state_adj_4;          // [b]
  double* part_adj_9;           // [b]
  double* part_adj_11;          // [b]
  double* weights_adj_6;        // [b]
  double* biases_adj_7;         // [b]
  double* part_adj_13;          // [b]
  double* part_adj_15;          // [b]
  double* part_adj_17;          // [b]
  double* part_adj_19;          // [b]
  double* part_adj_21;          // [b]
  double* part_adj_23;          // [b]
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
    part_adj = scratch.take<double>(b);
    part_adj_3 = scratch.take<double>(b);
    x_adj_3 = scratch.take<double>(b);
    weights_adj_2 = scratch.take<double>(b);
    biases_adj_3 = scratch.take<double>(b);
    part_adj_5 = scratch.take<double>(b);
    part_adj_7 = scratch.take<double>(b);
    weights_adj_4 = scratch.take<double>(b);
    biases_adj_5 = scratch.take<double>(b);
    state_adj_4 = scratch.take<double>(b);
    part_adj_9 = scratch.take<double>(b);
    part_adj_11 = scratch.take<double>(b);
    weights_adj_6 = scratch.take<double>(b);
    biases_adj_7 = scratch.take<double>(b);
    part_adj_13 = scratch.take<double>(b);
    part_adj_15 = scratch.take<double>(b);
    part_adj_17 = scratch.take<double>(b);
    part_adj_19 = scratch.take<double>(b);
    part_adj_21 = scratch.take<double>(b);
    part_adj_23 = scratch.take<double>(b);
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
  if (!!(m != product || w != b * 4)) {
    record_failure(failure, 1, w, b * 4);
    return failure->check == 0 ? Status::success : Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t i = 0; i < product; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int64_t t_2 = 0; t_2 < b; ++t_2) {
        buffers.xs[i * (4 * b) + j * b + t_2] = main_params[i * w + j * b + t_2];
      }
    }
  }
  if (!!(m != product)) {
    record_failure(failure, 2, m, product);
    return failure->check == 0 ? Status::success : Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_3 = 0; t_3 < l; ++t_3) {
    for (int t_4 = 0; t_4 < 2; ++t_4) {
      for (int64_t t_5 = 0; t_5 < b; ++t_5) {
        buffers.start[t_3 * (2 * b) + t_4 * b + t_5] = state[t_3 * (2 * b) + t_4 * b + t_5];
      }
    }
  }
  const double* const extra = extra_params + 2 * b;
  double total = 0.0;
  for (int64_t i_2 = 0; i_2 < t - 1; ++i_2) {
    const bool inside = check_index(failure, 3, i_2, t);
    const int64_t offset = inside ? i_2 * b : 0;
    for (int64_t t_6 = 0; t_6 < b; ++t_6) {
      buffers.first[t_6] = sequence[offset + t_6] * extra_params[t_6];
    }
    for (int64_t t_7 = 0; t_7 < b; ++t_7) buffers.last[t_7] = buffers.first[t_7];
    for (int64_t i_3 = 0; i_3 < l; ++i_3) {
      for (int64_t t_8 = 0; t_8 < b; ++t_8) {
        const double x = buffers.last[t_8];
        const double y = buffers.xs[i_3 * (2 * (4 * b)) + t_8];
        const double z = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + t_8];
        const double x_2 = buffers.start[i_3 * (2 * b) + t_8];
        const double y_2 = buffers.xs[i_3 * (2 * (4 * b)) + b + t_8];
        const double z_2 = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + b + t_8];
        const double y_3 = buffers.xs[i_3 * (2 * (4 * b)) + 2 * b + t_8];
        const double z_3 = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + 2 * b + t_8];
        const double y_4 = buffers.xs[i_3 * (2 * (4 * b)) + 3 * b + t_8];
        const double z_4 = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + 3 * b + t_8];
        const double x_3 = buffers.start[i_3 * (2 * b) + b + t_8];
        const double product_2 = x_3 * (1.0 / (1.0 + std::exp(-(x * y + z))));
        const double product_3 =
            1.0 / (1.0 + std::exp(-(x_2 * y_2 + z_2))) * std::tanh(x_2 * y_4 + z_4);
        const double sum = product_2 + product_3;
        const double product_4 = 1.0 / (1.0 + std::exp(-(x * y_3 + z_3))) * std::tanh(sum);
        buffers.cell[t_8] = sum;
        buffers.x_next[t_8] = product_4;
      }
      if (check_index(failure, 4, i_3, l)) {
        for (int64_t t_9 = 0; t_9 < b; ++t_9) {
          buffers.start[i_3 * (2 * b) + t_9] = buffers.x_next[t_9];
        }
      }
      if (check_index(failure, 5, i_3, l)) {
        for (int64_t t_10 = 0; t_10 < b; ++t_10) {
          buffers.start[i_3 * (2 * b) + b + t_10] = buffers.cell[t_10];
        }
      }
      for (int64_t t_11 = 0; t_11 < b; ++t_11) buffers.last[t_11] = buffers.x_next[t_11];
    }
    double total_2 = 0.0;
    for (int64_t t_12 = 0; t_12 < b; ++t_12) {
      const double x_4 = buffers.last[t_12];
      const double sum_2 = x_4 * extra_params[b + t_12] + extra[t_12];
      total_2 += std::exp(sum_2);
      buffers.ys[t_12] = sum_2;
    }
    const double normaliser = std::log(2.0 + total_2);
    const int64_t index_ = i_2 + 1;
    const bool inside_2 = check_index(failure, 6, index_, t);
    const int64_t offset_2 = inside_2 ? index_ * b : 0;
    double total_3 = 0.0;
    for (int64_t t_13 = 0; t_13 < b; ++t_13) {
      const double y_5 = buffers.ys[t_13];
      total_3 += sequence[offset_2 + t_13] * (y_5 - normaliser);
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
  if (!!(m != product || w != product_2)) {
    record_failure(failure, 7, w, product_2);
    return failure->check == 0 ? Status::success : Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t i = 0; i < product; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int64_t t_2 = 0; t_2 < b; ++t_2) {
        buffers.xs[i * (4 * b) + j * b + t_2] = main_params[i * w + j * b + t_2];
      }
    }
  }
  if (!!(m != product)) {
    record_failure(failure, 8, m, product);
    return failure->check == 0 ? Status::success : Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_3 = 0; t_3 < l; ++t_3) {
    for (int t_4 = 0; t_4 < 2; ++t_4) {
      for (int64_t t_5 = 0; t_5 < b; ++t_5) {
        buffers.start[t_3 * (2 * b) + t_4 * b + t_5] = state[t_3 * (2 * b) + t_4 * b + t_5];
      }
    }
  }
  const double* const extra = extra_params + 2 * b;
  for (int64_t i_2 = 0; i_2 < t - 1; ++i_2) {
    const bool inside = check_index(failure, 9, i_2, t);
    const int64_t offset = inside ? i_2 * b : 0;
    for (int64_t t_6 = 0; t_6 < b; ++t_6) {
      buffers.first[t_6] = sequence[offset + t_6] * extra_params[t_6];
    }
    for (int64_t t_7 = 0; t_7 < b; ++t_7) buffers.last[t_7] = buffers.first[t_7];
    for (int64_t i_3 = 0; i_3 < l; ++i_3) {
      for (int64_t t_8 = 0; t_8 < b; ++t_8) {
        const double x = buffers.last[t_8];
        const double y = buffers.xs[i_3 * (2 * (4 * b)) + t_8];
        const double z = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + t_8];
        const double x_2 = buffers.start[i_3 * (2 * b) + t_8];
        const double y_2 = buffers.xs[i_3 * (2 * (4 * b)) + b + t_8];
        const double z_2 = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + b + t_8];
        const double y_3 = buffers.xs[i_3 * (2 * (4 * b)) + 2 * b + t_8];
        const double z_3 = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + 2 * b + t_8];
        const double y_4 = buffers.xs[i_3 * (2 * (4 * b)) + 3 * b + t_8];
        const double z_4 = buffers.xs[i_3 * (2 * (4 * b)) + 4 * b + 3 * b + t_8];
        const double x_3 = buffers.start[i_3 * (2 * b) + b + t_8];
        const double product_3 = x_3 * (1.0 / (1.0 + std::exp(-(x * y + z))));
        const double product_4 =
            1.0 / (1.0 + std::exp(-(x_2 * y_2 + z_2))) * std::tanh(x_2 * y_4 + z_4);
        const double sum = product_3 + product_4;
        const double product_5 = 1.0 / (1.0 + std::exp(-(x * y_3 + z_3))) * std::tanh(sum);
        buffers.cell[t_8] = sum;
        buffers.x_next[t_8] = product_5;
      }
      for (int64_t t_9 = 0; t_9 < b; ++t_9) {
        buffers.state_old[t_9] = buffers.start[i_3 * (2 * b) + t_9];
      }
      if (check_index(failure, 10, i_3, l)) {
        for (int64_t t_10 = 0; t_10 < b; ++t_10) {
          buffers.start[i_3 * (2 * b) + t_10] = buffers.x_next[t_10];
        }
      }
      for (int64_t t_11 = 0; t_11 < b; ++t_11) {
        buffers.state_old_2[t_11] = buffers.start[i_3 * (2 * b) + b + t_11];
      }
      if (check_index(failure, 11, i_3, l)) {
        for (int64_t t_12 = 0; t_12 < b; ++t_12) {
          buffers.start[i_3 * (2 * b) + b + t_12] = buffers.cell[t_12];
        }
      }
      for (int64_t t_13 = 0; t_13 < b; ++t_13) {
        buffers.state_old_log[i_3 * b + t_13] = buffers.state_old[t_13];
      }
      for (int64_t t_14 = 0; t_14 < b; ++t_14) {
        buffers.state_old_log_2[i_3 * b + t_14] = buffers.state_old_2[t_14];
      }
      for (int64_t t_15 = 0; t_15 < b; ++t_15) buffers.last[t_15] = buffers.x_next[t_15];
    }
    for (int64_t t_16 = 0; t_16 < l; ++t_16) {
      for (int64_t t_17 = 0; t_17 < b; ++t_17) {
        buffers.state_old_log_log[i_2 * (l * b) + t_16 * b + t_17] =
            buffers.state_old_log[t_16 * b + t_17];
      }
    }
    for (int64_t t_18 = 0; t_18 < l; ++t_18) {
      for (int64_t t_19 = 0; t_19 < b; ++t_19) {
        buffers.state_old_log_log_2[i_2 * (l * b) + t_18 * b + t_19] =
            buffers.state_old_log_2[t_18 * b + t_19];
      }
    }
  }
  const double term = -(1.0 / static_cast<double>(b * (t - 1)));
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_20 = 0; t_20 < l; ++t_20) {
    for (int t_21 = 0; t_21 < 2; ++t_21) {
      for (int64_t t_22 = 0; t_22 < b; ++t_22) {
        buffers.state_adj[t_20 * (2 * b) + t_21 * b + t_22] = 0.0;
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_23 = 0; t_23 < b; ++t_23) buffers.extra_adj[t_23] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_24 = 0; t_24 < l; ++t_24) {
    for (int t_25 = 0; t_25 < 2; ++t_25) {
      for (int t_26 = 0; t_26 < 4; ++t_26) {
        for (int64_t t_27 = 0; t_27 < b; ++t_27) {
          buffers.layers_adj[t_24 * (2 * (4 * b)) + t_25 * (4 * b) + t_26 * b + t_27] = 0.0;
        }
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_28 = 0; t_28 < b; ++t_28) buffers.extra_adj_2[t_28] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_29 = 0; t_29 < b; ++t_29) buffers.extra_adj_3[t_29] = 0.0;
  for (int64_t step = 0; step < t - 1; ++step) {
    const int64_t i_4 = t - 2 - step;
    for (int64_t i_5 = l - 1; i_5 >= 0; --i_5) {
      for (int64_t t_30 = 0; t_30 < b; ++t_30) {
        buffers.start[i_5 * (2 * b) + b + t_30] =
            buffers.state_old_log_log_2[i_4 * (l * b) + i_5 * b + t_30];
      }
      for (int64_t t_31 = 0; t_31 < b; ++t_31) {
        buffers.start[i_5 * (2 * b) + t_31] =
            buffers.state_old_log_log[i_4 * (l * b) + i_5 * b + t_31];
      }
    }
    const bool inside_2 = check_index(failure, 9, i_4, t);
    const int64_t offset_2 = inside_2 ? i_4 * b : 0;
    for (int64_t t_32 = 0; t_32 < b; ++t_32) {
      buffers.first_2[t_32] = sequence[offset_2 + t_32] * extra_params[t_32];
    }
    for (int64_t t_33 = 0; t_33 < b; ++t_33) buffers.last_2[t_33] = buffers.first_2[t_33];
    for (int64_t i_6 = 0; i_6 < l; ++i_6) {
      for (int64_t t_34 = 0; t_34 < b; ++t_34) {
        buffers.x_states[i_6 * b + t_34] = buffers.last_2[t_34];
      }
      for (int64_t t_35 = 0; t_35 < b; ++t_35) {
        const double x_4 = buffers.last_2[t_35];
        const double y_5 = buffers.xs[i_6 * (2 * (4 * b)) + t_35];
        const double z_5 = buffers.xs[i_6 * (2 * (4 * b)) + 4 * b + t_35];
        const double x_5 = buffers.start[i_6 * (2 * b) + t_35];
        const double y_6 = buffers.xs[i_6 * (2 * (4 * b)) + b + t_35];
        const double z_6 = buffers.xs[i_6 * (2 * (4 * b)) + 4 * b + b + t_35];
        const double y_7 = buffers.xs[i_6 * (2 * (4 * b)) + 2 * b + t_35];
        const double z_7 = buffers.xs[i_6 * (2 * (4 * b)) + 4 * b + 2 * b + t_35];
        const double y_8 = buffers.xs[i_6 * (2 * (4 * b)) + 3 * b + t_35];
        const double z_8 = buffers.xs[i_6 * (2 * (4 * b)) + 4 * b + 3 * b + t_35];
        const double x_6 = buffers.start[i_6 * (2 * b) + b + t_35];
        const double product_6 = x_6 * (1.0 / (1.0 + std::exp(-(x_4 * y_5 + z_5))));
        const double product_7 =
            1.0 / (1.0 + std::exp(-(x_5 * y_6 + z_6))) * std::tanh(x_5 * y_8 + z_8);
        const double sum_2 = product_6 + product_7;
        const double product_8 = 1.0 / (1.0 + std::exp(-(x_4 * y_7 + z_7))) * std::tanh(sum_2);
        buffers.cell_2[t_35] = sum_2;
        buffers.x_next_2[t_35] = product_8;
      }
      for (int64_t t_36 = 0; t_36 < b; ++t_36) {
        buffers.state_old_3[t_36] = buffers.start[i_6 * (2 * b) + t_36];
      }
      if (check_index(failure, 10, i_6, l)) {
        for (int64_t t_37 = 0; t_37 < b; ++t_37) {
          buffers.start[i_6 * (2 * b) + t_37] = buffers.x_next_2[t_37];
        }
      }
      for (int64_t t_38 = 0; t_38 < b; ++t_38) {
        buffers.state_old_4[t_38] = buffers.start[i_6 * (2 * b) + b + t_38];
      }
      if (check_index(failure, 11, i_6, l)) {
        for (int64_t t_39 = 0; t_39 < b; ++t_39) {
          buffers.start[i_6 * (2 * b) + b + t_39] = buffers.cell_2[t_39];
        }
      }
      for (int64_t t_40 = 0; t_40 < b; ++t_40) {
        buffers.state_old_log_3[i_6 * b + t_40] = buffers.state_old_3[t_40];
      }
      for (int64_t t_41 = 0; t_41 < b; ++t_41) {
        buffers.state_old_log_4[i_6 * b + t_41] = buffers.state_old_4[t_41];
      }
      for (int64_t t_42 = 0; t_42 < b; ++t_42) buffers.last_2[t_42] = buffers.x_next_2[t_42];
    }
    double total = 0.0;
    for (int64_t t_43 = 0; t_43 < b; ++t_43) {
      const double x_7 = buffers.last_2[t_43];
      const double sum_3 = x_7 * extra_params[b + t_43] + extra[t_43];
      total += std::exp(sum_3);
      buffers.ys[t_43] = sum_3;
    }
    const int64_t index_ = i_4 + 1;
    const bool inside_3 = check_index(failure, 12, index_, t);
    const int64_t offset_3 = inside_3 ? index_ * b : 0;
    double normaliser_adj = 0.0;
    for (int64_t t_44 = 0; t_44 < b; ++t_44) {
      const double term_2 = term * sequence[offset_3 + t_44];
      normaliser_adj += -term_2;
      buffers.ys_adj[t_44] = term_2;
    }
    const double term_3 = normaliser_adj / (2.0 + total);
    for (int64_t t_45 = 0; t_45 < b; ++t_45) {
      const double x_8 = buffers.ys[t_45];
      const double ys_adj_2 = buffers.ys_adj[t_45];
      const double x_9 = buffers.last_2[t_45];
      const double extra_adj_4 = buffers.extra_adj_2[t_45];
      const double extra_adj_5 = buffers.extra_adj_3[t_45];
      const double ys_adj_3 = ys_adj_2 + term_3 * std::exp(x_8);
      buffers.last_adj[t_45] = ys_adj_3 * extra_params[b + t_45];
      buffers.extra_adj_next_2[t_45] = extra_adj_4 + ys_adj_3 * x_9;
      buffers.extra_adj_next_3[t_45] = extra_adj_5 + ys_adj_3;
    }
    for (int64_t t_46 = 0; t_46 < b; ++t_46) buffers.x_adj[t_46] = buffers.last_adj[t_46];
    for (int64_t i_7 = l - 1; i_7 >= 0; --i_7) {
      double* const x_10 = buffers.x_states + i_7 * b;
      double* const state_old_5 = buffers.state_old_log_3 + i_7 * b;
      for (int64_t t_47 = 0; t_47 < b; ++t_47) {
        buffers.start[i_7 * (2 * b) + b + t_47] = buffers.state_old_log_4[i_7 * b + t_47];
      }
      for (int64_t t_48 = 0; t_48 < b; ++t_48) {
        buffers.start[i_7 * (2 * b) + t_48] = state_old_5[t_48];
      }
      double* const weights = buffers.xs + i_7 * (2 * (4 * b));
      double* const biases = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b);
      double* const weights_2 = buffers.xs + (i_7 * (2 * (4 * b)) + b);
      double* const biases_2 = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b + b);
      double* const weights_3 = buffers.xs + (i_7 * (2 * (4 * b)) + 2 * b);
      double* const biases_3 = buffers.xs + (i_7 * (2 * (4 * b)) + 4 * b + 2 * b);
      const bool inside_4 = check_index(failure, 11, i_7, l);
      const int64_t offset_4 = inside_4 ? i_7 * (2 * b) + b : 0;
      for (int64_t t_49 = 0; t_49 < b; ++t_49) {
        buffers.cell_adj[t_49] = buffers.state_adj[offset_4 + t_49];
      }
      if (check_index(failure, 11, i_7, l)) {
        for (int64_t t_50 = 0; t_50 < b; ++t_50) buffers.state_adj[i_7 * (2 * b) + b + t_50] = 0.0;
      }
      const bool inside_5 = check_index(failure, 10, i_7, l);
      const int64_t offset_5 = inside_5 ? i_7 * (2 * b) : 0;
      for (int64_t t_51 = 0; t_51 < b; ++t_51) {
        const double x_11 = x_10[t_51];
        const double y_9 = weights[t_51];
        const double z_9 = biases[t_51];
        const double x_12 = state_old_5[t_51];
        const double y_10 = weights_2[t_51];
        const double z_10 = biases_2[t_51];
        const double y_11 = weights_3[t_51];
        const double z_11 = biases_3[t_51];
        const double y_12 = buffers.xs[i_7 * (2 * (4 * b)) + 3 * b + t_51];
        const double z_12 = buffers.xs[i_7 * (2 * (4 * b)) + 4 * b + 3 * b + t_51];
        const double x_13 = buffers.start[i_7 * (2 * b) + b + t_51];
        const double x_adj_2 = buffers.x_adj[t_51];
        const double hidden_adj = buffers.state_adj[offset_5 + t_51];
        const double cell_adj_2 = buffers.cell_adj[t_51];
        const double quotient = 1.0 / (1.0 + std::exp(-(x_11 * y_9 + z_9)));
        const double quotient_2 = 1.0 / (1.0 + std::exp(-(x_12 * y_10 + z_10)));
        const double tanh_ = std::tanh(x_12 * y_12 + z_12);
        const double hidden_adj_2 = x_adj_2 + hidden_adj;
        const double tanh_2 = std::tanh(x_13 * quotient + quotient_2 * tanh_);
        const double term_4 = hidden_adj_2 * (1.0 / (1.0 + std::exp(-(x_11 * y_11 + z_11))));
        const double cell_adj_3 = cell_adj_2 + term_4 * (1.0 - tanh_2 * tanh_2);
        const double term_5 = cell_adj_3 * quotient_2 * (1.0 - tanh_ * tanh_);
        buffers.outgate_adj[t_51] = hidden_adj_2 * tanh_2;
        buffers.state_adj_2[t_51] = cell_adj_3 * quotient;
        buffers.forget_adj[t_51] = cell_adj_3 * x_13;
        buffers.ingate_adj[t_51] = cell_adj_3 * tanh_;
        buffers.state_adj_3[t_51] = term_5 * y_12;
        buffers.weights_adj[t_51] = term_5 * x_12;
        buffers.biases_adj[t_51] = term_5;
      }
      if (check_index(failure, 10, i_7, l)) {
        for (int64_t t_52 = 0; t_52 < b; ++t_52) buffers.state_adj[i_7 * (2 * b) + t_52] = 0.0;
      }
      for (int64_t t_53 = 0; t_53 < b; ++t_53) {
        const double part_adj_2 = buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + 3 * b + t_53];
        const double biases_adj_2 = buffers.biases_adj[t_53];
        buffers.part_adj[t_53] = part_adj_2 + biases_adj_2;
      }
      for (int64_t t_54 = 0; t_54 < b; ++t_54) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + 3 * b + t_54] = buffers.part_adj[t_54];
      }
      for (int64_t t_55 = 0; t_55 < b; ++t_55) {
        const double part_adj_4 = buffers.layers_adj[i_7 * (2 * (4 * b)) + 3 * b + t_55];
        const double weights_adj_3 = buffers.weights_adj[t_55];
        const double x_14 = x_10[t_55];
        const double y_13 = weights_3[t_55];
        const double z_13 = biases_3[t_55];
        const double quotient_adj = buffers.outgate_adj[t_55];
        const double exp_ = std::exp(-(x_14 * y_13 + z_13));
        const double sum_4 = 1.0 + exp_;
        const double term_6 = quotient_adj / sum_4 * (1.0 / sum_4) * exp_;
        buffers.part_adj_3[t_55] = part_adj_4 + weights_adj_3;
        buffers.x_adj_3[t_55] = term_6 * y_13;
        buffers.weights_adj_2[t_55] = term_6 * x_14;
        buffers.biases_adj_3[t_55] = term_6;
      }
      for (int64_t t_56 = 0; t_56 < b; ++t_56) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 3 * b + t_56] = buffers.part_adj_3[t_56];
      }
      for (int64_t t_57 = 0; t_57 < b; ++t_57) {
        const double part_adj_6 = buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + 2 * b + t_57];
        const double biases_adj_4 = buffers.biases_adj_3[t_57];
        buffers.part_adj_5[t_57] = part_adj_6 + biases_adj_4;
      }
      for (int64_t t_58 = 0; t_58 < b; ++t_58) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + 2 * b + t_58] = buffers.part_adj_5[t_58];
      }
      for (int64_t t_59 = 0; t_59 < b; ++t_59) {
        const double part_adj_8 = buffers.layers_adj[i_7 * (2 * (4 * b)) + 2 * b + t_59];
        const double weights_adj_5 = buffers.weights_adj_2[t_59];
        const double x_15 = state_old_5[t_59];
        const double y_14 = weights_2[t_59];
        const double z_14 = biases_2[t_59];
        const double quotient_adj_2 = buffers.ingate_adj[t_59];
        const double state_adj_5 = buffers.state_adj_3[t_59];
        const double exp_2 = std::exp(-(x_15 * y_14 + z_14));
        const double sum_5 = 1.0 + exp_2;
        const double term_7 = quotient_adj_2 / sum_5 * (1.0 / sum_5) * exp_2;
        buffers.part_adj_7[t_59] = part_adj_8 + weights_adj_5;
        buffers.weights_adj_4[t_59] = term_7 * x_15;
        buffers.biases_adj_5[t_59] = term_7;
        buffers.state_adj_4[t_59] = state_adj_5 + term_7 * y_14;
      }
      for (int64_t t_60 = 0; t_60 < b; ++t_60) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 2 * b + t_60] = buffers.part_adj_7[t_60];
      }
      for (int64_t t_61 = 0; t_61 < b; ++t_61) {
        const double part_adj_10 = buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + b + t_61];
        const double biases_adj_6 = buffers.biases_adj_5[t_61];
        buffers.part_adj_9[t_61] = part_adj_10 + biases_adj_6;
      }
      for (int64_t t_62 = 0; t_62 < b; ++t_62) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + b + t_62] = buffers.part_adj_9[t_62];
      }
      for (int64_t t_63 = 0; t_63 < b; ++t_63) {
        const double part_adj_12 = buffers.layers_adj[i_7 * (2 * (4 * b)) + b + t_63];
        const double weights_adj_7 = buffers.weights_adj_4[t_63];
        const double x_16 = x_10[t_63];
        const double y_15 = weights[t_63];
        const double z_15 = biases[t_63];
        const double quotient_adj_3 = buffers.forget_adj[t_63];
        const double x_adj_4 = buffers.x_adj_3[t_63];
        const double exp_3 = std::exp(-(x_16 * y_15 + z_15));
        const double sum_6 = 1.0 + exp_3;
        const double term_8 = quotient_adj_3 / sum_6 * (1.0 / sum_6) * exp_3;
        buffers.part_adj_11[t_63] = part_adj_12 + weights_adj_7;
        buffers.weights_adj_6[t_63] = term_8 * x_16;
        buffers.biases_adj_7[t_63] = term_8;
        buffers.x_adj_next[t_63] = x_adj_4 + term_8 * y_15;
      }
      for (int64_t t_64 = 0; t_64 < b; ++t_64) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + b + t_64] = buffers.part_adj_11[t_64];
      }
      for (int64_t t_65 = 0; t_65 < b; ++t_65) {
        const double part_adj_14 = buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + t_65];
        const double biases_adj_8 = buffers.biases_adj_7[t_65];
        buffers.part_adj_13[t_65] = part_adj_14 + biases_adj_8;
      }
      for (int64_t t_66 = 0; t_66 < b; ++t_66) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + 4 * b + t_66] = buffers.part_adj_13[t_66];
      }
      for (int64_t t_67 = 0; t_67 < b; ++t_67) {
        const double part_adj_16 = buffers.layers_adj[i_7 * (2 * (4 * b)) + t_67];
        const double weights_adj_8 = buffers.weights_adj_6[t_67];
        buffers.part_adj_15[t_67] = part_adj_16 + weights_adj_8;
      }
      for (int64_t t_68 = 0; t_68 < b; ++t_68) {
        buffers.layers_adj[i_7 * (2 * (4 * b)) + t_68] = buffers.part_adj_15[t_68];
      }
      for (int64_t t_69 = 0; t_69 < b; ++t_69) {
        const double part_adj_18 = buffers.state_adj[i_7 * (2 * b) + b + t_69];
        const double state_adj_6 = buffers.state_adj_2[t_69];
        buffers.part_adj_17[t_69] = part_adj_18 + state_adj_6;
      }
      for (int64_t t_70 = 0; t_70 < b; ++t_70) {
        buffers.state_adj[i_7 * (2 * b) + b + t_70] = buffers.part_adj_17[t_70];
      }
      for (int64_t t_71 = 0; t_71 < b; ++t_71) {
        const double part_adj_20 = buffers.state_adj[i_7 * (2 * b) + t_71];
        const double state_adj_7 = buffers.state_adj_4[t_71];
        buffers.part_adj_19[t_71] = part_adj_20 + state_adj_7;
      }
      for (int64_t t_72 = 0; t_72 < b; ++t_72) {
        buffers.state_adj[i_7 * (2 * b) + t_72] = buffers.part_adj_19[t_72];
      }
      for (int64_t t_73 = 0; t_73 < b; ++t_73) buffers.x_adj[t_73] = buffers.x_adj_next[t_73];
    }
    for (int64_t t_74 = 0; t_74 < b; ++t_74) {
      const double product_adj = buffers.x_adj[t_74];
      const double extra_adj_6 = buffers.extra_adj[t_74];
      buffers.extra_adj_next[t_74] = extra_adj_6 + product_adj * sequence[offset_2 + t_74];
    }
    for (int64_t t_75 = 0; t_75 < b; ++t_75) {
      buffers.extra_adj[t_75] = buffers.extra_adj_next[t_75];
    }
    for (int64_t t_76 = 0; t_76 < b; ++t_76) {
      buffers.extra_adj_2[t_76] = buffers.extra_adj_next_2[t_76];
    }
    for (int64_t t_77 = 0; t_77 < b; ++t_77) {
      buffers.extra_adj_3[t_77] = buffers.extra_adj_next_3[t_77];
    }
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_78 = 0; t_78 < product; ++t_78) {
    for (int64_t t_79 = 0; t_79 < w; ++t_79) {
      main_params_adj[t_78 * w + t_79] = buffers.layers_adj[t_78 * (4 * b) + t_79];
    }
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int t_80 = 0; t_80 < 3; ++t_80) {
    for (int64_t t_81 = 0; t_81 < b; ++t_81) extra_params_adj[t_80 * b + t_81] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_82 = 0; t_82 < b; ++t_82) {
    extra_params_adj[2 * b + t_82] = buffers.extra_adj_3[t_82];
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_83 = 0; t_83 < b; ++t_83) {
    const double part_adj_22 = extra_params_adj[b + t_83];
    const double extra_adj_7 = buffers.extra_adj_2[t_83];
    buffers.part_adj_21[t_83] = part_adj_22 + extra_adj_7;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_84 = 0; t_84 < b; ++t_84) extra_params_adj[b + t_84] = buffers.part_adj_21[t_84];
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_85 = 0; t_85 < b; ++t_85) {
    const double part_adj_24 = extra_params_adj[t_85];
    const double extra_adj_8 = buffers.extra_adj[t_85];
    buffers.part_adj_23[t_85] = part_adj_24 + extra_adj_8;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_86 = 0; t_86 < b; ++t_86) extra_params_adj[t_86] = buffers.part_adj_23[t_86];
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
      return "lstm.fut:47: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 4:
      return "lstm.fut:32: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 5:
      return "lstm.fut:33: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 6:
      return "lstm.fut:49: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 7:
      return "lstm.fut:43: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 8:
      return "lstm.fut:44: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 9:
      return "lstm.fut:47: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 10:
      return "lstm.fut:32: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 11:
      return "lstm.fut:33: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 12:
      return "lstm.fut:49: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    default:
      return "";
  }
}

}  // namespace lstm
