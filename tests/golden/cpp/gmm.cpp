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
  for (int64_t s = 0; s < k; ++s) {
    const double* const x = icf + s * l;
    double total = 0.0;
    for (int64_t u = 0; u < d; ++u) total += x[u];
    buffers.log_dets[s] = total;
  }
  double total_2 = 0.0;
  for (int64_t u_2 = 0; u_2 < n; ++u_2) {
    const double* const x_2 = xs + u_2 * d;
    double largest = -INFINITY;
    for (int64_t u_3 = 0; u_3 < k; ++u_3) {
      const double* const y = means + u_3 * d;
      double* const z = buffers.qs + u_3 * (d * d);
      const double u_4 = buffers.log_dets[u_3];
      for (int64_t u_5 = 0; u_5 < d; ++u_5) buffers.difference[u_5] = x_2[u_5] - y[u_5];
      double total_3 = 0.0;
      for (int64_t u_6 = 0; u_6 < d; ++u_6) {
        double* const ys = z + u_6 * d;
        double total_4 = 0.0;
        for (int64_t u_7 = 0; u_7 < d; ++u_7) {
          const double x_3 = buffers.difference[u_7];
          const double y_2 = ys[u_7];
          total_4 += x_3 * y_2;
        }
        total_3 += total_4 * total_4;
      }
      const double difference_2 = alphas[u_3] + u_4 - 0.5 * total_3;
      largest = std::fmax(largest, difference_2);
      buffers.xs_2[u_3] = difference_2;
    }
    double total_5 = 0.0;
    for (int64_t u_8 = 0; u_8 < k; ++u_8) {
      const double x_4 = buffers.xs_2[u_8];
      total_5 += std::exp(x_4 - largest);
    }
    total_2 += largest + std::log(total_5);
  }
  double largest_2 = -INFINITY;
  for (int64_t u_9 = 0; u_9 < k; ++u_9) largest_2 = std::fmax(largest_2, alphas[u_9]);
  double total_6 = 0.0;
  for (int64_t u_10 = 0; u_10 < k; ++u_10) total_6 += std::exp(alphas[u_10] - largest_2);
  const double difference_3 = total_2 - 0.5 * static_cast<double>(d * n) * 1.8378770664093453 -
                              static_cast<double>(n) * (largest_2 + std::log(total_6));
  const double degrees = static_cast<double>(wrapping_add(wrapping_add(d, m), int64_t{1}));
  const double product = 0.5 * degrees;
  double total_7 = 0.0;
  for (int64_t u_11 = 0; u_11 < d; ++u_11) {
    total_7 += std::lgamma(product - 0.5 * static_cast<double>(u_11));
  }
  const double normaliser =
      degrees * static_cast<double>(d) * (std::log(gamma_) - 0.34657359027997264) -
      (0.25 * static_cast<double>(d * (d - 1)) * 1.1447298858494002 + total_7);
  const double product_2 = 0.5 * gamma_ * gamma_;
  const int64_t n_2 = d * d;
  const double converted = static_cast<double>(m);
  double total_8 = 0.0;
  for (int64_t u_12 = 0; u_12 < k; ++u_12) {
    const double y_3 = buffers.log_dets[u_12];
    double total_9 = 0.0;
    for (int64_t u_13 = 0; u_13 < n_2; ++u_13) {
      const double x_5 = buffers.qs[u_12 * (d * d) + u_13];
      total_9 += x_5 * x_5;
    }
    total_8 += product_2 * total_9 - converted * y_3;
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
  for (int64_t s = 0; s < k; ++s) {
    const double* const x = icf + s * l;
    double total = 0.0;
    for (int64_t u = 0; u < d; ++u) total += x[u];
    buffers.log_dets[s] = total;
  }
  for (int64_t u_2 = 0; u_2 < n; ++u_2) {
    const double* const x_2 = xs + u_2 * d;
    double largest = -INFINITY;
    int64_t winner = -1;
    for (int64_t u_3 = 0; u_3 < k; ++u_3) {
      const double* const y = means + u_3 * d;
      double* const z = buffers.qs + u_3 * (d * d);
      const double u_4 = buffers.log_dets[u_3];
      for (int64_t u_5 = 0; u_5 < d; ++u_5) buffers.difference[u_5] = x_2[u_5] - y[u_5];
      double total_2 = 0.0;
      for (int64_t u_6 = 0; u_6 < d; ++u_6) {
        double* const ys = z + u_6 * d;
        double total_3 = 0.0;
        for (int64_t u_7 = 0; u_7 < d; ++u_7) {
          const double x_3 = buffers.difference[u_7];
          const double y_2 = ys[u_7];
          total_3 += x_3 * y_2;
        }
        total_2 += total_3 * total_3;
      }
      const double difference_2 = alphas[u_3] + u_4 - 0.5 * total_2;
      if (largest < difference_2) {
        largest = difference_2;
        winner = u_3;
      }
      buffers.xs_kept[u_2 * k + u_3] = difference_2;
    }
    double total_4 = 0.0;
    for (int64_t u_8 = 0; u_8 < k; ++u_8) {
      const double x_4 = buffers.xs_kept[u_2 * k + u_8];
      total_4 += std::exp(x_4 - largest);
    }
    buffers.winner_kept[u_2] = winner;
    buffers.largest_kept[u_2] = largest;
    buffers.total_kept[u_2] = total_4;
  }
  const double converted = static_cast<double>(n);
  double largest_2 = -INFINITY;
  int64_t winner_2 = -1;
  for (int64_t u_9 = 0; u_9 < k; ++u_9) {
    const double y_3 = alphas[u_9];
    if (largest_2 < y_3) {
      largest_2 = y_3;
      winner_2 = u_9;
    }
  }
  double total_5 = 0.0;
  for (int64_t u_10 = 0; u_10 < k; ++u_10) total_5 += std::exp(alphas[u_10] - largest_2);
  const double product = 0.5 * gamma_ * gamma_;
  const double log_dets_adj = -static_cast<double>(m);
  for (int64_t u_11 = 0; u_11 < k; ++u_11) {
    for (int64_t u_12 = 0; u_12 < n_2; ++u_12) {
      const double x_5 = buffers.qs[u_11 * (d * d) + u_12];
      const double term = product * x_5;
      buffers.xs_adj[u_12] = term + term;
    }
    for (int64_t u_13 = 0; u_13 < d; ++u_13) {
      for (int64_t u_14 = 0; u_14 < d; ++u_14) {
        buffers.qs_adj[u_11 * (d * d) + u_13 * d + u_14] = buffers.xs_adj[u_13 * d + u_14];
      }
    }
  }
  const double term_2 = -(converted / total_5);
  double largest_adj = 0.0;
  for (int64_t u_15 = 0; u_15 < k; ++u_15) {
    const double term_3 = term_2 * std::exp(alphas[u_15] - largest_2);
    largest_adj += -term_3;
    alphas_adj[u_15] = term_3;
  }
  const double largest_adj_2 = largest_adj - converted;
  if (winner_2 >= 0 && winner_2 < k) {
    const double sum_2 = alphas_adj[winner_2] + largest_adj_2;
    alphas_adj[winner_2] = sum_2;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t u_16 = 0; u_16 < k; ++u_16) {
    for (int64_t u_17 = 0; u_17 < d; ++u_17) means_adj[u_16 * d + u_17] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int64_t u_18 = 0; u_18 < k; ++u_18) buffers.log_dets_adj_2[u_18] = log_dets_adj;
  for (int64_t u_19 = 0; u_19 < n; ++u_19) {
    const double* const x_6 = xs + u_19 * d;
    double* const xs_2 = buffers.xs_kept + u_19 * k;
    const int64_t winner_3 = buffers.winner_kept[u_19];
    const double largest_3 = buffers.largest_kept[u_19];
    const double total_6 = buffers.total_kept[u_19];
    const double term_4 = 1.0 / total_6;
    double largest_adj_3 = 0.0;
    for (int64_t u_20 = 0; u_20 < k; ++u_20) {
      const double x_7 = xs_2[u_20];
      const double term_5 = term_4 * std::exp(x_7 - largest_3);
      largest_adj_3 += -term_5;
      buffers.xs_adj_2[u_20] = term_5;
    }
    const double largest_adj_4 = 1.0 + largest_adj_3;
    if (winner_3 >= 0 && winner_3 < k) {
      const double sum_3 = buffers.xs_adj_2[winner_3] + largest_adj_4;
      buffers.xs_adj_2[winner_3] = sum_3;
    }
    for (int64_t u_21 = 0; u_21 < k; ++u_21) {
      const double* const y_4 = means + u_21 * d;
      double* const z_2 = buffers.qs + u_21 * (d * d);
      const double difference_adj = buffers.xs_adj_2[u_21];
      for (int64_t u_22 = 0; u_22 < d; ++u_22) buffers.difference_3[u_22] = x_6[u_22] - y_4[u_22];
      const double term_6 = -(difference_adj * 0.5);
      for (int64_t u_23 = 0; u_23 < d; ++u_23) {
        double* const ys_2 = z_2 + u_23 * d;
        double total_7 = 0.0;
        for (int64_t u_24 = 0; u_24 < d; ++u_24) {
          const double x_8 = buffers.difference_3[u_24];
          const double y_5 = ys_2[u_24];
          total_7 += x_8 * y_5;
        }
        const double term_7 = term_6 * total_7;
        buffers.xs_adj_3[u_23] = term_7 + term_7;
      }
      for (int64_t u_25 = 0; u_25 < d; ++u_25) buffers.difference_adj_2[u_25] = 0.0;
      for (int64_t u_26 = 0; u_26 < d; ++u_26) {
        double* const ys_3 = z_2 + u_26 * d;
        const double total_adj = buffers.xs_adj_3[u_26];
        for (int64_t u_27 = 0; u_27 < d; ++u_27) {
          const double y_6 = ys_3[u_27];
          const double sum_4 = buffers.difference_adj_2[u_27] + total_adj * y_6;
          buffers.difference_adj_2[u_27] = sum_4;
        }
      }
      for (int64_t u_28 = 0; u_28 < d; ++u_28) {
        const double difference_adj_3 = buffers.difference_adj_2[u_28];
        const double sum_5 = means_adj[u_21 * d + u_28] + -difference_adj_3;
        means_adj[u_21 * d + u_28] = sum_5;
      }
      for (int64_t u_29 = 0; u_29 < d; ++u_29) {
        const double total_adj_2 = buffers.xs_adj_3[u_29];
        for (int64_t u_30 = 0; u_30 < d; ++u_30) {
          const double x_9 = buffers.difference_3[u_30];
          const double sum_6 = buffers.qs_adj[u_21 * (d * d) + u_29 * d + u_30] + total_adj_2 * x_9;
          buffers.qs_adj[u_21 * (d * d) + u_29 * d + u_30] = sum_6;
        }
      }
      const double sum_7 = alphas_adj[u_21] + difference_adj;
      alphas_adj[u_21] = sum_7;
      const double sum_8 = buffers.log_dets_adj_2[u_21] + difference_adj;
      buffers.log_dets_adj_2[u_21] = sum_8;
    }
  }
  for (int64_t u_31 = 0; u_31 < k; ++u_31) {
    const double total_adj_3 = buffers.log_dets_adj_2[u_31];
    const double* const icf_3 = icf + u_31 * l;
    double* const xs_adj_4 = buffers.qs_adj + u_31 * (d * d);
    for (int64_t u_32 = 0; u_32 < d; ++u_32) buffers.part_adj[u_32] = 0.0 + total_adj_3;
    for (int64_t u_33 = 0; u_33 < l; ++u_33) buffers.row_adj[u_33] = 0.0;
    for (int64_t u_34 = 0; u_34 < d; ++u_34) buffers.row_adj[u_34] = buffers.part_adj[u_34];
    for (int64_t u_35 = 0; u_35 < l; ++u_35) buffers.icf_adj_2[u_35] = 0.0;
    for (int64_t u_36 = 0; u_36 < d; ++u_36) {
      double* const xs_adj_5 = xs_adj_4 + u_36 * d;
      for (int64_t u_37 = 0; u_37 < d; ++u_37) {
        const double result_adj = xs_adj_5[u_37];
        if (!(u_36 < u_37)) {
          if (u_36 == u_37) {
            const double sum_9 = buffers.icf_adj_2[u_36] + result_adj * std::exp(icf_3[u_36]);
            buffers.icf_adj_2[u_36] = sum_9;
          } else {
            const int64_t sum_10 = d + floor_div((d * 2 - u_37 - 1) * u_37, int64_t{2});
            const double sum_11 = buffers.icf_adj_2[sum_10 + u_36 - u_37 - 1] + result_adj;
            buffers.icf_adj_2[sum_10 + u_36 - u_37 - 1] = sum_11;
          }
        }
      }
    }
    for (int64_t u_38 = 0; u_38 < l; ++u_38) {
      const double icf_adj_3 = buffers.row_adj[u_38];
      const double icf_adj_4 = buffers.icf_adj_2[u_38];
      icf_adj[u_31 * l + u_38] = icf_adj_3 + icf_adj_4;
    }
  }
  return Status::success;
}

}  // namespace gmm
