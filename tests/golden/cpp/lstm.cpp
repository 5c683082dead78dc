// lstm.cpp: C++ for the entry points of lstm.fut, declared in lstm.hpp.
// Written by `boustro translate lstm.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   calculate_objective [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : f64
//     = objective main_params extra_params state sequence                           lstm.fut:52
//
//   calculate_jacobian [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state:
//     [m][b]f64) (sequence: [t][b]f64) : ([m][w]f64, [3][b]f64)
//     = vjp (\(main_params, extra_params) -> objective main_params extra_params state sequence)
//       (main_params, extra_params) 1                                               lstm.fut:60

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

/// Least work, in additions, of each part of a loop that workers share.
constexpr int64_t least_part_work = 1 << 15;

/// Maximum number of parts into which a loop that workers share is divided.
constexpr int64_t max_parts = 64;

/// Maximum number of elements of all parts together. More of them would let more workers share
/// loops whose parts are large.
constexpr int64_t max_room = int64_t{1} << 22;

/// Returns the maximum number of parts that may have `room` elements each for themselves: a power
/// of two, so that two workers, or four, get equally many.
int64_t most_parts(int64_t room) {
  int64_t parts = 1;
  while (2 * parts <= max_parts && 2 * parts <= max_room / std::max(room, int64_t{1})) parts *= 2;
  return parts;
}

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

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/// Precedes a loop whose iterations do not conflict in memory, which compilers cannot prove for
/// many arrays. With AVX-512 Clang computes the rest of a short row as one more vector.
#if defined(__clang__) && defined(__AVX512F__)
#define INDEPENDENT_ITERATIONS \
  _Pragma("clang loop vectorize(assume_safety) vectorize_predicate(enable)")
#elif defined(__clang__)
#define INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

/// Returns into how many parts to divide a loop over `points` points of about `work` additions
/// each: as many as pay, filling and collecting `cells` private elements per part included, and as
/// have memory for these and `room` more. Sizes alone decide, so that results do not depend on the
/// number of workers. Without OpenMP it may be unused.
[[maybe_unused]] inline int64_t parts_for(int64_t points, int64_t work, int64_t cells = 0,
                                          int64_t room = 0) {
  const int64_t least_work = least_part_work * std::max(cells / 16, int64_t{1});
  const int64_t least_points = std::max(least_work / std::max(work, int64_t{1}), int64_t{1});
  return std::clamp(points / least_points, int64_t{1}, most_parts(cells + room));
}

/// Records check `check`, and the values that explain it, in `*failure`, unless one failed before.
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

/// (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2.
[[gnu::always_inline]] inline double exp_tail(double r) {
  // Evaluated in parts that do not depend on each other.
  const double r2 = r * r, r4 = r2 * r2;
  const double low =
      (0.5 + 0x1.5555555555557p-3 * r) + r2 * (0x1.5555555555556p-5 + 0x1.11111111100bep-7 * r);
  const double middle = (0x1.6c16c16c162c3p-10 + 0x1.a01a01abf85abp-13 * r) +
                        r2 * (0x1.a01a01a6e1e2ap-16 + 0x1.71de01fdbf9cap-19 * r);
  const double high =
      (0x1.27e4db46cddd1p-22 + 0x1.af4e554377204p-26 * r) + r2 * 0x1.1f7340dbc337ep-29;
  return low + r4 * (middle + r4 * high);
}

/// Returns the value of type To that has the bits of `from`.
template <typename To, typename From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// Returns |x|, which has no sign even if it is NaN. Compilers take std::fabs of what is never
/// negative, such as a square, for that itself, and a NaN keeps its sign.
template <typename T>
[[gnu::always_inline]] inline T magnitude_of(T x) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  return bits_as<T>(bits_as<Bits>(x) & (~Bits{0} >> 1));
}

/// The integer nearest to x, the even one if there are two; |x| must be less than 2^51.
[[gnu::always_inline]] inline double nearest_integer(double x) {
  const double shift = 0x1.8p52;
  return (x + shift) - shift;
}

/// 2^n for an integer n from -1023, for which it is 0, to 1024, for which it is infinity.
[[gnu::always_inline]] inline double power_of_two(double n) {
  // The lowest bits of this sum are n + 1023, the biased exponent of a double.
  const double sum = n + (0x1.8p52 + 1023);
  return bits_as<double>(bits_as<uint64_t>(sum) << 52);
}

/// Returns `yes` if the sign bit of `sign` is set, as in a difference a - b with a < b; otherwise
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
  const double magnitude = magnitude_of(x);
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

/// Returns `log` if x is positive and finite, otherwise the library's result: NaN or an infinity.
template <typename T>
[[gnu::always_inline]] inline T log_or_limit(T x, T log) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  // The bits of infinity and NaN are, as integers, more than those of the largest number.
  const T finite = bits_as<T>(bits_as<Bits>(Limits::max()) - bits_as<Bits>(x));
  const T or_infinite = select_by_sign(finite, x, log);
  const T or_negative = select_by_sign(x, Limits::quiet_NaN(), or_infinite);
  return select_by_sign(magnitude_of(x) - Limits::denorm_min(), -Limits::infinity(), or_negative);
}

/// Parts of a positive finite x = 2^k * (1 + f), with log(1 + f) = f - less.
struct LogParts {
  double k, f, less;

  [[gnu::always_inline]] explicit LogParts(double x) {
    const double normal = x - 0x1p-1022;  // negative if x is subnormal
    const double scaled = x * 0x1p54;
    const uint64_t bits = bits_as<uint64_t>(select_by_sign(normal, scaled, x));
    // With this offset the exponent changes at sqrt(1/2), where 1 + f starts again.
    const uint64_t root = 0x3fe6a09e00000000, one = 0x3ff0000000000000;
    const uint64_t counted = bits + (one - root);
    const uint64_t mantissa = counted & 0x000fffffffffffff;
    // As the last bits of the double 2^52 + exponent, the exponent becomes a number.
    const double exponent = bits_as<double>((counted >> 52) | 0x4330000000000000);
    k = exponent - (0x1p52 + 1023) - select_by_sign(normal, 54.0, 0.0);
    f = bits_as<double>(mantissa + root) - 1.0;

    const double s = f / (2.0 + f);
    const double z = s * s;
    // Evaluated in parts that do not depend on each other.
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
  const double magnitude = magnitude_of(x);
  const double near_zero = magnitude + magnitude * z * sum;

  const double most = 22.0;  // its tanh is 1
  const double bounded = select_by_sign(most - magnitude, most, magnitude);
  const double h = half_expm1(2.0 * bounded);
  const double elsewhere = h / (h + 1.0);
  return std::copysign(select_by_sign(magnitude - 0.26, near_zero, elsewhere), x);
}

// ---------------------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------------------

///                                                                                   lstm.fut:7
[[gnu::always_inline]] inline double sigmoid(double x) { return 1.0 / (1.0 + vector_exp(-x)); }

/// The adjoint of x, given that of sigmoid's result.                                 lstm.fut:7
[[gnu::always_inline]] inline double sigmoid_vjp(double x, double result_adj) {
  const double result = 1.0 / (1.0 + vector_exp(-x));
  return result_adj * (result * (1.0 - result));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch : Scratch {
  int64_t b, l;

  double* start = take<double>(l * 2 * b);  // [l][2][b]
  double* first = take<double>(b);
  double* last = take<double>(b);
  // One after the other in the same memory:
  double* ys = first;
};

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch : Scratch {
  int64_t b, t, l;

  int64_t steps = std::max<int64_t>(t - 1, 0);

  double* start = take<double>(l * 2 * b);                // [l][2][b]
  double* x_states = take<double>(steps * l * b);         // [steps][l][b]
  double* cell_old_kept = take<double>(steps * l * b);    // [steps][l][b]
  double* hidden_old_kept = take<double>(steps * l * b);  // [steps][l][b]
  double* last_states = take<double>(steps * b);          // [steps][b]
  double* first = take<double>(b);
  double* last = take<double>(b);
  double* biases_adj = take<double>(b);
  double* ys = take<double>(b);
  double* ys_adj = take<double>(b);
  double* last_adj = take<double>(b);
  double* forget_hidden_adj = take<double>(b);
  // One after the other in the same memory:
  double* new_hidden_cell = first;
  double* state_adj = start;  // [l][2][b]
  double* extra_adj = last;
  double* weights_adj = first;
  double* cell_adj = ys;
  double* forget_cell_adj = ys_adj;
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status calculate_objective_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b, int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  *bytes = CalculateObjectiveScratch{Scratch(nullptr), b, l}.bytes();
  return Status::success;
}

Status calculate_objective(double* __restrict__ result, Failure* failure,
                           const double* __restrict__ main_params,
                           const double* __restrict__ extra_params,
                           const double* __restrict__ state, const double* __restrict__ sequence,
                           int64_t m, int64_t w, int64_t b, int64_t t, void* scratch,
                           std::size_t scratch_bytes) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  const CalculateObjectiveScratch buffers{Scratch(scratch), b, l};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;
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
  for (int64_t s = 0; s < l; ++s) {
    for (int i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < b; ++j) {
        buffers.start[s * (2 * b) + i * b + j] = state[s * (2 * b) + i * b + j];
      }
    }
  }
  const double* const biases = extra_params + 2 * b;
  double total = 0.0;
  for (int64_t i = 0; i < t - 1; ++i) {
    const double* const input = sequence + i * b;
    for (int64_t j = 0; j < b; ++j) buffers.first[j] = input[j] * extra_params[j];
    for (int64_t j = 0; j < b; ++j) buffers.last[j] = buffers.first[j];
    for (int64_t s = 0; s < l; ++s) {
      double* const hidden = buffers.start + s * (2 * b);
      double* const cell = buffers.start + s * (2 * b) + b;
      const double* const weights = main_params + s * (8 * b);
      const double* const forget_biases_row = main_params + s * (8 * b) + 4 * b;
      const double* const ingate_weights_row = main_params + s * (8 * b) + b;
      const double* const ingate_biases_row = main_params + s * (8 * b) + 5 * b;
      const double* const outgate_weights_row = main_params + s * (8 * b) + 2 * b;
      const double* const outgate_biases_row = main_params + s * (8 * b) + 6 * b;
      const double* const change_weights_row = main_params + s * (8 * b) + 3 * b;
      const double* const change_biases_row = main_params + s * (8 * b) + 7 * b;

      // lstm.fut:19, `map2 (\o c -> o * f64.tanh c) outgate new_cell`
      INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < b; ++j) {
        const double x = buffers.last[j];
        const double new_hidden_x = hidden[j];
        const double c = cell[j];
        const double forget = sigmoid(x * weights[j] + forget_biases_row[j]);
        const double ingate = sigmoid(new_hidden_x * ingate_weights_row[j] + ingate_biases_row[j]);
        const double outgate = sigmoid(x * outgate_weights_row[j] + outgate_biases_row[j]);
        const double change =
            vector_tanh(new_hidden_x * change_weights_row[j] + change_biases_row[j]);
        const double new_cell = c * forget + ingate * change;
        cell[j] = new_cell;
        buffers.last[j] = outgate * vector_tanh(new_cell);
      }
      for (int64_t j = 0; j < b; ++j) hidden[j] = buffers.last[j];
    }
    double normaliser_total = 0.0;

    // ys[j] = last[j] * extra_params[1, j] + biases[j]
    //   lstm.fut:48, `f64.sum (map f64.exp ys)`
    for (int64_t j = 0; j < b; ++j) {
      const double x = buffers.last[j];
      const double y = x * extra_params[b + j] + biases[j];
      normaliser_total += vector_exp(y);
      buffers.ys[j] = y;
    }
    const double normaliser = vector_log(2.0 + normaliser_total);
    const double* const sequence_row = sequence + (i + 1) * b;
    double objective_total = 0.0;

    // lstm.fut:49, `f64.sum (map2 (\x y -> x * (y - normaliser)) sequence[i ...`
    for (int64_t j = 0; j < b; ++j) {
      const double y = buffers.ys[j];
      objective_total += sequence_row[j] * (y - normaliser);
    }
    total += objective_total;
  }
  result[0] = -total / static_cast<double>(b * (t - 1));
  return failure->check == 0 ? Status::success : Status::check_failed;
}

Status calculate_jacobian_scratch(std::size_t* bytes, int64_t m, int64_t w, int64_t b, int64_t t) {
  if (m < 0 || w < 0 || b < 0 || t < 0) return Status::invalid_value;
  const int64_t l = m / 2;
  *bytes = CalculateJacobianScratch{Scratch(nullptr), b, t, l}.bytes();
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
  const CalculateJacobianScratch buffers{Scratch(scratch), b, t, l};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;
  *failure = Failure{};
  const int64_t product = l * 2;
  const int64_t layers_product = b * 4;
  if (m != product) {
    record_failure(failure, 1, m, product);
    return Status::check_failed;
  }
  if (w != layers_product) {
    record_failure(failure, 1, w, layers_product);
    return Status::check_failed;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t s = 0; s < l; ++s) {
    for (int i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < b; ++j) {
        buffers.start[s * (2 * b) + i * b + j] = state[s * (2 * b) + i * b + j];
      }
    }
  }
  const double* const biases = extra_params + 2 * b;
  for (int64_t i = 0; i < t - 1; ++i) {
    const double* const input = sequence + i * b;
    for (int64_t j = 0; j < b; ++j) buffers.first[j] = input[j] * extra_params[j];
    for (int64_t j = 0; j < b; ++j) buffers.last[j] = buffers.first[j];
    for (int64_t s = 0; s < l; ++s) {
      for (int64_t j = 0; j < b; ++j) buffers.x_states[i * (l * b) + s * b + j] = buffers.last[j];
      double* const hidden = buffers.start + s * (2 * b);
      double* const cell = buffers.start + s * (2 * b) + b;
      const double* const weights = main_params + s * (8 * b);
      const double* const forget_biases_row = main_params + s * (8 * b) + 4 * b;
      const double* const ingate_weights_row = main_params + s * (8 * b) + b;
      const double* const ingate_biases_row = main_params + s * (8 * b) + 5 * b;
      const double* const outgate_weights_row = main_params + s * (8 * b) + 2 * b;
      const double* const outgate_biases_row = main_params + s * (8 * b) + 6 * b;
      const double* const change_weights_row = main_params + s * (8 * b) + 3 * b;
      const double* const change_biases_row = main_params + s * (8 * b) + 7 * b;

      // lstm.fut:19, `map2 (\o c -> o * f64.tanh c) outgate new_cell`
      INDEPENDENT_ITERATIONS
      for (int64_t j = 0; j < b; ++j) {
        const double x = buffers.last[j];
        const double new_hidden_x = hidden[j];
        const double c = cell[j];
        const double forget = sigmoid(x * weights[j] + forget_biases_row[j]);
        const double ingate = sigmoid(new_hidden_x * ingate_weights_row[j] + ingate_biases_row[j]);
        const double outgate = sigmoid(x * outgate_weights_row[j] + outgate_biases_row[j]);
        const double change =
            vector_tanh(new_hidden_x * change_weights_row[j] + change_biases_row[j]);
        const double new_cell = c * forget + ingate * change;
        buffers.new_hidden_cell[j] = new_cell;
        buffers.last[j] = outgate * vector_tanh(new_cell);
      }
      for (int64_t j = 0; j < b; ++j) buffers.hidden_old_kept[i * (l * b) + s * b + j] = hidden[j];
      for (int64_t j = 0; j < b; ++j) hidden[j] = buffers.last[j];
      for (int64_t j = 0; j < b; ++j) buffers.cell_old_kept[i * (l * b) + s * b + j] = cell[j];
      for (int64_t j = 0; j < b; ++j) cell[j] = buffers.new_hidden_cell[j];
    }
    for (int64_t j = 0; j < b; ++j) buffers.last_states[i * b + j] = buffers.last[j];
  }
  const double total_adj = -1.0 / static_cast<double>(b * (t - 1));
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (2 * b)) > 1)
#endif
  for (int64_t s = 0; s < l; ++s) {
    for (int i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < b; ++j) buffers.state_adj[s * (2 * b) + i * b + j] = 0.0;
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t j = 0; j < b; ++j) buffers.extra_adj[j] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(l, 4 * (8 * b)) > 1)
#endif
  for (int64_t s = 0; s < l; ++s) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) {
        for (int64_t u = 0; u < b; ++u) {
          main_params_adj[s * (8 * b) + i * (4 * b) + j * b + u] = 0.0;
        }
      }
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t j = 0; j < b; ++j) buffers.weights_adj[j] = 0.0;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t j = 0; j < b; ++j) buffers.biases_adj[j] = 0.0;
  for (int64_t i = t - 2; i >= 0; --i) {
    double* const last_row = buffers.last_states + i * b;
    const double* const input = sequence + i * b;
    double total = 0.0;

    // ys[j] = last_row[j] * extra_params[1, j] + biases[j]
    //   lstm.fut:48, forward sweep of `f64.sum (map f64.exp ys)`
    for (int64_t j = 0; j < b; ++j) {
      const double x = last_row[j];
      const double y = x * extra_params[b + j] + biases[j];
      total += vector_exp(y);
      buffers.ys[j] = y;
    }
    const double* const sequence_row = sequence + (i + 1) * b;
    double normaliser_adj = 0.0;

    // ys_adj[j] = total_adj * sequence_row[j]
    //   lstm.fut:49, return sweep of `map2 (\x y -> x * (y - normaliser)) sequence[i + 1] ys`:
    //   reverse_map
    for (int64_t j = 0; j < b; ++j) {
      const double term = total_adj * sequence_row[j];
      normaliser_adj -= term;
      buffers.ys_adj[j] = term;
    }
    const double term = normaliser_adj / (2.0 + total);

    // lstm.fut:35, return sweep of `map3 (\x weight bias -> x * weight + bias) last ...`:
    // reverse_map
    INDEPENDENT_ITERATIONS
    for (int64_t j = 0; j < b; ++j) {
      const double y = buffers.ys[j];
      double y_adj = buffers.ys_adj[j];
      const double x = last_row[j];
      const double weights_adj = buffers.weights_adj[j];
      const double biases_adj = buffers.biases_adj[j];
      y_adj += term * vector_exp(y);
      buffers.last_adj[j] = y_adj * extra_params[b + j];
      buffers.weights_adj[j] = weights_adj + y_adj * x;
      buffers.biases_adj[j] = biases_adj + y_adj;
    }
    for (int64_t j = l - 1; j >= 0; --j) {
      double* const x = buffers.x_states + i * (l * b) + j * b;
      double* const hidden_old = buffers.hidden_old_kept + i * (l * b) + j * b;
      double* const cell_old = buffers.cell_old_kept + i * (l * b) + j * b;
      const double* const weights = main_params + j * (8 * b);
      const double* const forget_biases_row = main_params + j * (8 * b) + 4 * b;
      const double* const ingate_weights_row = main_params + j * (8 * b) + b;
      const double* const ingate_biases_row = main_params + j * (8 * b) + 5 * b;
      const double* const outgate_weights_row = main_params + j * (8 * b) + 2 * b;
      const double* const outgate_biases_row = main_params + j * (8 * b) + 6 * b;
      const double* const change_weights_row = main_params + j * (8 * b) + 3 * b;
      const double* const change_biases_row = main_params + j * (8 * b) + 7 * b;
      for (int64_t s = 0; s < b; ++s) buffers.cell_adj[s] = buffers.state_adj[j * (2 * b) + b + s];
      double* const hidden_adj = buffers.state_adj + j * (2 * b);
      double* const change_biases_adj_row = main_params_adj + j * (8 * b) + 7 * b;
      double* const change_weights_adj_row = main_params_adj + j * (8 * b) + 3 * b;
      double* const outgate_biases_adj_row = main_params_adj + j * (8 * b) + 6 * b;
      double* const outgate_weights_adj_row = main_params_adj + j * (8 * b) + 2 * b;
      double* const ingate_biases_adj_row = main_params_adj + j * (8 * b) + 5 * b;
      double* const ingate_weights_adj_row = main_params_adj + j * (8 * b) + b;
      double* const forget_biases_adj_row = main_params_adj + j * (8 * b) + 4 * b;
      double* const weights_adj_row = main_params_adj + j * (8 * b);

      // lstm.fut:13, return sweep of `weights[i]`: reverse_index
      INDEPENDENT_ITERATIONS
      for (int64_t s = 0; s < b; ++s) {
        const double forget_x = x[s];
        const double weight = weights[s];
        const double gate_x = hidden_old[s];
        const double ingate_weight = ingate_weights_row[s];
        const double outgate_weight = outgate_weights_row[s];
        const double change_weight = change_weights_row[s];
        const double c = cell_old[s];
        const double x_adj = buffers.last_adj[s];
        double gate_hidden_adj = hidden_adj[s];
        double cell_adj = buffers.cell_adj[s];
        const double change_bias_adj = change_biases_adj_row[s];
        const double change_weight_adj = change_weights_adj_row[s];
        const double outgate_bias_adj = outgate_biases_adj_row[s];
        const double outgate_weight_adj = outgate_weights_adj_row[s];
        const double ingate_bias_adj = ingate_biases_adj_row[s];
        const double ingate_weight_adj = ingate_weights_adj_row[s];
        const double forget_bias_adj = forget_biases_adj_row[s];
        const double predict_part_adj = weights_adj_row[s];
        const double layer_x = forget_x * weight + forget_biases_row[s];
        const double forget = sigmoid(layer_x);
        const double ingate_x = gate_x * ingate_weight + ingate_biases_row[s];
        const double ingate = sigmoid(ingate_x);
        const double outgate_x = forget_x * outgate_weight + outgate_biases_row[s];
        const double change = vector_tanh(gate_x * change_weight + change_biases_row[s]);
        const double cell = c * forget + ingate * change;
        gate_hidden_adj += x_adj;
        const double new_hidden_tanh = vector_tanh(cell);
        cell_adj +=
            gate_hidden_adj * sigmoid(outgate_x) * (1.0 - new_hidden_tanh * new_hidden_tanh);
        const double bias_adj = cell_adj * ingate * (1.0 - change * change);
        const double outgate_x_adj = sigmoid_vjp(outgate_x, gate_hidden_adj * new_hidden_tanh);
        const double ingate_x_adj = sigmoid_vjp(ingate_x, cell_adj * change);
        const double layer_x_adj = sigmoid_vjp(layer_x, cell_adj * c);
        buffers.forget_cell_adj[s] = cell_adj * forget;
        change_biases_adj_row[s] = change_bias_adj + bias_adj;
        change_weights_adj_row[s] = change_weight_adj + bias_adj * gate_x;
        outgate_biases_adj_row[s] = outgate_bias_adj + outgate_x_adj;
        outgate_weights_adj_row[s] = outgate_weight_adj + outgate_x_adj * forget_x;
        buffers.forget_hidden_adj[s] = bias_adj * change_weight + ingate_x_adj * ingate_weight;
        ingate_biases_adj_row[s] = ingate_bias_adj + ingate_x_adj;
        ingate_weights_adj_row[s] = ingate_weight_adj + ingate_x_adj * gate_x;
        buffers.last_adj[s] = outgate_x_adj * outgate_weight + layer_x_adj * weight;
        forget_biases_adj_row[s] = forget_bias_adj + layer_x_adj;
        weights_adj_row[s] = predict_part_adj + layer_x_adj * forget_x;
      }
      for (int64_t s = 0; s < b; ++s) buffers.state_adj[j * (2 * b) + b + s] = 0.0;
      double* const objective_part_adj_row = buffers.state_adj + j * (2 * b) + b;

      // state_adj[j, 1, s] = objective_part_adj_row[s] + forget_cell_adj[s]
      //   lstm.fut:31, return sweep of `state[i, 1]`: reverse_index
      for (int64_t s = 0; s < b; ++s) {
        const double objective_part_adj = objective_part_adj_row[s];
        const double forget_cell_adj = buffers.forget_cell_adj[s];
        objective_part_adj_row[s] = objective_part_adj + forget_cell_adj;
      }
      for (int64_t s = 0; s < b; ++s) hidden_adj[s] = 0.0;
      double* const part_adj_row_again = buffers.state_adj + j * (2 * b);

      // state_adj[j * 2 * b + s] = part_adj_row_again[s] + forget_hidden_adj[s]
      //   lstm.fut:31, return sweep of `state[i, 0]`: reverse_index
      for (int64_t s = 0; s < b; ++s) {
        const double predict_part_adj = part_adj_row_again[s];
        const double forget_hidden_adj = buffers.forget_hidden_adj[s];
        part_adj_row_again[s] = predict_part_adj + forget_hidden_adj;
      }
    }

    // extra_adj[j] += last_adj[j] * input[j]
    //   lstm.fut:28, return sweep of `map2 (*) input extra[0]`: reverse_map
    for (int64_t j = 0; j < b; ++j) {
      const double first_adj = buffers.last_adj[j];
      buffers.extra_adj[j] += first_adj * input[j];
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t j = 0; j < b; ++j) extra_params_adj[2 * b + j] = buffers.biases_adj[j];
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t j = 0; j < b; ++j) extra_params_adj[b + j] = buffers.weights_adj[j];
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(b, 4) > 1)
#endif
  for (int64_t j = 0; j < b; ++j) extra_params_adj[j] = buffers.extra_adj[j];
  return failure->check == 0 ? Status::success : Status::check_failed;
}

std::string failure_text(const Failure& failure) {
  switch (failure.check) {
    case 1:
      return "lstm.fut:43: size is " + std::to_string(failure.values[0]) + " instead of " +
             std::to_string(failure.values[1]);
    default:
      return "";
  }
}

}  // namespace lstm
