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

#include <algorithm>
#include <cmath>

namespace gmm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Loops that workers share are divided into at most so many parts.
constexpr int64_t max_parts = 64;

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
  double* xs_2;        // [parts][k]
  double* difference;  // [parts][d]
  std::size_t bytes;

  CalculateObjectiveScratch(void* memory, int64_t d, int64_t k, int64_t parts) {
    Scratch scratch(memory);
    qs = scratch.take<double>(k * d * d);
    log_dets = scratch.take<double>(k);
    xs_2 = scratch.take<double>(parts * k);
    difference = scratch.take<double>(parts * d);
    bytes = scratch.bytes();
  }
};

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch {
  double* qs;                     // [k][d][d]
  double* log_dets;               // [k]
  double* xs_kept;                // [n][k]
  int64_t* winner_kept;           // [n]
  double* largest_kept;           // [n]
  double* total_kept;             // [n]
  double* difference;             // [parts][d]
  double* qs_adj;                 // [k][d][d]
  double* xs_adj;                 // [parts_4][n_2]
  double* log_dets_adj_2;         // [k]
  double* alphas_adj_of_parts;    // [parts_6 - 1][k]
  double* means_adj_of_parts;     // [parts_6 - 1][k][d]
  double* qs_adj_of_parts;        // [parts_6 - 1][k][d][d]
  double* log_dets_adj_of_parts;  // [parts_6 - 1][k]
  double* xs_adj_2;               // [parts_6][k]
  double* difference_3;           // [parts_6][d]
  double* xs_adj_3;               // [parts_6][d]
  double* difference_adj_2;       // [parts_6][d]
  double* part_adj;               // [parts_7][d]
  double* row_adj;                // [parts_7][l]
  double* icf_adj_2;              // [parts_7][l]
  std::size_t bytes;

  CalculateJacobianScratch(void* memory, int64_t d, int64_t k, int64_t l, int64_t n, int64_t n_2,
                           int64_t parts, int64_t parts_4, int64_t parts_6, int64_t parts_7) {
    Scratch scratch(memory);
    qs = scratch.take<double>(k * d * d);
    log_dets = scratch.take<double>(k);
    xs_kept = scratch.take<double>(n * k);
    winner_kept = scratch.take<int64_t>(n);
    largest_kept = scratch.take<double>(n);
    total_kept = scratch.take<double>(n);
    difference = scratch.take<double>(parts * d);
    qs_adj = scratch.take<double>(k * d * d);
    xs_adj = scratch.take<double>(parts_4 * n_2);
    log_dets_adj_2 = scratch.take<double>(k);
    alphas_adj_of_parts = scratch.take<double>((parts_6 - 1) * k);
    means_adj_of_parts = scratch.take<double>((parts_6 - 1) * k * d);
    qs_adj_of_parts = scratch.take<double>((parts_6 - 1) * k * d * d);
    log_dets_adj_of_parts = scratch.take<double>((parts_6 - 1) * k);
    xs_adj_2 = scratch.take<double>(parts_6 * k);
    difference_3 = scratch.take<double>(parts_6 * d);
    xs_adj_3 = scratch.take<double>(parts_6 * d);
    difference_adj_2 = scratch.take<double>(parts_6 * d);
    part_adj = scratch.take<double>(parts_7 * d);
    row_adj = scratch.take<double>(parts_7 * l);
    icf_adj_2 = scratch.take<double>(parts_7 * l);
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
  const int64_t parts = parts_for(n, 10 * d * d * k, 0, k + d);
  *bytes = CalculateObjectiveScratch(nullptr, d, k, parts).bytes;
  return Status::success;
}

Status calculate_objective(double* __restrict__ sum, const double* __restrict__ alphas,
                           const double* __restrict__ means, const double* __restrict__ icf,
                           const double* __restrict__ xs, double gamma_, int64_t m, int64_t n,
                           int64_t k, int64_t d, int64_t l, void* scratch,
                           std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 10 * d * d * k, 0, k + d);
  const CalculateObjectiveScratch buffers(scratch, d, k, parts);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 22 * d * d) > 1)
#endif
  for (int64_t i = 0; i < k; ++i) {
    const double* const icf_2 = icf + i * l;
    for (int64_t j = 0; j < d; ++j) {
      for (int64_t t = 0; t < d; ++t) {
        if (j < t) {
          buffers.qs[i * (d * d) + j * d + t] = 0.0;
        } else if (j == t) {
          buffers.qs[i * (d * d) + j * d + t] = std::exp(icf_2[j]);
        } else {
          const int64_t sum_2 = d + floor_div((d * 2 - t - 1) * t, int64_t{2});
          buffers.qs[i * (d * d) + j * d + t] = icf_2[sum_2 + j - t - 1];
        }
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 5 * d) > 1)
#endif
  for (int64_t s = 0; s < k; ++s) {
    const double* const x = icf + s * l;
    double total = 0.0;
    for (int64_t u = 0; u < d; ++u) total += x[u];
    buffers.log_dets[s] = total;
  }
  double total_of_parts[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  for (int64_t part = 0; part < parts; ++part) {
    double* const xs_2 = buffers.xs_2 + part * k;
    double* const difference = buffers.difference + part * d;
    // The points of the part, in order.
    const int64_t begin = part * n / parts;
    const int64_t end = (part + 1) * n / parts;
    double total_2 = 0.0;
    for (int64_t u_2 = begin; u_2 < end; ++u_2) {
      const double* const x_2 = xs + u_2 * d;
      double largest = -INFINITY;
      for (int64_t u_3 = 0; u_3 < k; ++u_3) {
        const double* const y = means + u_3 * d;
        double* const z = buffers.qs + u_3 * (d * d);
        const double u_4 = buffers.log_dets[u_3];
        for (int64_t u_5 = 0; u_5 < d; ++u_5) difference[u_5] = x_2[u_5] - y[u_5];
        double total_3 = 0.0;
        for (int64_t u_6 = 0; u_6 < d; ++u_6) {
          double* const ys = z + u_6 * d;
          double total_4 = 0.0;
          for (int64_t u_7 = 0; u_7 < d; ++u_7) {
            const double x_3 = difference[u_7];
            const double y_2 = ys[u_7];
            total_4 += x_3 * y_2;
          }
          total_3 += total_4 * total_4;
        }
        const double difference_2 = alphas[u_3] + u_4 - 0.5 * total_3;
        largest = std::fmax(largest, difference_2);
        xs_2[u_3] = difference_2;
      }
      double total_5 = 0.0;
      for (int64_t u_8 = 0; u_8 < k; ++u_8) {
        const double x_4 = xs_2[u_8];
        total_5 += std::exp(x_4 - largest);
      }
      total_2 += largest + std::log(total_5);
    }
    total_of_parts[part] = total_2;
  }
  // The parts, in their order.
  double total_6 = total_of_parts[0];
  for (int64_t part = 1; part < parts; ++part) total_6 += total_of_parts[part];
  const int64_t parts_2 = parts_for(k, 5);
  double largest_of_parts[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_2 > 1)
#endif
  for (int64_t part_2 = 0; part_2 < parts_2; ++part_2) {
    // The points of the part, in order.
    const int64_t begin_2 = part_2 * k / parts_2;
    const int64_t end_2 = (part_2 + 1) * k / parts_2;
    double largest_2 = -INFINITY;
    for (int64_t u_9 = begin_2; u_9 < end_2; ++u_9) largest_2 = std::fmax(largest_2, alphas[u_9]);
    largest_of_parts[part_2] = largest_2;
  }
  // The parts, in their order.
  double largest_3 = largest_of_parts[0];
  for (int64_t part_2 = 1; part_2 < parts_2; ++part_2) {
    largest_3 = std::fmax(largest_3, largest_of_parts[part_2]);
  }
  const int64_t parts_3 = parts_for(k, 22);
  double total_of_parts_2[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_3 > 1)
#endif
  for (int64_t part_3 = 0; part_3 < parts_3; ++part_3) {
    // The points of the part, in order.
    const int64_t begin_3 = part_3 * k / parts_3;
    const int64_t end_3 = (part_3 + 1) * k / parts_3;
    double total_7 = 0.0;
    for (int64_t u_10 = begin_3; u_10 < end_3; ++u_10) {
      total_7 += std::exp(alphas[u_10] - largest_3);
    }
    total_of_parts_2[part_3] = total_7;
  }
  // The parts, in their order.
  double total_8 = total_of_parts_2[0];
  for (int64_t part_3 = 1; part_3 < parts_3; ++part_3) total_8 += total_of_parts_2[part_3];
  const double difference_3 = total_6 - 0.5 * static_cast<double>(d * n) * 1.8378770664093453 -
                              static_cast<double>(n) * (largest_3 + std::log(total_8));
  const double degrees = static_cast<double>(wrapping_add(wrapping_add(d, m), int64_t{1}));
  const double product = 0.5 * degrees;
  const int64_t parts_4 = parts_for(d, 36);
  double total_of_parts_3[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_4 > 1)
#endif
  for (int64_t part_4 = 0; part_4 < parts_4; ++part_4) {
    // The points of the part, in order.
    const int64_t begin_4 = part_4 * d / parts_4;
    const int64_t end_4 = (part_4 + 1) * d / parts_4;
    double total_9 = 0.0;
    for (int64_t u_11 = begin_4; u_11 < end_4; ++u_11) {
      total_9 += std::lgamma(product - 0.5 * static_cast<double>(u_11));
    }
    total_of_parts_3[part_4] = total_9;
  }
  // The parts, in their order.
  double total_10 = total_of_parts_3[0];
  for (int64_t part_4 = 1; part_4 < parts_4; ++part_4) total_10 += total_of_parts_3[part_4];
  const double normaliser =
      degrees * static_cast<double>(d) * (std::log(gamma_) - 0.34657359027997264) -
      (0.25 * static_cast<double>(d * (d - 1)) * 1.1447298858494002 + total_10);
  const double product_2 = 0.5 * gamma_ * gamma_;
  const int64_t n_2 = d * d;
  const double converted = static_cast<double>(m);
  const int64_t parts_5 = parts_for(k, 6 * n_2);
  double total_of_parts_4[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_5 > 1)
#endif
  for (int64_t part_5 = 0; part_5 < parts_5; ++part_5) {
    // The points of the part, in order.
    const int64_t begin_5 = part_5 * k / parts_5;
    const int64_t end_5 = (part_5 + 1) * k / parts_5;
    double total_11 = 0.0;
    for (int64_t u_12 = begin_5; u_12 < end_5; ++u_12) {
      const double y_3 = buffers.log_dets[u_12];
      double total_12 = 0.0;
      for (int64_t u_13 = 0; u_13 < n_2; ++u_13) {
        const double x_5 = buffers.qs[u_12 * (d * d) + u_13];
        total_12 += x_5 * x_5;
      }
      total_11 += product_2 * total_12 - converted * y_3;
    }
    total_of_parts_4[part_5] = total_11;
  }
  // The parts, in their order.
  double total_13 = total_of_parts_4[0];
  for (int64_t part_5 = 1; part_5 < parts_5; ++part_5) total_13 += total_of_parts_4[part_5];
  sum[0] = difference_3 + (total_13 - static_cast<double>(k) * normaliser);
  return Status::success;
}

Status calculate_jacobian_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                  int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 10 * d * d * k, 0, d);
  const int64_t n_2 = d * d;
  const int64_t parts_4 = parts_for(k, 6 * n_2, 0, n_2);
  const int64_t parts_6 = parts_for(n, 52 * d * d * k, k + k * d + k * d * d + k, k + d + d + d);
  const int64_t parts_7 = parts_for(k, 43 * d * d + 9 * l, 0, d + l + l);
  *bytes =
      CalculateJacobianScratch(nullptr, d, k, l, n, n_2, parts, parts_4, parts_6, parts_7).bytes;
  return Status::success;
}

Status calculate_jacobian(double* __restrict__ alphas_adj, double* __restrict__ means_adj,
                          double* __restrict__ icf_adj, const double* __restrict__ alphas,
                          const double* __restrict__ means, const double* __restrict__ icf,
                          const double* __restrict__ xs, double gamma_, int64_t m, int64_t n,
                          int64_t k, int64_t d, int64_t l, void* scratch,
                          std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 10 * d * d * k, 0, d);
  const int64_t n_2 = d * d;
  const int64_t parts_4 = parts_for(k, 6 * n_2, 0, n_2);
  const int64_t parts_6 = parts_for(n, 52 * d * d * k, k + k * d + k * d * d + k, k + d + d + d);
  const int64_t parts_7 = parts_for(k, 43 * d * d + 9 * l, 0, d + l + l);
  const CalculateJacobianScratch buffers(scratch, d, k, l, n, n_2, parts, parts_4, parts_6,
                                         parts_7);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 22 * d * d) > 1)
#endif
  for (int64_t i = 0; i < k; ++i) {
    const double* const icf_2 = icf + i * l;
    for (int64_t j = 0; j < d; ++j) {
      for (int64_t t = 0; t < d; ++t) {
        if (j < t) {
          buffers.qs[i * (d * d) + j * d + t] = 0.0;
        } else if (j == t) {
          buffers.qs[i * (d * d) + j * d + t] = std::exp(icf_2[j]);
        } else {
          const int64_t sum = d + floor_div((d * 2 - t - 1) * t, int64_t{2});
          buffers.qs[i * (d * d) + j * d + t] = icf_2[sum + j - t - 1];
        }
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 5 * d) > 1)
#endif
  for (int64_t s = 0; s < k; ++s) {
    const double* const x = icf + s * l;
    double total = 0.0;
    for (int64_t u = 0; u < d; ++u) total += x[u];
    buffers.log_dets[s] = total;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  for (int64_t part = 0; part < parts; ++part) {
    double* const difference = buffers.difference + part * d;
    const int64_t begin = part * n / parts;
    const int64_t end = (part + 1) * n / parts;
    for (int64_t u_2 = begin; u_2 < end; ++u_2) {
      const double* const x_2 = xs + u_2 * d;
      double largest = -INFINITY;
      int64_t winner = -1;
      for (int64_t u_3 = 0; u_3 < k; ++u_3) {
        const double* const y = means + u_3 * d;
        double* const z = buffers.qs + u_3 * (d * d);
        const double u_4 = buffers.log_dets[u_3];
        for (int64_t u_5 = 0; u_5 < d; ++u_5) difference[u_5] = x_2[u_5] - y[u_5];
        double total_2 = 0.0;
        for (int64_t u_6 = 0; u_6 < d; ++u_6) {
          double* const ys = z + u_6 * d;
          double total_3 = 0.0;
          for (int64_t u_7 = 0; u_7 < d; ++u_7) {
            const double x_3 = difference[u_7];
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
  }
  const double converted = static_cast<double>(n);
  const int64_t parts_2 = parts_for(k, 11);
  double largest_of_parts[max_parts];
  int64_t winner_of_parts[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_2 > 1)
#endif
  for (int64_t part_2 = 0; part_2 < parts_2; ++part_2) {
    // The points of the part, in order.
    const int64_t begin_2 = part_2 * k / parts_2;
    const int64_t end_2 = (part_2 + 1) * k / parts_2;
    double largest_2 = -INFINITY;
    int64_t winner_2 = -1;
    for (int64_t u_9 = begin_2; u_9 < end_2; ++u_9) {
      const double y_3 = alphas[u_9];
      if (largest_2 < y_3) {
        largest_2 = y_3;
        winner_2 = u_9;
      }
    }
    largest_of_parts[part_2] = largest_2;
    winner_of_parts[part_2] = winner_2;
  }
  // The parts, in their order.
  double largest_3 = largest_of_parts[0];
  int64_t winner_3 = winner_of_parts[0];
  for (int64_t part_2 = 1; part_2 < parts_2; ++part_2) {
    const double y_4 = largest_of_parts[part_2];
    const int64_t j_2 = winner_of_parts[part_2];
    const bool wins =
        largest_3 < y_4 || (largest_3 == y_4 && j_2 < winner_3) || largest_3 != largest_3;
    if (wins) {
      largest_3 = y_4;
      winner_3 = j_2;
    }
  }
  const int64_t parts_3 = parts_for(k, 22);
  double total_of_parts[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_3 > 1)
#endif
  for (int64_t part_3 = 0; part_3 < parts_3; ++part_3) {
    // The points of the part, in order.
    const int64_t begin_3 = part_3 * k / parts_3;
    const int64_t end_3 = (part_3 + 1) * k / parts_3;
    double total_5 = 0.0;
    for (int64_t u_10 = begin_3; u_10 < end_3; ++u_10) {
      total_5 += std::exp(alphas[u_10] - largest_3);
    }
    total_of_parts[part_3] = total_5;
  }
  // The parts, in their order.
  double total_6 = total_of_parts[0];
  for (int64_t part_3 = 1; part_3 < parts_3; ++part_3) total_6 += total_of_parts[part_3];
  const double product = 0.5 * gamma_ * gamma_;
  const double log_dets_adj = -static_cast<double>(m);
#ifdef _OPENMP
#pragma omp parallel for if (parts_4 > 1)
#endif
  for (int64_t part_4 = 0; part_4 < parts_4; ++part_4) {
    double* const xs_adj = buffers.xs_adj + part_4 * n_2;
    const int64_t begin_4 = part_4 * k / parts_4;
    const int64_t end_4 = (part_4 + 1) * k / parts_4;
    for (int64_t u_11 = begin_4; u_11 < end_4; ++u_11) {
      for (int64_t u_12 = 0; u_12 < n_2; ++u_12) {
        const double x_5 = buffers.qs[u_11 * (d * d) + u_12];
        const double term = product * x_5;
        xs_adj[u_12] = term + term;
      }
      for (int64_t u_13 = 0; u_13 < d; ++u_13) {
        for (int64_t u_14 = 0; u_14 < d; ++u_14) {
          buffers.qs_adj[u_11 * (d * d) + u_13 * d + u_14] = xs_adj[u_13 * d + u_14];
        }
      }
    }
  }
  const double term_2 = -(converted / total_6);
  const int64_t parts_5 = parts_for(k, 24);
  double largest_adj_of_parts[max_parts];
#ifdef _OPENMP
#pragma omp parallel for if (parts_5 > 1)
#endif
  for (int64_t part_5 = 0; part_5 < parts_5; ++part_5) {
    // The points of the part, in order.
    const int64_t begin_5 = part_5 * k / parts_5;
    const int64_t end_5 = (part_5 + 1) * k / parts_5;
    double largest_adj = 0.0;
    for (int64_t u_15 = begin_5; u_15 < end_5; ++u_15) {
      const double term_3 = term_2 * std::exp(alphas[u_15] - largest_3);
      largest_adj += -term_3;
      alphas_adj[u_15] = term_3;
    }
    largest_adj_of_parts[part_5] = largest_adj;
  }
  // The parts, in their order.
  double largest_adj_2 = largest_adj_of_parts[0];
  for (int64_t part_5 = 1; part_5 < parts_5; ++part_5) {
    largest_adj_2 += largest_adj_of_parts[part_5];
  }
  const double largest_adj_3 = largest_adj_2 - converted;
  if (winner_3 >= 0 && winner_3 < k) alphas_adj[winner_3] += largest_adj_3;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 4 * d) > 1)
#endif
  for (int64_t u_16 = 0; u_16 < k; ++u_16) {
    for (int64_t u_17 = 0; u_17 < d; ++u_17) means_adj[u_16 * d + u_17] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 4) > 1)
#endif
  for (int64_t u_18 = 0; u_18 < k; ++u_18) buffers.log_dets_adj_2[u_18] = log_dets_adj;
#ifdef _OPENMP
#pragma omp parallel for if (parts_6 > 1)
#endif
  for (int64_t part_6 = 0; part_6 < parts_6; ++part_6) {
    double* const xs_adj_2 = buffers.xs_adj_2 + part_6 * k;
    double* const difference_3 = buffers.difference_3 + part_6 * d;
    double* const xs_adj_3 = buffers.xs_adj_3 + part_6 * d;
    double* const difference_adj_2 = buffers.difference_adj_2 + part_6 * d;
    // The first part adds to the result itself, the others to copies.
    double* const own_alphas_adj =
        part_6 == 0 ? alphas_adj : buffers.alphas_adj_of_parts + (part_6 - 1) * k;
    if (part_6 > 0) {
      for (int64_t u_19 = 0; u_19 < k; ++u_19) own_alphas_adj[u_19] = 0.0;
    }
    double* const own_means_adj =
        part_6 == 0 ? means_adj : buffers.means_adj_of_parts + (part_6 - 1) * (k * d);
    if (part_6 > 0) {
      for (int64_t u_20 = 0; u_20 < k; ++u_20) {
        for (int64_t u_21 = 0; u_21 < d; ++u_21) own_means_adj[u_20 * d + u_21] = 0.0;
      }
    }
    double* const own_qs_adj =
        part_6 == 0 ? buffers.qs_adj : buffers.qs_adj_of_parts + (part_6 - 1) * (k * (d * d));
    if (part_6 > 0) {
      for (int64_t u_22 = 0; u_22 < k; ++u_22) {
        for (int64_t u_23 = 0; u_23 < d; ++u_23) {
          for (int64_t u_24 = 0; u_24 < d; ++u_24) {
            own_qs_adj[u_22 * (d * d) + u_23 * d + u_24] = 0.0;
          }
        }
      }
    }
    double* const own_log_dets_adj =
        part_6 == 0 ? buffers.log_dets_adj_2 : buffers.log_dets_adj_of_parts + (part_6 - 1) * k;
    if (part_6 > 0) {
      for (int64_t u_25 = 0; u_25 < k; ++u_25) own_log_dets_adj[u_25] = 0.0;
    }
    // The points of the part, in order.
    const int64_t begin_6 = part_6 * n / parts_6;
    const int64_t end_6 = (part_6 + 1) * n / parts_6;
    for (int64_t u_26 = begin_6; u_26 < end_6; ++u_26) {
      const double* const x_6 = xs + u_26 * d;
      double* const xs_2 = buffers.xs_kept + u_26 * k;
      const int64_t winner_4 = buffers.winner_kept[u_26];
      const double largest_4 = buffers.largest_kept[u_26];
      const double total_7 = buffers.total_kept[u_26];
      const double term_4 = 1.0 / total_7;
      double largest_adj_4 = 0.0;
      for (int64_t u_27 = 0; u_27 < k; ++u_27) {
        const double x_7 = xs_2[u_27];
        const double term_5 = term_4 * std::exp(x_7 - largest_4);
        largest_adj_4 += -term_5;
        xs_adj_2[u_27] = term_5;
      }
      const double largest_adj_5 = 1.0 + largest_adj_4;
      if (winner_4 >= 0 && winner_4 < k) xs_adj_2[winner_4] += largest_adj_5;
      for (int64_t u_28 = 0; u_28 < k; ++u_28) {
        const double* const y_5 = means + u_28 * d;
        double* const z_2 = buffers.qs + u_28 * (d * d);
        const double difference_adj = xs_adj_2[u_28];
        for (int64_t u_29 = 0; u_29 < d; ++u_29) difference_3[u_29] = x_6[u_29] - y_5[u_29];
        const double term_6 = -(difference_adj * 0.5);
        for (int64_t u_30 = 0; u_30 < d; ++u_30) {
          double* const ys_2 = z_2 + u_30 * d;
          double total_8 = 0.0;
          for (int64_t u_31 = 0; u_31 < d; ++u_31) {
            const double x_8 = difference_3[u_31];
            const double y_6 = ys_2[u_31];
            total_8 += x_8 * y_6;
          }
          const double term_7 = term_6 * total_8;
          xs_adj_3[u_30] = term_7 + term_7;
        }
        for (int64_t u_32 = 0; u_32 < d; ++u_32) difference_adj_2[u_32] = 0.0;
        for (int64_t u_33 = 0; u_33 < d; ++u_33) {
          double* const ys_3 = z_2 + u_33 * d;
          const double total_adj = xs_adj_3[u_33];
          for (int64_t u_34 = 0; u_34 < d; ++u_34) {
            const double y_7 = ys_3[u_34];
            difference_adj_2[u_34] += total_adj * y_7;
          }
        }
        for (int64_t u_35 = 0; u_35 < d; ++u_35) {
          const double difference_adj_3 = difference_adj_2[u_35];
          own_means_adj[u_28 * d + u_35] += -difference_adj_3;
        }
        for (int64_t u_36 = 0; u_36 < d; ++u_36) {
          const double total_adj_2 = xs_adj_3[u_36];
          for (int64_t u_37 = 0; u_37 < d; ++u_37) {
            const double x_9 = difference_3[u_37];
            own_qs_adj[u_28 * (d * d) + u_36 * d + u_37] += total_adj_2 * x_9;
          }
        }
        own_alphas_adj[u_28] += difference_adj;
        own_log_dets_adj[u_28] += difference_adj;
      }
    }
  }
  // What the other parts have added, in their order.
  if (parts_6 > 1) {
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, parts_6 * 4) > 1)
#endif
    for (int64_t u_38 = 0; u_38 < k; ++u_38) {
      for (int64_t part_6 = 1; part_6 < parts_6; ++part_6) {
        alphas_adj[u_38] += buffers.alphas_adj_of_parts[(part_6 - 1) * k + u_38];
      }
    }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, parts_6 * (4 * d)) > 1)
#endif
    for (int64_t u_39 = 0; u_39 < k; ++u_39) {
      for (int64_t part_6 = 1; part_6 < parts_6; ++part_6) {
        for (int64_t u_40 = 0; u_40 < d; ++u_40) {
          means_adj[u_39 * d + u_40] +=
              buffers.means_adj_of_parts[(part_6 - 1) * (k * d) + u_39 * d + u_40];
        }
      }
    }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, parts_6 * (4 * (d * d))) > 1)
#endif
    for (int64_t u_41 = 0; u_41 < k; ++u_41) {
      for (int64_t part_6 = 1; part_6 < parts_6; ++part_6) {
        for (int64_t u_42 = 0; u_42 < d; ++u_42) {
          for (int64_t u_43 = 0; u_43 < d; ++u_43) {
            buffers.qs_adj[u_41 * (d * d) + u_42 * d + u_43] +=
                buffers.qs_adj_of_parts[(part_6 - 1) * (k * (d * d)) + u_41 * (d * d) + u_42 * d +
                                        u_43];
          }
        }
      }
    }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, parts_6 * 4) > 1)
#endif
    for (int64_t u_44 = 0; u_44 < k; ++u_44) {
      for (int64_t part_6 = 1; part_6 < parts_6; ++part_6) {
        buffers.log_dets_adj_2[u_44] += buffers.log_dets_adj_of_parts[(part_6 - 1) * k + u_44];
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_7 > 1)
#endif
  for (int64_t part_7 = 0; part_7 < parts_7; ++part_7) {
    double* const part_adj = buffers.part_adj + part_7 * d;
    double* const row_adj = buffers.row_adj + part_7 * l;
    double* const icf_adj_2 = buffers.icf_adj_2 + part_7 * l;
    const int64_t begin_7 = part_7 * k / parts_7;
    const int64_t end_7 = (part_7 + 1) * k / parts_7;
    for (int64_t u_45 = begin_7; u_45 < end_7; ++u_45) {
      const double total_adj_3 = buffers.log_dets_adj_2[u_45];
      const double* const icf_3 = icf + u_45 * l;
      double* const xs_adj_4 = buffers.qs_adj + u_45 * (d * d);
      for (int64_t u_46 = 0; u_46 < d; ++u_46) part_adj[u_46] = 0.0 + total_adj_3;
      for (int64_t u_47 = 0; u_47 < l; ++u_47) row_adj[u_47] = 0.0;
      for (int64_t u_48 = 0; u_48 < d; ++u_48) row_adj[u_48] = part_adj[u_48];
      for (int64_t u_49 = 0; u_49 < l; ++u_49) icf_adj_2[u_49] = 0.0;
      for (int64_t u_50 = 0; u_50 < d; ++u_50) {
        double* const xs_adj_5 = xs_adj_4 + u_50 * d;
        for (int64_t u_51 = 0; u_51 < d; ++u_51) {
          const double result_adj = xs_adj_5[u_51];
          if (!(u_50 < u_51)) {
            if (u_50 == u_51) {
              icf_adj_2[u_50] += result_adj * std::exp(icf_3[u_50]);
            } else {
              const int64_t sum_2 = d + floor_div((d * 2 - u_51 - 1) * u_51, int64_t{2});
              icf_adj_2[sum_2 + u_50 - u_51 - 1] += result_adj;
            }
          }
        }
      }
      for (int64_t u_52 = 0; u_52 < l; ++u_52) {
        const double icf_adj_3 = row_adj[u_52];
        const double icf_adj_4 = icf_adj_2[u_52];
        icf_adj[u_45 * l + u_52] = icf_adj_3 + icf_adj_4;
      }
    }
  }
  return Status::success;
}

}  // namespace gmm
