// gmm.cpp: C++ for the entry points of gmm.fut, declared in gmm.hpp.
// Written by `boustro translate gmm.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   calculate_objective [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs:
//     [n][d]f64) (gamma: f64) (m: i64) : f64
//     = objective alphas means icf xs gamma m                                        gmm.fut:61
//
//   calculate_jacobian [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs:
//     [n][d]f64) (gamma: f64) (m: i64) : ([k]f64, [k][d]f64, [k][l]f64)
//     = ...                                                                          gmm.fut:71

#include "gmm.hpp"

#include <cmath>

namespace gmm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// -x, wrapping around.
template <typename T>
T wrapping_neg(T x) {
  return static_cast<T>(0 - static_cast<uint64_t>(x));
}

/// x / y, rounded towards minus infinity.
template <typename T>
T floor_div(T x, T y) {
  if (y == -1) return wrapping_neg(x);
  const T quotient = static_cast<T>(x / y);
  const bool exact = quotient * y == x;
  return exact || (x < 0) == (y < 0) ? quotient : static_cast<T>(quotient - 1);
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

/// x + y, wrapping around: unsigned arithmetic has the same low bits.
template <typename T>
T wrapping_add(T x, T y) {
  return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch {
  double* qs;          // [k][d][d]
  double* log_dets;    // [k]
  double* xs_2;        // [k]
  double* difference;  // [d]
  std::size_t bytes;

  CalculateObjectiveScratch(void* memory, int64_t d, int64_t k) {
    Scratch scratch(memory);
    qs = scratch.take<double>(k * d * d);
    log_dets = scratch.take<double>(k);
    xs_2 = scratch.take<double>(k);
    difference = scratch.take<double>(d);
    bytes = scratch.bytes();
  }
};

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch {
  double* qs;                // [k][d][d]
  double* log_dets;          // [k]
  double* xs_kept;           // [n][k]
  int64_t* winner_kept;      // [n]
  double* largest_kept;      // [n]
  double* total_kept;        // [n]
  double* difference;        // [d]
  double* qs_adj;            // [k][d][d]
  double* xs_adj;            // [n_2]
  double* log_dets_adj_2;    // [k]
  double* xs_adj_2;          // [k]
  double* difference_3;      // [d]
  double* xs_adj_3;          // [d]
  double* difference_adj_2;  // [d]
  double* part_adj;          // [d]
  double* row_adj;           // [l]
  double* icf_adj_2;         // [l]
  std::size_t bytes;

  CalculateJacobianScratch(void* memory, int64_t d, int64_t k, int64_t l, int64_t n, int64_t n_2) {
    Scratch scratch(memory);
    qs = scratch.take<double>(k * d * d);
    log_dets = scratch.take<double>(k);
    xs_kept = scratch.take<double>(n * k);
    winner_kept = scratch.take<int64_t>(n);
    largest_kept = scratch.take<double>(n);
    total_kept = scratch.take<double>(n);
    difference = scratch.take<double>(d);
    qs_adj = scratch.take<double>(k * d * d);
    xs_adj = scratch.take<double>(n_2);
    log_dets_adj_2 = scratch.take<double>(k);
    xs_adj_2 = scratch.take<double>(k);
    difference_3 = scratch.take<double>(d);
    xs_adj_3 = scratch.take<double>(d);
    difference_adj_2 = scratch.take<double>(d);
    part_adj = scratch.take<double>(d);
    row_adj = scratch.take<double>(l);
    icf_adj_2 = scratch.take<double>(l);
    bytes = scratch.bytes();
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status calculate_objective_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                   int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  *bytes = CalculateObjectiveScratch(nullptr, d, k).bytes;
  return Status::success;
}

Status calculate_objective(double* __restrict__ sum, const double* __restrict__ alphas,
                           const double* __restrict__ means, const double* __restrict__ icf,
                           const double* __restrict__ xs, double gamma_, int64_t m, int64_t n,
                           int64_t k, int64_t d, int64_t l, void* scratch,
                           std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const CalculateObjectiveScratch buffers(scratch, d, k);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t i = 0; i < k; ++i) {
    const double* const icf_2 = icf + i * l;
    for (int64_t j = 0; j < d; ++j) {
      for (int64_t t = 0; t < d; ++t) {
        double result;
        if (j < t) {
          result = 0.0;
        } else {
          double result_2;
          if (j == t) {
            result_2 = std::exp(icf_2[j]);
          } else {
            const int64_t sum_2 = d + floor_div((d * 2 - t - 1) * t, int64_t{2});
            result_2 = icf_2[sum_2 + j - t - 1];
          }
          result = result_2;
        }
        buffers.qs[i * (d * d) + j * d + t] = result;
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_2 = 0; t_2 < k; ++t_2) {
    double total = 0.0;
    for (int64_t t_3 = 0; t_3 < d; ++t_3) total += icf[t_2 * l + t_3];
    buffers.log_dets[t_2] = total;
  }
  double total_2 = 0.0;
  for (int64_t t_4 = 0; t_4 < n; ++t_4) {
    const double* const x = xs + t_4 * d;
    double largest = -INFINITY;
    for (int64_t t_5 = 0; t_5 < k; ++t_5) {
      const double u = buffers.log_dets[t_5];
      for (int64_t t_6 = 0; t_6 < d; ++t_6) {
        buffers.difference[t_6] = x[t_6] - means[t_5 * d + t_6];
      }
      double total_3 = 0.0;
      for (int64_t t_7 = 0; t_7 < d; ++t_7) {
        double total_4 = 0.0;
        for (int64_t t_8 = 0; t_8 < d; ++t_8) {
          const double x_2 = buffers.difference[t_8];
          const double y = buffers.qs[t_5 * (d * d) + t_7 * d + t_8];
          total_4 += x_2 * y;
        }
        total_3 += total_4 * total_4;
      }
      const double difference_2 = alphas[t_5] + u - 0.5 * total_3;
      largest = std::fmax(largest, difference_2);
      buffers.xs_2[t_5] = difference_2;
    }
    double total_5 = 0.0;
    for (int64_t t_9 = 0; t_9 < k; ++t_9) {
      const double x_3 = buffers.xs_2[t_9];
      total_5 += std::exp(x_3 - largest);
    }
    total_2 += largest + std::log(total_5);
  }
  double largest_2 = -INFINITY;
  for (int64_t t_10 = 0; t_10 < k; ++t_10) largest_2 = std::fmax(largest_2, alphas[t_10]);
  double total_6 = 0.0;
  for (int64_t t_11 = 0; t_11 < k; ++t_11) total_6 += std::exp(alphas[t_11] - largest_2);
  const double difference_3 = total_2 - 0.5 * static_cast<double>(d * n) * 1.8378770664093453 -
                              static_cast<double>(n) * (largest_2 + std::log(total_6));
  const double degrees = static_cast<double>(wrapping_add(wrapping_add(d, m), int64_t{1}));
  const double product = 0.5 * degrees;
  double total_7 = 0.0;
  for (int64_t t_12 = 0; t_12 < d; ++t_12) {
    total_7 += std::lgamma(product - 0.5 * static_cast<double>(t_12));
  }
  const double normaliser =
      degrees * static_cast<double>(d) * (std::log(gamma_) - 0.34657359027997264) -
      (0.25 * static_cast<double>(d * (d - 1)) * 1.1447298858494002 + total_7);
  const double product_2 = 0.5 * gamma_ * gamma_;
  const int64_t n_2 = d * d;
  const double converted = static_cast<double>(m);
  double total_8 = 0.0;
  for (int64_t t_13 = 0; t_13 < k; ++t_13) {
    const double y_2 = buffers.log_dets[t_13];
    double total_9 = 0.0;
    for (int64_t t_14 = 0; t_14 < n_2; ++t_14) {
      const double x_4 = buffers.qs[t_13 * (d * d) + t_14];
      total_9 += x_4 * x_4;
    }
    total_8 += product_2 * total_9 - converted * y_2;
  }
  sum[0] = difference_3 + (total_8 - static_cast<double>(k) * normaliser);
  return Status::success;
}

Status calculate_jacobian_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                  int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t n_2 = d * d;
  *bytes = CalculateJacobianScratch(nullptr, d, k, l, n, n_2).bytes;
  return Status::success;
}

Status calculate_jacobian(double* __restrict__ alphas_adj, double* __restrict__ means_adj,
                          double* __restrict__ icf_adj, const double* __restrict__ alphas,
                          const double* __restrict__ means, const double* __restrict__ icf,
                          const double* __restrict__ xs, double gamma_, int64_t m, int64_t n,
                          int64_t k, int64_t d, int64_t l, void* scratch,
                          std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t n_2 = d * d;
  const CalculateJacobianScratch buffers(scratch, d, k, l, n, n_2);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t i = 0; i < k; ++i) {
    const double* const icf_2 = icf + i * l;
    for (int64_t j = 0; j < d; ++j) {
      for (int64_t t = 0; t < d; ++t) {
        double result;
        if (j < t) {
          result = 0.0;
        } else {
          double result_2;
          if (j == t) {
            result_2 = std::exp(icf_2[j]);
          } else {
            const int64_t sum = d + floor_div((d * 2 - t - 1) * t, int64_t{2});
            result_2 = icf_2[sum + j - t - 1];
          }
          result = result_2;
        }
        buffers.qs[i * (d * d) + j * d + t] = result;
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_2 = 0; t_2 < k; ++t_2) {
    double total = 0.0;
    for (int64_t t_3 = 0; t_3 < d; ++t_3) total += icf[t_2 * l + t_3];
    buffers.log_dets[t_2] = total;
  }
  for (int64_t t_4 = 0; t_4 < n; ++t_4) {
    const double* const x = xs + t_4 * d;
    double largest = -INFINITY;
    int64_t winner = -1;
    for (int64_t t_5 = 0; t_5 < k; ++t_5) {
      const double u = buffers.log_dets[t_5];
      for (int64_t t_6 = 0; t_6 < d; ++t_6) {
        buffers.difference[t_6] = x[t_6] - means[t_5 * d + t_6];
      }
      double total_2 = 0.0;
      for (int64_t t_7 = 0; t_7 < d; ++t_7) {
        double total_3 = 0.0;
        for (int64_t t_8 = 0; t_8 < d; ++t_8) {
          const double x_2 = buffers.difference[t_8];
          const double y = buffers.qs[t_5 * (d * d) + t_7 * d + t_8];
          total_3 += x_2 * y;
        }
        total_2 += total_3 * total_3;
      }
      const double difference_2 = alphas[t_5] + u - 0.5 * total_2;
      if (largest < difference_2) {
        largest = difference_2;
        winner = t_5;
      }
      buffers.xs_kept[t_4 * k + t_5] = difference_2;
    }
    double total_4 = 0.0;
    for (int64_t t_9 = 0; t_9 < k; ++t_9) {
      const double x_3 = buffers.xs_kept[t_4 * k + t_9];
      total_4 += std::exp(x_3 - largest);
    }
    buffers.winner_kept[t_4] = winner;
    buffers.largest_kept[t_4] = largest;
    buffers.total_kept[t_4] = total_4;
  }
  const double converted = static_cast<double>(n);
  double largest_2 = -INFINITY;
  int64_t winner_2 = -1;
  for (int64_t t_10 = 0; t_10 < k; ++t_10) {
    const double y_2 = alphas[t_10];
    if (largest_2 < y_2) {
      largest_2 = y_2;
      winner_2 = t_10;
    }
  }
  double total_5 = 0.0;
  for (int64_t t_11 = 0; t_11 < k; ++t_11) total_5 += std::exp(alphas[t_11] - largest_2);
  const double product = 0.5 * gamma_ * gamma_;
  const double log_dets_adj = -static_cast<double>(m);
  for (int64_t t_12 = 0; t_12 < k; ++t_12) {
    for (int64_t t_13 = 0; t_13 < n_2; ++t_13) {
      const double x_4 = buffers.qs[t_12 * (d * d) + t_13];
      const double term = product * x_4;
      buffers.xs_adj[t_13] = term + term;
    }
    for (int64_t t_14 = 0; t_14 < d; ++t_14) {
      for (int64_t t_15 = 0; t_15 < d; ++t_15) {
        buffers.qs_adj[t_12 * (d * d) + t_14 * d + t_15] = buffers.xs_adj[t_14 * d + t_15];
      }
    }
  }
  const double term_2 = -(converted / total_5);
  double largest_adj = 0.0;
  for (int64_t t_16 = 0; t_16 < k; ++t_16) {
    const double term_3 = term_2 * std::exp(alphas[t_16] - largest_2);
    largest_adj += -term_3;
    alphas_adj[t_16] = term_3;
  }
  const double largest_adj_2 = largest_adj - converted;
  if (winner_2 >= 0 && winner_2 < k) {
    const double sum_2 = alphas_adj[winner_2] + largest_adj_2;
    alphas_adj[winner_2] = sum_2;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_17 = 0; t_17 < k; ++t_17) {
    for (int64_t t_18 = 0; t_18 < d; ++t_18) means_adj[t_17 * d + t_18] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t t_19 = 0; t_19 < k; ++t_19) buffers.log_dets_adj_2[t_19] = log_dets_adj;
  for (int64_t t_20 = 0; t_20 < n; ++t_20) {
    const double* const x_5 = xs + t_20 * d;
    const int64_t winner_3 = buffers.winner_kept[t_20];
    const double largest_3 = buffers.largest_kept[t_20];
    const double total_6 = buffers.total_kept[t_20];
    const double term_4 = 1.0 / total_6;
    double largest_adj_3 = 0.0;
    for (int64_t t_21 = 0; t_21 < k; ++t_21) {
      const double x_6 = buffers.xs_kept[t_20 * k + t_21];
      const double term_5 = term_4 * std::exp(x_6 - largest_3);
      largest_adj_3 += -term_5;
      buffers.xs_adj_2[t_21] = term_5;
    }
    const double largest_adj_4 = 1.0 + largest_adj_3;
    if (winner_3 >= 0 && winner_3 < k) {
      const double sum_3 = buffers.xs_adj_2[winner_3] + largest_adj_4;
      buffers.xs_adj_2[winner_3] = sum_3;
    }
    for (int64_t t_22 = 0; t_22 < k; ++t_22) {
      double* const z = buffers.qs + t_22 * (d * d);
      const double difference_adj = buffers.xs_adj_2[t_22];
      for (int64_t t_23 = 0; t_23 < d; ++t_23) {
        buffers.difference_3[t_23] = x_5[t_23] - means[t_22 * d + t_23];
      }
      const double term_6 = -(difference_adj * 0.5);
      for (int64_t t_24 = 0; t_24 < d; ++t_24) {
        double total_7 = 0.0;
        for (int64_t t_25 = 0; t_25 < d; ++t_25) {
          const double x_7 = buffers.difference_3[t_25];
          const double y_3 = z[t_24 * d + t_25];
          total_7 += x_7 * y_3;
        }
        const double term_7 = term_6 * total_7;
        buffers.xs_adj_3[t_24] = term_7 + term_7;
      }
      for (int64_t t_26 = 0; t_26 < d; ++t_26) buffers.difference_adj_2[t_26] = 0.0;
      for (int64_t t_27 = 0; t_27 < d; ++t_27) {
        const double total_adj = buffers.xs_adj_3[t_27];
        for (int64_t t_28 = 0; t_28 < d; ++t_28) {
          const double y_4 = z[t_27 * d + t_28];
          const double sum_4 = buffers.difference_adj_2[t_28] + total_adj * y_4;
          buffers.difference_adj_2[t_28] = sum_4;
        }
      }
      for (int64_t t_29 = 0; t_29 < d; ++t_29) {
        const double difference_adj_3 = buffers.difference_adj_2[t_29];
        const double sum_5 = means_adj[t_22 * d + t_29] + -difference_adj_3;
        means_adj[t_22 * d + t_29] = sum_5;
      }
      for (int64_t t_30 = 0; t_30 < d; ++t_30) {
        const double total_adj_2 = buffers.xs_adj_3[t_30];
        for (int64_t t_31 = 0; t_31 < d; ++t_31) {
          const double x_8 = buffers.difference_3[t_31];
          const double sum_6 = buffers.qs_adj[t_22 * (d * d) + t_30 * d + t_31] + total_adj_2 * x_8;
          buffers.qs_adj[t_22 * (d * d) + t_30 * d + t_31] = sum_6;
        }
      }
      const double sum_7 = alphas_adj[t_22] + difference_adj;
      alphas_adj[t_22] = sum_7;
      const double sum_8 = buffers.log_dets_adj_2[t_22] + difference_adj;
      buffers.log_dets_adj_2[t_22] = sum_8;
    }
  }
  for (int64_t t_32 = 0; t_32 < k; ++t_32) {
    const double total_adj_3 = buffers.log_dets_adj_2[t_32];
    const double* const icf_3 = icf + t_32 * l;
    double* const xs_adj_4 = buffers.qs_adj + t_32 * (d * d);
    for (int64_t t_33 = 0; t_33 < d; ++t_33) buffers.part_adj[t_33] = 0.0 + total_adj_3;
    for (int64_t t_34 = 0; t_34 < l; ++t_34) buffers.row_adj[t_34] = 0.0;
    for (int64_t t_35 = 0; t_35 < d; ++t_35) buffers.row_adj[t_35] = buffers.part_adj[t_35];
    for (int64_t t_36 = 0; t_36 < l; ++t_36) buffers.icf_adj_2[t_36] = 0.0;
    for (int64_t t_37 = 0; t_37 < d; ++t_37) {
      for (int64_t t_38 = 0; t_38 < d; ++t_38) {
        const double result_adj = xs_adj_4[t_37 * d + t_38];
        if (!(t_37 < t_38)) {
          if (t_37 == t_38) {
            const double sum_9 = buffers.icf_adj_2[t_37] + result_adj * std::exp(icf_3[t_37]);
            buffers.icf_adj_2[t_37] = sum_9;
          } else {
            const int64_t sum_10 = d + floor_div((d * 2 - t_38 - 1) * t_38, int64_t{2});
            const double sum_11 = buffers.icf_adj_2[sum_10 + t_37 - t_38 - 1] + result_adj;
            buffers.icf_adj_2[sum_10 + t_37 - t_38 - 1] = sum_11;
          }
        }
      }
    }
    for (int64_t t_39 = 0; t_39 < l; ++t_39) {
      const double icf_adj_3 = buffers.row_adj[t_39];
      const double icf_adj_4 = buffers.icf_adj_2[t_39];
      icf_adj[t_32 * l + t_39] = icf_adj_3 + icf_adj_4;
    }
  }
  return Status::success;
}

}  // namespace gmm
