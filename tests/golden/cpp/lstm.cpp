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
#include <cstring>
#include <limits>
#include <type_traits>

namespace lstm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Workers share a loop in parts of at least so much work, in additions.
constexpr int64_t least_part_work = 1 << 15;

/// Loops that workers share are divided into at most so many parts.
constexpr int64_t max_parts = 64;

/// Elements of all parts together. More of them would let more workers share loops whose parts are large.
constexpr int64_t max_room = int64_t{1} << 22;

/// How many parts have `room` elements each for themselves: a power of two, so that two workers, or four, get equally many.
int64_t most_parts(int64_t room) {
  int64_t parts = 1;
  while (2 * parts <= max_parts && 2 * parts <= max_room / std::max(room, int64_t{1})) parts *= 2;
  return parts;
}

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

#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#endif

/// Into how many parts to divide a loop over `points`, each of about `work` additions: as many as
/// pay, for filling and collecting the `cells` that each part has for itself, too; besides these it
/// needs some `room`. Sizes alone decide, so that results do not depend on the number of workers.
/// Without OpenMP it may be that nobody asks.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = least_part_work * std::max(cells / 16, int64_t{1});
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

/// (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2.
[[gnu::always_inline]] inline double exp_tail(double r) {
  // In parts that do not wait for each other.
  const double r2 = r * r, r4 = r2 * r2;
  const double low =
      (0.5 + 0x1.5555555555557p-3 * r) + r2 * (0x1.5555555555556p-5 + 0x1.11111111100bep-7 * r);
  const double middle = (0x1.6c16c16c162c3p-10 + 0x1.a01a01abf85abp-13 * r) +
                        r2 * (0x1.a01a01a6e1e2ap-16 + 0x1.71de01fdbf9cap-19 * r);
  const double high =
      (0x1.27e4db46cddd1p-22 + 0x1.af4e554377204p-26 * r) + r2 * 0x1.1f7340dbc337ep-29;
  return low + r4 * (middle + r4 * high);
}

/// The integer next to x, an even one of two; x is less than 2^51.
[[gnu::always_inline]] inline double nearest_integer(double x) {
  const double shift = 0x1.8p52;
  return (x + shift) - shift;
}

/// The value of type To that has the bits of `from`.
template <typename To, typename From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// 2^n for an integer n from -1023 (then 0) to 1024 (then infinity).
[[gnu::always_inline]] inline double power_of_two(double n) {
  // The lowest bits of this sum are n + 1023, the exponent as doubles keep it.
  const double sum = n + (0x1.8p52 + 1023);
  return bits_as<double>(bits_as<uint64_t>(sum) << 52);
}

/// `yes` if the sign bit of `sign` is set, as it is in a difference a - b where a < b; otherwise
/// `no`.
template <typename T>
[[gnu::always_inline]] inline T select_by_sign(T sign, T yes, T no) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  const Bits mask = Bits{0} - (bits_as<Bits>(sign) >> (8 * sizeof(T) - 1));
  return bits_as<T>((bits_as<Bits>(yes) & mask) | (bits_as<Bits>(no) & ~mask));
}

/// exp(x) * 2^shift for an integer |shift| <= 8; error below 1 ulp.
[[gnu::always_inline]] inline double scaled_exp(double x, double shift) {
  const double inverse_log2 = 0x1.71547652b82fep+0;  // 1 / log(2)
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const double magnitude = std::fabs(x);
  const double limit = 752.0;  // beyond it the result is 0 or infinity
  const double bounded = std::copysign(select_by_sign(limit - magnitude, limit, magnitude), x);
  const double n = nearest_integer(bounded * inverse_log2);
  const double r = (bounded - n * log2_upper) - n * log2_lower;
  const double power = 1.0 + (r + r * r * exp_tail(r));
  const double half = nearest_integer(0.5 * n);  // 2^n alone may overflow or be subnormal
  return power * power_of_two(half) * power_of_two(n - half + shift);
}

/// exp(x), without branches or calls; error below 1 ulp.
[[gnu::always_inline]] inline double vector_exp(double x) { return scaled_exp(x, 0.0); }

/// The logarithm of x: `log` if x is positive and finite, otherwise what the library has.
template <typename T>
[[gnu::always_inline]] inline T log_or_limit(T x, T log) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  // As integers, infinity and NaN are more than the largest number.
  const T finite = bits_as<T>(bits_as<Bits>(Limits::max()) - bits_as<Bits>(x));
  const T or_infinite = select_by_sign(finite, x, log);
  const T or_negative = select_by_sign(x, Limits::quiet_NaN(), or_infinite);
  return select_by_sign(std::fabs(x) - Limits::denorm_min(), -Limits::infinity(), or_negative);
}

/// x = 2^k * (1 + f) for a positive finite x, and log(1 + f) = f - less.
struct LogParts {
  double k, f, less;

  [[gnu::always_inline]] explicit LogParts(double x) {
    const double normal = x - 0x1p-1022;  // negative if x is subnormal
    const double scaled = x * 0x1p54;
    const uint64_t bits = bits_as<uint64_t>(select_by_sign(normal, scaled, x));
    // Counted from sqrt(1/2), the exponent changes where 1 + f is to start again.
    const uint64_t root = 0x3fe6a09e00000000, one = 0x3ff0000000000000;
    const uint64_t counted = bits + (one - root);
    const uint64_t mantissa = counted & 0x000fffffffffffff;
    // The exponent as the last bits of 2^52 + exponent, which is a double.
    const double exponent = bits_as<double>((counted >> 52) | 0x4330000000000000);
    k = exponent - (0x1p52 + 1023) - select_by_sign(normal, 54.0, 0.0);
    f = bits_as<double>(mantissa + root) - 1.0;

    const double s = f / (2.0 + f);
    const double z = s * s;
    // In parts that do not wait for each other.
    const double z2 = z * z;
    const double low = 0x1.5555555555558p-1 + 0x1.9999999995204p-2 * z;
    const double middle = 0x1.2492492e09d4dp-2 + 0x1.c71c62c639fdep-3 * z;
    const double high =
        (0x1.7462bd8f7796ep-3 + 0x1.39fd392179a95p-3 * z) + z2 * 0x1.2b6688a387e03p-3;
    const double sum = low + z2 * (middle + z2 * high);
    const double square = 0.5 * f * f;
    less = square - s * (square + z * sum);
  }
};

/// log(x), without branches or calls; error below 1 ulp.
[[gnu::always_inline]] inline double vector_log(double x) {
  // k times the upper 40 bits of log(2) is exact.
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const LogParts parts(x);
  const double small = parts.f - (parts.less - parts.k * log2_lower);
  return log_or_limit(x, parts.k * log2_upper + small);
}

/// (exp(y) - 1) / 2 for -40 <= y < 710.1; error below 1.4 ulp.
[[gnu::always_inline]] inline double half_expm1(double y) {
  const double inverse_log2 = 0x1.71547652b82fep+0;  // 1 / log(2)
  const double log2_upper = 0x1.62e42fefa4p-1, log2_lower = -0x1.8432a1b0e2634p-43;
  const double n = nearest_integer(y * inverse_log2);
  const double part = y - n * log2_upper;
  const double lower = n * log2_lower;
  const double r = part - lower;
  const double rest = r * r * exp_tail(r) - lower;
  const double scale = power_of_two(n - 1.0);
  return ((scale - 0.5) + scale * part) + scale * rest;
}

/// tanh(x), without branches or calls; error below 1.6 ulp.
[[gnu::always_inline]] inline double vector_tanh(double x) {
  const double z = x * x, z2 = z * z;
  const double low = -0x1.555555555554ep-2 + 0x1.111111110ba13p-3 * z;
  const double middle = -0x1.ba1ba1a6004c9p-5 + 0x1.664f3a8c95235p-6 * z;
  const double high =
      (-0x1.226994fb73715p-7 + 0x1.d53f3a54ce2d1p-9 * z) - z2 * 0x1.5b07f2b5a49a8p-10;
  const double sum = low + z2 * (middle + z2 * high);
  const double magnitude = std::fabs(x);
  const double near_zero = magnitude + magnitude * z * sum;

  const double most = 22.0;  // tanh of which is 1
  const double bounded = select_by_sign(most - magnitude, most, magnitude);
  const double h = half_expm1(2.0 * bounded);
  const double elsewhere = h / (h + 1.0);
  return std::copysign(select_by_sign(magnitude - 0.26, near_zero, elsewhere), x);
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch {
  double* start;  // [l][2][b]
  double* first;  // [b]
  double* last;   // [b]
  double* cell;   // [b]
  double* ys;     // [b]
  std::size_t bytes;

  CalculateObjectiveScratch(void* memory, int64_t b, int64_t l) {
    Scratch scratch(memory);
    start = scratch.take<double>(l * 2 * b);
    first = scratch.take<double>(b);
    last = scratch.take<double>(b);
    cell = scratch.take<double>(b);
    ys = scratch.take<double>(b);
    bytes = scratch.bytes();
  }
};

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch {
  double* start;                // [l][2][b]
  double* state_old_log_log;    // [count][l][b]
  double* state_old_log_log_2;  // [count][l][b]
  double* first;                // [b]
  double* state_old_log;        // [l][b]
  double* state_old_log_2;      // [l][b]
  double* last;                 // [b]
  double* cell;                 // [b]
  double* state_old;            // [b]
  double* state_old_2;          // [b]
  double* state_adj;            // [l][2][b]
  double* extra_adj;            // [b]
  double* layers_adj;           // [l][2][4][b]
  double* extra_adj_2;          // [b]
  double* extra_adj_3;          // [b]
  double* first_2;              // [b]
  double* state_old_log_3;      // [l][b]
  double* state_old_log_4;      // [l][b]
  double* x_states;             // [l][b]
  double* last_2;               // [b]
  double* cell_2;               // [b]
  double* state_old_3;          // [b]
  double* state_old_4;          // [b]
  double* ys;                   // [b]
  double* ys_adj;               // [b]
  double* last_adj;             // [b]
  double* cell_adj;             // [b]
  double* outgate_adj;          // [b]
  double* state_adj_2;          // [b]
  double* forget_adj;           // [b]
  double* ingate_adj;           // [b]
  double* state_adj_3;          // [b]
  double* weights_adj;          // [b]
  double* biases_adj;           // [b]
  double* part_adj_2;           // [b]
  double* part_adj_4;           // [b]
  double* x_adj_2;              // [b]
  double* weights_adj_2;        // [b]
  double* biases_adj_3;         // [b]
  double* part_adj_6;           // [b]
  double* part_adj_8;           // [b]
  double* weights_adj_4;        // [b]
  double* biases_adj_4;         // [b]
  double* state_adj_4;          // [b]
  double* part_adj_10;          // [b]
  double* part_adj_12;          // [b]
  double* weights_adj_5;        // [b]
  double* biases_adj_5;         // [b]
  double* part_adj_14;          // [b]
  double* part_adj_16;          // [b]
  double* part_adj_18;          // [b]
  double* part_adj_20;          // [b]
  double* part_adj_22;          // [b]
  double* part_adj_23;          // [b]
  std::size_t bytes;

  CalculateJacobianScratch(void* memory, int64_t b, int64_t count, int64_t l) {
    Scratch scratch(memory);
    start = scratch.take<double>(l * 2 * b);
    state_old_log_log = scratch.take<double>(count * l * b);
    state_old_log_log_2 = scratch.take<double>(count * l * b);
    first = scratch.take<double>(b);
    state_old_log = scratch.take<double>(l * b);
    state_old_log_2 = scratch.take<double>(l * b);
    last = scratch.take<double>(b);
    cell = scratch.take<double>(b);
    state_old = scratch.take<double>(b);
    state_old_2 = scratch.take<double>(b);
    state_adj = scratch.take<double>(l * 2 * b);
    extra_adj = scratch.take<double>(b);
    layers_adj = scratch.take<double>(l * 2 * 4 * b);
    extra_adj_2 = scratch.take<double>(b);
    extra_adj_3 = scratch.take<double>(b);
    first_2 = scratch.take<double>(b);
    state_old_log_3 = scratch.take<double>(l * b);
    state_old_log_4 = scratch.take<double>(l * b);
    x_states = scratch.take<double>(l * b);
    last_2 = scratch.take<double>(b);
    cell_2 = scratch.take<double>(b);
    state_old_3 = scratch.take<double>(b);
    state_old_4 = scratch.take<double>(b);
    ys = scratch.take<double>(b);
    ys_adj = scratch.take<double>(b);
    last_adj = scratch.take<double>(b);
    cell_adj = scratch.take<double>(b);
    outgate_adj = scratch.take<double>(b);
    state_adj_2 = scratch.take<double>(b);
    forget_adj = scratch.take<double>(b);
    ingate_adj = scratch.take<double>(b);
    state_adj_3 = scratch.take<double>(b);
    weights_adj = scratch.take<double>(b);
    biases_adj = scratch.take<double>(b);
    part_adj_2 = scratch.take<double>(b);
    part_adj_4 = scratch.take<double>(b);
    x_adj_2 = scratch.take<double>(b);
    weights_adj_2 = scratch.take<double>(b);
    biases_adj_3 = scratch.take<double>(b);
    part_adj_6 = scratch.take<double>(b);
    part_adj_8 = scratch.take<double>(b);
    weights_adj_4 = scratch.take<double>(b);
    biases_adj_4 = scratch.take<double>(b);
    state_adj_4 = scratch.take<double>(b);
    part_adj_10 = scratch.take<double>(b);
    part_adj_12 = scratch.take<double>(b);
    weights_adj_5 = scratch.take<double>(b);
    biases_adj_5 = scratch.take<double>(b);
    part_adj_14 = scratch.take<double>(b);
    part_adj_16 = scratch.take<double>(b);
    part_adj_18 = scratch.take<double>(b);
    part_adj_20 = scratch.take<double>(b);
    part_adj_22 = scratch.take<double>(b);
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
  *bytes = CalculateObjectiveScratch(nullptr, b, l).bytes;
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
  const CalculateObjectiveScratch buffers(scratch, b, l);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
  *failure = Failure{};
  const int64_t product = l * 2;
  if (m != product) {
    record_failure(failure, 1, m, product);
    return Status::check_failed;
  }
  if (w != b * 4) {
    record_failure(failure, 1, w, b * 4);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t i = 0; i < l; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int64_t s = 0; s < b; ++s) {
        buffers.start[i * (2 * b) + j * b + s] = state[i * (2 * b) + j * b + s];
      }
    }
  }
  const double* const extra = extra_params + 2 * b;
  double total = 0.0;
  for (int64_t i = 0; i < t - 1; ++i) {
    const double* const sequence_2 = sequence + i * b;
    for (int64_t j = 0; j < b; ++j) buffers.first[j] = sequence_2[j] * extra_params[j];
    for (int64_t j = 0; j < b; ++j) buffers.last[j] = buffers.first[j];
    for (int64_t i_2 = 0; i_2 < l; ++i_2) {
      double* const state_2 = buffers.start + i_2 * (2 * b);
      double* const state_3 = buffers.start + (i_2 * (2 * b) + b);
      const double* const weights = main_params + i_2 * (2 * (4 * b));
      const double* const biases = main_params + (i_2 * (2 * (4 * b)) + 4 * b);
      const double* const weights_2 = main_params + (i_2 * (2 * (4 * b)) + b);
      const double* const biases_2 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + b);
      const double* const weights_3 = main_params + (i_2 * (2 * (4 * b)) + 2 * b);
      const double* const biases_3 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b);
      const double* const weights_4 = main_params + (i_2 * (2 * (4 * b)) + 3 * b);
      const double* const biases_4 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double x = buffers.last[j];
        const double x_2 = state_2[j];
        const double x_3 = state_3[j];
        const double sum = 1.0 + vector_exp(-(x * weights[j] + biases[j]));
        const double sum_2 = 1.0 + vector_exp(-(x_2 * weights_2[j] + biases_2[j]));
        const double sum_3 = 1.0 + vector_exp(-(x * weights_3[j] + biases_3[j]));
        const double product_2 = 1.0 / sum_2 * vector_tanh(x_2 * weights_4[j] + biases_4[j]);
        const double sum_4 = x_3 * (1.0 / sum) + product_2;
        buffers.cell[j] = sum_4;
        buffers.last[j] = 1.0 / sum_3 * vector_tanh(sum_4);
      }
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + j] = buffers.last[j];
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + b + j] = buffers.cell[j];
    }
    double total_2 = 0.0;
    for (int64_t j = 0; j < b; ++j) {
      const double x = buffers.last[j];
      const double sum = x * extra_params[b + j] + extra[j];
      total_2 += vector_exp(sum);
      buffers.ys[j] = sum;
    }
    const double normaliser = vector_log(2.0 + total_2);
    const double* const sequence_3 = sequence + (i + 1) * b;
    double total_3 = 0.0;
    for (int64_t j = 0; j < b; ++j) {
      const double y = buffers.ys[j];
      total_3 += sequence_3[j] * (y - normaliser);
    }
    total += total_3;
  }
  quotient[0] = -total / static_cast<double>(b * (t - 1));
  return failure->check == 0 ? Status::success : Status::check_failed;
}

Status calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b, int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  const int64_t count = std::max<int64_t>(t - 1, 0);
  *bytes = CalculateJacobianScratch(nullptr, b, count, l).bytes;
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
  const int64_t count = std::max<int64_t>(t - 1, 0);
  const CalculateJacobianScratch buffers(scratch, b, count, l);
  if (scratch_bytes < buffers.bytes) return Status::invalid_value;
  *failure = Failure{};
  const int64_t product = l * 2;
  const int64_t product_2 = b * 4;
  if (m != product) {
    record_failure(failure, 2, m, product);
    return Status::check_failed;
  }
  if (w != product_2) {
    record_failure(failure, 2, w, product_2);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t i = 0; i < l; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int64_t s = 0; s < b; ++s) {
        buffers.start[i * (2 * b) + j * b + s] = state[i * (2 * b) + j * b + s];
      }
    }
  }
  const double* const extra = extra_params + 2 * b;
  for (int64_t i = 0; i < t - 1; ++i) {
    const double* const sequence_2 = sequence + i * b;
    for (int64_t j = 0; j < b; ++j) buffers.first[j] = sequence_2[j] * extra_params[j];
    for (int64_t j = 0; j < b; ++j) buffers.last[j] = buffers.first[j];
    for (int64_t i_2 = 0; i_2 < l; ++i_2) {
      double* const state_2 = buffers.start + i_2 * (2 * b);
      double* const state_3 = buffers.start + (i_2 * (2 * b) + b);
      const double* const weights = main_params + i_2 * (2 * (4 * b));
      const double* const biases = main_params + (i_2 * (2 * (4 * b)) + 4 * b);
      const double* const weights_2 = main_params + (i_2 * (2 * (4 * b)) + b);
      const double* const biases_2 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + b);
      const double* const weights_3 = main_params + (i_2 * (2 * (4 * b)) + 2 * b);
      const double* const biases_3 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b);
      const double* const weights_4 = main_params + (i_2 * (2 * (4 * b)) + 3 * b);
      const double* const biases_4 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double x = buffers.last[j];
        const double x_2 = state_2[j];
        const double x_3 = state_3[j];
        const double sum = 1.0 + vector_exp(-(x * weights[j] + biases[j]));
        const double sum_2 = 1.0 + vector_exp(-(x_2 * weights_2[j] + biases_2[j]));
        const double sum_3 = 1.0 + vector_exp(-(x * weights_3[j] + biases_3[j]));
        const double product_3 = 1.0 / sum_2 * vector_tanh(x_2 * weights_4[j] + biases_4[j]);
        const double sum_4 = x_3 * (1.0 / sum) + product_3;
        buffers.cell[j] = sum_4;
        buffers.last[j] = 1.0 / sum_3 * vector_tanh(sum_4);
      }
      for (int64_t j = 0; j < b; ++j) buffers.state_old[j] = buffers.start[i_2 * (2 * b) + j];
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + j] = buffers.last[j];
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_old_2[j] = buffers.start[i_2 * (2 * b) + b + j];
      }
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + b + j] = buffers.cell[j];
      for (int64_t j = 0; j < b; ++j) buffers.state_old_log[i_2 * b + j] = buffers.state_old[j];
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_old_log_2[i_2 * b + j] = buffers.state_old_2[j];
      }
    }
    for (int64_t j = 0; j < l; ++j) {
      for (int64_t s = 0; s < b; ++s) {
        buffers.state_old_log_log[i * (l * b) + j * b + s] = buffers.state_old_log[j * b + s];
      }
    }
    for (int64_t j = 0; j < l; ++j) {
      for (int64_t s = 0; s < b; ++s) {
        buffers.state_old_log_log_2[i * (l * b) + j * b + s] = buffers.state_old_log_2[j * b + s];
      }
    }
  }
  const double term = -(1.0 / static_cast<double>(b * (t - 1)));
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t i = 0; i < l; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int64_t s = 0; s < b; ++s) buffers.state_adj[i * (2 * b) + j * b + s] = 0.0;
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) buffers.extra_adj[i] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (8 * b)) > 1)
#endif
  for (int64_t i = 0; i < l; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int s = 0; s < 4; ++s) {
        for (int64_t u = 0; u < b; ++u) {
          buffers.layers_adj[i * (2 * (4 * b)) + j * (4 * b) + s * b + u] = 0.0;
        }
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) buffers.extra_adj_2[i] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) buffers.extra_adj_3[i] = 0.0;
  for (int64_t step = 0; step < t - 1; ++step) {
    const int64_t i = t - 2 - step;
    for (int64_t i_2 = l - 1; i_2 >= 0; --i_2) {
      for (int64_t j = 0; j < b; ++j) {
        buffers.start[i_2 * (2 * b) + b + j] =
            buffers.state_old_log_log_2[i * (l * b) + i_2 * b + j];
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.start[i_2 * (2 * b) + j] = buffers.state_old_log_log[i * (l * b) + i_2 * b + j];
      }
    }
    if (!check_index(failure, 3, i, t)) return Status::check_failed;
    const double* const sequence_2 = sequence + i * b;
    for (int64_t j = 0; j < b; ++j) buffers.first_2[j] = sequence_2[j] * extra_params[j];
    for (int64_t j = 0; j < b; ++j) buffers.last_2[j] = buffers.first_2[j];
    for (int64_t i_2 = 0; i_2 < l; ++i_2) {
      for (int64_t j = 0; j < b; ++j) buffers.x_states[i_2 * b + j] = buffers.last_2[j];
      double* const state_2 = buffers.start + i_2 * (2 * b);
      double* const state_3 = buffers.start + (i_2 * (2 * b) + b);
      const double* const weights = main_params + i_2 * (2 * (4 * b));
      const double* const biases = main_params + (i_2 * (2 * (4 * b)) + 4 * b);
      const double* const weights_2 = main_params + (i_2 * (2 * (4 * b)) + b);
      const double* const biases_2 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + b);
      const double* const weights_3 = main_params + (i_2 * (2 * (4 * b)) + 2 * b);
      const double* const biases_3 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b);
      const double* const weights_4 = main_params + (i_2 * (2 * (4 * b)) + 3 * b);
      const double* const biases_4 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double x = buffers.last_2[j];
        const double x_2 = state_2[j];
        const double x_3 = state_3[j];
        const double sum = 1.0 + vector_exp(-(x * weights[j] + biases[j]));
        const double sum_2 = 1.0 + vector_exp(-(x_2 * weights_2[j] + biases_2[j]));
        const double sum_3 = 1.0 + vector_exp(-(x * weights_3[j] + biases_3[j]));
        const double product_3 = 1.0 / sum_2 * vector_tanh(x_2 * weights_4[j] + biases_4[j]);
        const double sum_4 = x_3 * (1.0 / sum) + product_3;
        buffers.cell_2[j] = sum_4;
        buffers.last_2[j] = 1.0 / sum_3 * vector_tanh(sum_4);
      }
      for (int64_t j = 0; j < b; ++j) buffers.state_old_3[j] = buffers.start[i_2 * (2 * b) + j];
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + j] = buffers.last_2[j];
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_old_4[j] = buffers.start[i_2 * (2 * b) + b + j];
      }
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + b + j] = buffers.cell_2[j];
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_old_log_3[i_2 * b + j] = buffers.state_old_3[j];
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_old_log_4[i_2 * b + j] = buffers.state_old_4[j];
      }
    }
    double total = 0.0;
    for (int64_t j = 0; j < b; ++j) {
      const double x = buffers.last_2[j];
      const double sum = x * extra_params[b + j] + extra[j];
      total += vector_exp(sum);
      buffers.ys[j] = sum;
    }
    const int64_t index_ = i + 1;
    if (!check_index(failure, 4, index_, t)) return Status::check_failed;
    const double* const sequence_3 = sequence + index_ * b;
    double normaliser_adj = 0.0;
    for (int64_t j = 0; j < b; ++j) {
      const double term_2 = term * sequence_3[j];
      normaliser_adj += -term_2;
      buffers.ys_adj[j] = term_2;
    }
    const double term_2 = normaliser_adj / (2.0 + total);
#pragma GCC ivdep
    for (int64_t j = 0; j < b; ++j) {
      const double x = buffers.ys[j];
      const double ys_adj_2 = buffers.ys_adj[j];
      const double x_2 = buffers.last_2[j];
      const double extra_adj_4 = buffers.extra_adj_2[j];
      const double extra_adj_5 = buffers.extra_adj_3[j];
      const double ys_adj_3 = ys_adj_2 + term_2 * vector_exp(x);
      buffers.last_adj[j] = ys_adj_3 * extra_params[b + j];
      buffers.extra_adj_2[j] = extra_adj_4 + ys_adj_3 * x_2;
      buffers.extra_adj_3[j] = extra_adj_5 + ys_adj_3;
    }
    for (int64_t i_2 = l - 1; i_2 >= 0; --i_2) {
      double* const x = buffers.x_states + i_2 * b;
      double* const state_old_5 = buffers.state_old_log_3 + i_2 * b;
      for (int64_t j = 0; j < b; ++j) {
        buffers.start[i_2 * (2 * b) + b + j] = buffers.state_old_log_4[i_2 * b + j];
      }
      for (int64_t j = 0; j < b; ++j) buffers.start[i_2 * (2 * b) + j] = state_old_5[j];
      double* const state_2 = buffers.start + (i_2 * (2 * b) + b);
      const double* const weights = main_params + i_2 * (2 * (4 * b));
      const double* const biases = main_params + (i_2 * (2 * (4 * b)) + 4 * b);
      const double* const weights_2 = main_params + (i_2 * (2 * (4 * b)) + b);
      const double* const biases_2 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + b);
      const double* const weights_3 = main_params + (i_2 * (2 * (4 * b)) + 2 * b);
      const double* const biases_3 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b);
      const double* const weights_4 = main_params + (i_2 * (2 * (4 * b)) + 3 * b);
      const double* const biases_4 = main_params + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t j = 0; j < b; ++j) {
        buffers.cell_adj[j] = buffers.state_adj[i_2 * (2 * b) + b + j];
      }
      for (int64_t j = 0; j < b; ++j) buffers.state_adj[i_2 * (2 * b) + b + j] = 0.0;
      double* const hidden_adj = buffers.state_adj + i_2 * (2 * b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double x_2 = x[j];
        const double x_3 = state_old_5[j];
        const double y = weights_4[j];
        const double x_4 = state_2[j];
        const double x_adj = buffers.last_adj[j];
        const double hidden_adj_2 = hidden_adj[j];
        const double cell_adj_2 = buffers.cell_adj[j];
        const double sum = 1.0 + vector_exp(-(x_2 * weights[j] + biases[j]));
        const double quotient = 1.0 / sum;
        const double sum_2 = 1.0 + vector_exp(-(x_3 * weights_2[j] + biases_2[j]));
        const double quotient_2 = 1.0 / sum_2;
        const double sum_3 = 1.0 + vector_exp(-(x_2 * weights_3[j] + biases_3[j]));
        const double tanh_ = vector_tanh(x_3 * y + biases_4[j]);
        const double hidden_adj_3 = x_adj + hidden_adj_2;
        const double tanh_2 = vector_tanh(x_4 * quotient + quotient_2 * tanh_);
        const double cell_adj_3 =
            cell_adj_2 + hidden_adj_3 * (1.0 / sum_3) * (1.0 - tanh_2 * tanh_2);
        const double term_3 = cell_adj_3 * quotient_2 * (1.0 - tanh_ * tanh_);
        buffers.outgate_adj[j] = hidden_adj_3 * tanh_2;
        buffers.state_adj_2[j] = cell_adj_3 * quotient;
        buffers.forget_adj[j] = cell_adj_3 * x_4;
        buffers.ingate_adj[j] = cell_adj_3 * tanh_;
        buffers.state_adj_3[j] = term_3 * y;
        buffers.weights_adj[j] = term_3 * x_3;
        buffers.biases_adj[j] = term_3;
      }
      for (int64_t j = 0; j < b; ++j) buffers.state_adj[i_2 * (2 * b) + j] = 0.0;
      double* const part_adj = buffers.layers_adj + (i_2 * (2 * (4 * b)) + 4 * b + 3 * b);
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_3 = part_adj[j];
        const double biases_adj_2 = buffers.biases_adj[j];
        buffers.part_adj_2[j] = part_adj_3 + biases_adj_2;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + 4 * b + 3 * b + j] = buffers.part_adj_2[j];
      }
      double* const part_adj_3 = buffers.layers_adj + (i_2 * (2 * (4 * b)) + 3 * b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_5 = part_adj_3[j];
        const double weights_adj_3 = buffers.weights_adj[j];
        const double x_2 = x[j];
        const double y = weights_3[j];
        const double quotient_adj = buffers.outgate_adj[j];
        const double exp_ = vector_exp(-(x_2 * y + biases_3[j]));
        const double sum = 1.0 + exp_;
        const double term_3 = quotient_adj / sum * (1.0 / sum) * exp_;
        buffers.part_adj_4[j] = part_adj_5 + weights_adj_3;
        buffers.x_adj_2[j] = term_3 * y;
        buffers.weights_adj_2[j] = term_3 * x_2;
        buffers.biases_adj_3[j] = term_3;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + 3 * b + j] = buffers.part_adj_4[j];
      }
      double* const part_adj_5 = buffers.layers_adj + (i_2 * (2 * (4 * b)) + 4 * b + 2 * b);
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_7 = part_adj_5[j];
        const double biases_adj_2 = buffers.biases_adj_3[j];
        buffers.part_adj_6[j] = part_adj_7 + biases_adj_2;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + 4 * b + 2 * b + j] = buffers.part_adj_6[j];
      }
      double* const part_adj_7 = buffers.layers_adj + (i_2 * (2 * (4 * b)) + 2 * b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_9 = part_adj_7[j];
        const double weights_adj_3 = buffers.weights_adj_2[j];
        const double x_2 = state_old_5[j];
        const double y = weights_2[j];
        const double quotient_adj = buffers.ingate_adj[j];
        const double state_adj_5 = buffers.state_adj_3[j];
        const double exp_ = vector_exp(-(x_2 * y + biases_2[j]));
        const double sum = 1.0 + exp_;
        const double term_3 = quotient_adj / sum * (1.0 / sum) * exp_;
        buffers.part_adj_8[j] = part_adj_9 + weights_adj_3;
        buffers.weights_adj_4[j] = term_3 * x_2;
        buffers.biases_adj_4[j] = term_3;
        buffers.state_adj_4[j] = state_adj_5 + term_3 * y;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + 2 * b + j] = buffers.part_adj_8[j];
      }
      double* const part_adj_9 = buffers.layers_adj + (i_2 * (2 * (4 * b)) + 4 * b + b);
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_11 = part_adj_9[j];
        const double biases_adj_2 = buffers.biases_adj_4[j];
        buffers.part_adj_10[j] = part_adj_11 + biases_adj_2;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + 4 * b + b + j] = buffers.part_adj_10[j];
      }
      double* const part_adj_11 = buffers.layers_adj + (i_2 * (2 * (4 * b)) + b);
#pragma GCC ivdep
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_13 = part_adj_11[j];
        const double weights_adj_3 = buffers.weights_adj_4[j];
        const double x_2 = x[j];
        const double y = weights[j];
        const double quotient_adj = buffers.forget_adj[j];
        const double x_adj = buffers.x_adj_2[j];
        const double exp_ = vector_exp(-(x_2 * y + biases[j]));
        const double sum = 1.0 + exp_;
        const double term_3 = quotient_adj / sum * (1.0 / sum) * exp_;
        buffers.part_adj_12[j] = part_adj_13 + weights_adj_3;
        buffers.weights_adj_5[j] = term_3 * x_2;
        buffers.biases_adj_5[j] = term_3;
        buffers.last_adj[j] = x_adj + term_3 * y;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + b + j] = buffers.part_adj_12[j];
      }
      double* const part_adj_13 = buffers.layers_adj + (i_2 * (2 * (4 * b)) + 4 * b);
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_15 = part_adj_13[j];
        const double biases_adj_2 = buffers.biases_adj_5[j];
        buffers.part_adj_14[j] = part_adj_15 + biases_adj_2;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + 4 * b + j] = buffers.part_adj_14[j];
      }
      double* const part_adj_15 = buffers.layers_adj + i_2 * (2 * (4 * b));
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_17 = part_adj_15[j];
        const double weights_adj_3 = buffers.weights_adj_5[j];
        buffers.part_adj_16[j] = part_adj_17 + weights_adj_3;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.layers_adj[i_2 * (2 * (4 * b)) + j] = buffers.part_adj_16[j];
      }
      double* const part_adj_17 = buffers.state_adj + (i_2 * (2 * b) + b);
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_19 = part_adj_17[j];
        const double state_adj_5 = buffers.state_adj_2[j];
        buffers.part_adj_18[j] = part_adj_19 + state_adj_5;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_adj[i_2 * (2 * b) + b + j] = buffers.part_adj_18[j];
      }
      double* const part_adj_19 = buffers.state_adj + i_2 * (2 * b);
      for (int64_t j = 0; j < b; ++j) {
        const double part_adj_21 = part_adj_19[j];
        const double state_adj_5 = buffers.state_adj_4[j];
        buffers.part_adj_20[j] = part_adj_21 + state_adj_5;
      }
      for (int64_t j = 0; j < b; ++j) {
        buffers.state_adj[i_2 * (2 * b) + j] = buffers.part_adj_20[j];
      }
    }
    for (int64_t j = 0; j < b; ++j) {
      const double product_adj = buffers.last_adj[j];
      buffers.extra_adj[j] += product_adj * sequence_2[j];
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(3, 4 * b) > 1)
#endif
  for (int i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < b; ++j) extra_params_adj[i * b + j] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) extra_params_adj[2 * b + i] = buffers.extra_adj_3[i];
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 9) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) {
    const double part_adj = extra_params_adj[b + i];
    const double extra_adj_4 = buffers.extra_adj_2[i];
    buffers.part_adj_22[i] = part_adj + extra_adj_4;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) extra_params_adj[b + i] = buffers.part_adj_22[i];
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 9) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) {
    const double part_adj = extra_params_adj[i];
    const double extra_adj_4 = buffers.extra_adj[i];
    buffers.part_adj_23[i] = part_adj + extra_adj_4;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t i = 0; i < b; ++i) extra_params_adj[i] = buffers.part_adj_23[i];
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(m, 4 * w) > 1)
#endif
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < w; ++j) main_params_adj[i * w + j] = buffers.layers_adj[i * w + j];
  }
  return failure->check == 0 ? Status::success : Status::check_failed;
}

std::string failure_text(const Failure& failure) {
  switch (failure.check) {
    case 1:
      return "lstm.fut:43: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 2:
      return "lstm.fut:43: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    case 3:
      return "lstm.fut:47: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    case 4:
      return "lstm.fut:49: index " + std::to_string(failure.values[0]) +
             " is out of bounds for size " + std::to_string(failure.values[1]);
    default:
      return "";
  }
}

}  // namespace lstm
