// gmm.cpp: C++ for the entry points of gmm.fut, declared in gmm.hpp.
// Written by `boustro translate gmm.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   calculate_objective [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs:
//     [n][d]f64) (gamma: f64) (m: i64) : f64
//     = objective alphas means icf xs gamma m                                        gmm.fut:62
//
//   calculate_jacobian [n] [k] [d] [l] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) (xs:
//     [n][d]f64) (gamma: f64) (m: i64) : ([k]f64, [k][d]f64, [k][l]f64)
//     = vjp (\(alphas, means, icf) -> objective alphas means icf xs gamma m) (alphas, means, icf) 1
//                                                                                    gmm.fut:73

#include "gmm.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace gmm {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Bytes of the longest vectors for which an operation is one instruction.
#if defined(__AVX512F__)
constexpr int64_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr int64_t vector_bytes = 32;
#else
constexpr int64_t vector_bytes = 16;
#endif

/// Vector of `n` numbers, an extension of C++ that GCC and Clang have.
template <typename T, int64_t n>
struct VectorOf {
  typedef T Type __attribute__((vector_size(static_cast<std::size_t>(n) * sizeof(T)),
                                aligned(alignof(T)), may_alias));
  static T element(const Type& vector, int64_t lane) { return vector[lane]; }
};
template <typename T>
struct VectorOf<T, 1> {
  using Type = T;
  static T element(T only, int64_t /*lane*/) { return only; }
};

/// A number for each of `n` points; a single number converts to the same for all of them.
/// Arithmetic is done point by point. What exceeds a vector is held as two halves, and these again,
/// since compilers keep members in registers, but not elements of arrays.
template <typename T, int64_t n,
          bool is_vector = n * static_cast<int64_t>(sizeof(T)) <= vector_bytes>
struct Lanes {
  using Self = Lanes;
  using Half = Lanes<T, n / 2>;
  Half low, high;

  Lanes() = default;
  Lanes(T x) : low(x), high(x) {}
  Lanes(const Half& x, const Half& y) : low(x), high(y) {}
  static Lanes load(const T* from) { return {Half::load(from), Half::load(from + n / 2)}; }
  void store(T* to) const { low.store(to), high.store(to + n / 2); }
  T operator[](int64_t lane) const { return lane < n / 2 ? low[lane] : high[lane - n / 2]; }
  Lanes operator-() const { return {-low, -high}; }
  friend Lanes operator+(const Lanes& x, const Lanes& y) {
    return {x.low + y.low, x.high + y.high};
  }
  friend Lanes operator-(const Lanes& x, const Lanes& y) {
    return {x.low - y.low, x.high - y.high};
  }
  friend Lanes operator*(const Lanes& x, const Lanes& y) {
    return {x.low * y.low, x.high * y.high};
  }
  friend Lanes operator/(const Lanes& x, const Lanes& y) {
    return {x.low / y.low, x.high / y.high};
  }
  Lanes& operator+=(const Lanes& x) { return *this = *this + x; }
  Lanes& operator-=(const Lanes& x) { return *this = *this - x; }
  Lanes& operator*=(const Lanes& x) { return *this = *this * x; }
};
template <typename T, int64_t n>
struct Lanes<T, n, true> {
  using Self = Lanes;
  using Vector = typename VectorOf<T, n>::Type;
  Vector of;

  Lanes() = default;
  Lanes(T x) : of(x - Vector{}) {}
  static Lanes of_vector(const Vector& x) {
    Lanes result;
    result.of = x;
    return result;
  }
  static Lanes load(const T* from) { return of_vector(*reinterpret_cast<const Vector*>(from)); }
  void store(T* to) const { *reinterpret_cast<Vector*>(to) = of; }
  T operator[](int64_t lane) const { return VectorOf<T, n>::element(of, lane); }
  Lanes operator-() const { return of_vector(-of); }
  friend Lanes operator+(const Lanes& x, const Lanes& y) { return of_vector(x.of + y.of); }
  friend Lanes operator-(const Lanes& x, const Lanes& y) { return of_vector(x.of - y.of); }
  friend Lanes operator*(const Lanes& x, const Lanes& y) { return of_vector(x.of * y.of); }
  friend Lanes operator/(const Lanes& x, const Lanes& y) { return of_vector(x.of / y.of); }
  Lanes& operator+=(const Lanes& x) { return *this = *this + x; }
  Lanes& operator-=(const Lanes& x) { return *this = *this - x; }
  Lanes& operator*=(const Lanes& x) { return *this = *this * x; }
};

/// Loads `n` numbers from `from` on.
template <int64_t n, typename T>
Lanes<T, n> load_lanes(const T* from) {
  return Lanes<T, n>::load(from);
}
template <int64_t n, typename T>
void store_lanes(T* to, const typename Lanes<T, n>::Self& numbers) {
  numbers.store(to);
}

/// Points that are computed at a time: two vectors of f64 where a vector has 512 bits, four where
/// it has 256, enough for additions not to wait for each other.
constexpr int64_t max_lanes = 16;

/// Maximum number of parts into which a loop that workers share is divided.
constexpr int64_t max_parts = 64;

/// Least work, in additions, of each part of a loop that workers share.
constexpr int64_t least_part_work = 1 << 15;

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

/// Implements add_products: `n` neighbouring sums at a time, the rest in vectors of half as many.
template <int64_t lanes, int64_t n, typename T>
void add_products_by(T* sums, int64_t count, const T* factors, const T* rows, int64_t size) {
  int64_t s = 0;
  for (; s + n <= count; s += n) {
    auto sum = load_lanes<n>(sums + s);
    for (int64_t lane = 0; lane < lanes; ++lane)
      sum += factors[lane] * load_lanes<n>(rows + lane * size + s);
    store_lanes<n>(sums + s, sum);
  }
  if constexpr (n > 1) add_products_by<lanes, n / 2>(sums + s, count - s, factors, rows + s, size);
}

/// Computes sums[s] += factors[0] * rows[s] + ... + factors[lanes - 1] * rows[(lanes - 1) * size +
/// s] for all s < `count`. Each sum is added up in this order, however wide vectors are.
template <int64_t lanes, typename T>
void add_products(T* sums, int64_t count, const T* factors, const T* rows, int64_t size) {
  constexpr int64_t width = vector_bytes / static_cast<int64_t>(sizeof(T));
  add_products_by<lanes, 2 * width>(sums, count, factors, rows, size);
}

/// Returns the first point of `part`, which is the end of the part before. Parts consist of whole
/// tiles of max_lanes points, but for the last tile.
int64_t begin_of_part(int64_t part, int64_t points, int64_t parts) {
  const int64_t tiles = (points + max_lanes - 1) / max_lanes;
  return std::min(part * tiles / parts * max_lanes, points);
}

/// Calls body(lanes, i) for the points i, i + 1, ..., i + lanes - 1, until all from `begin` up to
/// `end` are covered: max_lanes at a time, and the last ones one by one. `lanes` is a constant, so
/// that loops over lanes become vector instructions.
template <typename Body>
void for_lanes(int64_t begin, int64_t end, const Body& body) {
  int64_t i = begin;
  for (; i + max_lanes <= end; i += max_lanes)
    body(std::integral_constant<int64_t, max_lanes>(), i);
  for (; i < end; ++i) body(std::integral_constant<int64_t, 1>(), i);
}

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

/// x + y, wrapping around: unsigned arithmetic has the same low bits.
template <typename T>
T wrapping_add(T x, T y) {
  return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_objective
// ---------------------------------------------------------------------------------------

struct CalculateObjectiveScratch : Scratch {
  int64_t k, d, parts;

  double* qs = take<double>(k * d * d);  // [k][d][d]
  double* log_dets = take<double>(k);
  double* largest_xs = take<double>(parts * k * max_lanes);  // [parts][k][max_lanes]
  double* difference = take<double>(parts * d * max_lanes);  // [parts][d][max_lanes]
};

// ---------------------------------------------------------------------------------------
// Scratch memory of calculate_jacobian
// ---------------------------------------------------------------------------------------

struct CalculateJacobianScratch : Scratch {
  int64_t k, d, l, objective_parts, qs_parts;

  double* log_dets = take<double>(k);
  double* qs = take<double>(k * d * d);      // [k][d][d]
  double* qs_adj = take<double>(k * d * d);  // [k][d][d]
  double* objective_log_dets_adj = take<double>(k);
  double* means_adj_sums = take<double>(k * d);   // [k][d]
  double* qs_adj_sums = take<double>(k * d * d);  // [k][d][d]
  double* alphas_adj_of_parts =
      take<double>((objective_parts - 1) * k);  // [objective_parts - 1][k]
  double* log_dets_adj_of_parts =
      take<double>((objective_parts - 1) * k);  // [objective_parts - 1][k]
  double* means_adj_sums_of_parts =
      take<double>((objective_parts - 1) * k * d);  // [objective_parts - 1][k][d]
  double* qs_adj_sums_of_parts =
      take<double>((objective_parts - 1) * k * d * d);  // [objective_parts - 1][k][d][d]
  double* largest_xs =
      take<double>(objective_parts * k * max_lanes);  // [objective_parts][k][max_lanes]
  double* difference =
      take<double>(objective_parts * d * max_lanes);  // [objective_parts][d][max_lanes]
  double* objective_difference =
      take<double>(objective_parts * d * max_lanes);  // [objective_parts][d][max_lanes]
  double* other_means_adj = take<double>(k * d);      // [k][d]
  double* row_adj = take<double>(qs_parts * l);       // [qs_parts][l]
  double* qs_icf_adj = take<double>(qs_parts * l);    // [qs_parts][l]
  double* objective_difference_rows =
      take<double>(objective_parts * d * max_lanes);  // [objective_parts][max_lanes][d]
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status calculate_objective_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                   int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 10 * d * d * k, 0, (k + d) * max_lanes);
  *bytes = CalculateObjectiveScratch{Scratch(nullptr), k, d, parts}.bytes();
  return Status::success;
}

Status calculate_objective(double* __restrict__ result, const double* __restrict__ alphas,
                           const double* __restrict__ means, const double* __restrict__ icf,
                           const double* __restrict__ xs, double gamma_, int64_t m, int64_t n,
                           int64_t k, int64_t d, int64_t l, void* scratch,
                           std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t parts = parts_for(n, 10 * d * d * k, 0, (k + d) * max_lanes);
  const CalculateObjectiveScratch buffers{Scratch(scratch), k, d, parts};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 22 * d * d) > 1)
#endif
  // qs[j, t, u] = 0, if t < u
  // qs[j, t, u] = exp(icf[j, t]), if t == u
  // qs[j, t, u] = icf[j, d + (d * 2 - u - 1) * u / 2 + t - u - 1], if t > u
  //   gmm.fut:48, `map (unpack d) icf`
  for (int64_t j = 0; j < k; ++j) {
    const double* const icf_row = icf + j * l;
    for (int64_t t = 0; t < d; ++t) {
      for (int64_t u = 0; u < d; ++u) {
        if (t < u) {
          buffers.qs[j * (d * d) + t * d + u] = 0.0;
        } else if (t == u) {
          buffers.qs[j * (d * d) + t * d + u] = vector_exp(icf_row[t]);
        } else {
          const int64_t sum = d + (d * 2 - u - 1) * u / 2;
          buffers.qs[j * (d * d) + t * d + u] = icf_row[sum + t - u - 1];
        }
      }
    }
  }

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 5 * d) > 1)
#endif
  // log_dets[j] = sum_{t < d} icf[j, t]
  //   gmm.fut:49, `map (\row -> f64.sum (#[unsafe] row[:d])) icf`
  for (int64_t tile = 0; tile < k; tile += max_lanes) {
    for_lanes(tile, std::min(tile + max_lanes, k), [&](auto lanes, int64_t j) {
      double log_det[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) log_det[lane] = 0.0;
      for (int64_t t = 0; t < d; ++t) {
        for (int64_t lane = 0; lane < lanes; ++lane) log_det[lane] += icf[(j + lane) * l + t];
      }
      for (int64_t lane = 0; lane < lanes; ++lane) buffers.log_dets[j + lane] = log_det[lane];
    });
  }
  double total_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  // gmm.fut:56, `f64.sum (map log_density xs)`
  for (int64_t part = 0; part < parts; ++part) {
    double* const largest_xs = buffers.largest_xs + part * (k * max_lanes);
    double* const difference = buffers.difference + part * (d * max_lanes);
    const int64_t begin = begin_of_part(part, n, parts);
    const int64_t end = begin_of_part(part + 1, n, parts);
    double own_total = 0.0;
    for_lanes(begin, end, [&](auto lanes, int64_t i) {
      double largest[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) largest[lane] = -INFINITY;
      for (int64_t j = 0; j < k; ++j) {
        const double* const mean = means + j * d;
        double* const q = buffers.qs + j * (d * d);
        const double log_det = buffers.log_dets[j];
        for (int64_t t = 0; t < d; ++t) {
          for (int64_t lane = 0; lane < lanes; ++lane) {
            difference[t * lanes + lane] = xs[(i + lane) * d + t] - mean[t];
          }
        }
        Lanes<double, lanes> total = 0.0;
        for (int64_t t = 0; t < d; ++t) {
          double* const ys = q + t * d;
          Lanes<double, lanes> dot_total = 0.0;
          for (int64_t s = 0; s < t + 1; ++s) {
            const Lanes<double, lanes> x = load_lanes<lanes>(difference + s * lanes);
            const double y = ys[s];
            dot_total += x * y;
          }
          total += dot_total * dot_total;
        }
        const Lanes<double, lanes> log_density_difference = alphas[j] + log_det - 0.5 * total;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          largest[lane] = std::fmax(largest[lane], log_density_difference[lane]);
        }
        store_lanes<lanes>(largest_xs + j * lanes, log_density_difference);
      }
      double total[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) total[lane] = 0.0;
      for (int64_t j = 0; j < k; ++j) {
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const double largest_x = largest_xs[j * lanes + lane];
          total[lane] += vector_exp(largest_x - largest[lane]);
        }
      }
      for (int64_t lane = 0; lane < lanes; ++lane) {
        own_total += largest[lane] + vector_log(total[lane]);
      }
    });
    total_of_parts[part] = own_total;
  }
  double objective_total = total_of_parts[0];
  for (int64_t part = 1; part < parts; ++part) objective_total += total_of_parts[part];
  const int64_t largest_parts = parts_for(k, 5);
  double largest_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (largest_parts > 1)
#endif
  // gmm.fut:15, `f64.maximum xs`
  for (int64_t part = 0; part < largest_parts; ++part) {
    const int64_t begin = part * k / largest_parts;
    const int64_t end = (part + 1) * k / largest_parts;
    double own_largest = -INFINITY;
    for (int64_t j = begin; j < end; ++j) own_largest = std::fmax(own_largest, alphas[j]);
    largest_of_parts[part] = own_largest;
  }
  double logsumexp_largest = largest_of_parts[0];
  for (int64_t part = 1; part < largest_parts; ++part) {
    logsumexp_largest = std::fmax(logsumexp_largest, largest_of_parts[part]);
  }
  const int64_t logsumexp_parts = parts_for(k, 22);
  double logsumexp_total_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (logsumexp_parts > 1)
#endif
  // gmm.fut:16, `f64.sum (map (\x -> f64.exp (x - largest)) xs)`
  for (int64_t part = 0; part < logsumexp_parts; ++part) {
    const int64_t begin = part * k / logsumexp_parts;
    const int64_t end = (part + 1) * k / logsumexp_parts;
    double own_total = 0.0;
    for (int64_t j = begin; j < end; ++j) own_total += vector_exp(alphas[j] - logsumexp_largest);
    logsumexp_total_of_parts[part] = own_total;
  }
  double logsumexp_total = logsumexp_total_of_parts[0];
  for (int64_t part = 1; part < logsumexp_parts; ++part) {
    logsumexp_total += logsumexp_total_of_parts[part];
  }
  const double objective_difference =
      objective_total - 0.5 * static_cast<double>(d * n) * 1.8378770664093453 /* log(2 * pi) */ -
      static_cast<double>(n) * (logsumexp_largest + vector_log(logsumexp_total));
  const double degrees = static_cast<double>(wrapping_add(wrapping_add(d, m), int64_t{1}));
  const double a = 0.5 * degrees;
  const int64_t normaliser_parts = parts_for(d, 36);
  double normaliser_total_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (normaliser_parts > 1)
#endif
  // gmm.fut:30, `f64.sum terms`
  for (int64_t part = 0; part < normaliser_parts; ++part) {
    const int64_t begin = part * d / normaliser_parts;
    const int64_t end = (part + 1) * d / normaliser_parts;
    double own_total = 0.0;
    for (int64_t t = begin; t < end; ++t) {
      own_total += std::lgamma(a - 0.5 * static_cast<double>(t));
    }
    normaliser_total_of_parts[part] = own_total;
  }
  double normaliser_total = normaliser_total_of_parts[0];
  for (int64_t part = 1; part < normaliser_parts; ++part) {
    normaliser_total += normaliser_total_of_parts[part];
  }
  const double normaliser =
      degrees * static_cast<double>(d) *
          (vector_log(gamma_) - 0.34657359027997264 /* 0.5 * log(2) */) -
      (0.25 * static_cast<double>(d * (d - 1)) * 1.1447298858494002 /* log(pi) */ +
       normaliser_total);
  const double product = 0.5 * gamma_ * gamma_;
  const int64_t component_n = d * d;
  const double m_real = static_cast<double>(m);
  const int64_t log_wishart_prior_parts = parts_for(k, 6 * component_n);
  double log_wishart_prior_total_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (log_wishart_prior_parts > 1)
#endif
  // gmm.fut:39, `f64.sum (map2 component qs log_dets)`
  for (int64_t part = 0; part < log_wishart_prior_parts; ++part) {
    const int64_t begin = begin_of_part(part, k, log_wishart_prior_parts);
    const int64_t end = begin_of_part(part + 1, k, log_wishart_prior_parts);
    double own_total = 0.0;
    for_lanes(begin, end, [&](auto lanes, int64_t j) {
      double log_det[lanes];
      double total[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) {
        log_det[lane] = buffers.log_dets[j + lane];
        total[lane] = 0.0;
      }
      for (int64_t r = 0; r < component_n; ++r) {
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const double x = buffers.qs[(j + lane) * (d * d) + r];
          total[lane] += x * x;
        }
      }
      for (int64_t lane = 0; lane < lanes; ++lane) {
        own_total += product * total[lane] - m_real * log_det[lane];
      }
    });
    log_wishart_prior_total_of_parts[part] = own_total;
  }
  double log_wishart_prior_total = log_wishart_prior_total_of_parts[0];
  for (int64_t part = 1; part < log_wishart_prior_parts; ++part) {
    log_wishart_prior_total += log_wishart_prior_total_of_parts[part];
  }
  result[0] =
      objective_difference + (log_wishart_prior_total - static_cast<double>(k) * normaliser);
  return Status::success;
}

Status calculate_jacobian_scratch(std::size_t* bytes, int64_t /*m*/, int64_t n, int64_t k,
                                  int64_t d, int64_t l) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t objective_parts =
      parts_for(n, 31 * d * d * k, k + k + k * d + k * d * d, (k + d + d) * max_lanes);
  const int64_t qs_parts = parts_for(k, 43 * d * d + 9 * l, 0, l + l);
  *bytes = CalculateJacobianScratch{Scratch(nullptr), k, d, l, objective_parts, qs_parts}.bytes();
  return Status::success;
}

Status calculate_jacobian(double* __restrict__ alphas_adj, double* __restrict__ means_adj,
                          double* __restrict__ icf_adj, const double* __restrict__ alphas,
                          const double* __restrict__ means, const double* __restrict__ icf,
                          const double* __restrict__ xs, double gamma_, int64_t m, int64_t n,
                          int64_t k, int64_t d, int64_t l, void* scratch,
                          std::size_t scratch_bytes) {
  if (n < 0 || k < 0 || d < 0 || l < 0) return Status::invalid_value;
  const int64_t objective_parts =
      parts_for(n, 31 * d * d * k, k + k + k * d + k * d * d, (k + d + d) * max_lanes);
  const int64_t qs_parts = parts_for(k, 43 * d * d + 9 * l, 0, l + l);
  const CalculateJacobianScratch buffers{Scratch(scratch), k, d, l, objective_parts, qs_parts};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 5 * d) > 1)
#endif
  // log_dets[j] = sum_{t < d} icf[j, t]
  //   gmm.fut:49, `map (\row -> f64.sum (#[unsafe] row[:d])) icf`
  for (int64_t tile = 0; tile < k; tile += max_lanes) {
    for_lanes(tile, std::min(tile + max_lanes, k), [&](auto lanes, int64_t j) {
      double log_det[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) log_det[lane] = 0.0;
      for (int64_t t = 0; t < d; ++t) {
        for (int64_t lane = 0; lane < lanes; ++lane) log_det[lane] += icf[(j + lane) * l + t];
      }
      for (int64_t lane = 0; lane < lanes; ++lane) buffers.log_dets[j + lane] = log_det[lane];
    });
  }
  const int64_t parts = parts_for(k, 5);
  double largest_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  // gmm.fut:15, `f64.maximum xs`
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = part * k / parts;
    const int64_t end = (part + 1) * k / parts;
    double own_largest = -INFINITY;
    for (int64_t j = begin; j < end; ++j) own_largest = std::fmax(own_largest, alphas[j]);
    largest_of_parts[part] = own_largest;
  }
  double largest = largest_of_parts[0];
  for (int64_t part = 1; part < parts; ++part) {
    largest = std::fmax(largest, largest_of_parts[part]);
  }
  const int64_t logsumexp_parts = parts_for(k, 22);
  double total_of_parts[max_parts];

#ifdef _OPENMP
#pragma omp parallel for if (logsumexp_parts > 1)
#endif
  // gmm.fut:16, `f64.sum (map (\x -> f64.exp (x - largest)) xs)`
  for (int64_t part = 0; part < logsumexp_parts; ++part) {
    const int64_t begin = part * k / logsumexp_parts;
    const int64_t end = (part + 1) * k / logsumexp_parts;
    double own_total = 0.0;
    for (int64_t j = begin; j < end; ++j) own_total += vector_exp(alphas[j] - largest);
    total_of_parts[part] = own_total;
  }
  double total = total_of_parts[0];
  for (int64_t part = 1; part < logsumexp_parts; ++part) total += total_of_parts[part];
  const double product = 0.5 * gamma_ * gamma_;
  const double log_dets_adj = -static_cast<double>(m);

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 24 * d * d) > 1)
#endif
  // qs[j, t, u] = 0 if t < u else (exp(icf[j, t]) if t == u else result)
  // qs_adj[j, t, u] = 2 * product * (0 if t < u else (exp(icf[j, t]) if t == u else result))
  //   where result = icf[j, d + (d * 2 - u - 1) * u / 2 + t - u - 1]
  //   gmm.fut:39, return sweep of `map2 component qs log_dets`: reverse_map
  for (int64_t j = 0; j < k; ++j) {
    const double* const icf_row = icf + j * l;
    for (int64_t t = 0; t < d; ++t) {
      for (int64_t u = 0; u < d; ++u) {
        double result;
        if (t < u) {
          result = 0.0;
        } else if (t == u) {
          result = vector_exp(icf_row[t]);
        } else {
          const int64_t sum = d + (d * 2 - u - 1) * u / 2;
          result = icf_row[sum + t - u - 1];
        }
        const double term = product * result;
        buffers.qs[j * (d * d) + t * d + u] = result;
        buffers.qs_adj[j * (d * d) + t * d + u] = 2.0 * term;
      }
    }
  }
  const double total_adj = -(static_cast<double>(n) / total);
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 22) > 1)
#endif
  for (int64_t j = 0; j < k; ++j) alphas_adj[j] = total_adj * vector_exp(alphas[j] - largest);
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 4) > 1)
#endif
  for (int64_t j = 0; j < k; ++j) buffers.objective_log_dets_adj[j] = log_dets_adj;
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 4 * d) > 1)
#endif
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t t = 0; t < d; ++t) buffers.means_adj_sums[j * d + t] = 0.0;
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 4 * (d * d)) > 1)
#endif
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t t = 0; t < d; ++t) {
      for (int64_t s = 0; s < d; ++s) buffers.qs_adj_sums[j * (d * d) + t * d + s] = 0.0;
    }
  }

#ifdef _OPENMP
#pragma omp parallel for if (objective_parts > 1)
#endif
  // gmm.fut:56, return sweep of `map log_density xs`: reverse_map
  for (int64_t part = 0; part < objective_parts; ++part) {
    double* const largest_xs = buffers.largest_xs + part * (k * max_lanes);
    double* const difference = buffers.difference + part * (d * max_lanes);
    double* const objective_difference = buffers.objective_difference + part * (d * max_lanes);
    double* const objective_difference_rows =
        buffers.objective_difference_rows + part * (d * max_lanes);
    // The first part adds to the result itself, the others to copies.
    double* const own_alphas_adj =
        part == 0 ? alphas_adj : buffers.alphas_adj_of_parts + (part - 1) * k;
    if (part > 0) {
      std::fill_n(own_alphas_adj, k, 0.0);
    }
    double* const own_log_dets_adj =
        part == 0 ? buffers.objective_log_dets_adj : buffers.log_dets_adj_of_parts + (part - 1) * k;
    if (part > 0) {
      std::fill_n(own_log_dets_adj, k, 0.0);
    }
    double* const own_means_adj_sums =
        part == 0 ? buffers.means_adj_sums : buffers.means_adj_sums_of_parts + (part - 1) * (k * d);
    if (part > 0) {
      std::fill_n(own_means_adj_sums, k * d, 0.0);
    }
    double* const own_qs_adj_sums =
        part == 0 ? buffers.qs_adj_sums : buffers.qs_adj_sums_of_parts + (part - 1) * (k * (d * d));
    if (part > 0) {
      std::fill_n(own_qs_adj_sums, k * d * d, 0.0);
    }
    const int64_t begin = begin_of_part(part, n, objective_parts);
    const int64_t end = begin_of_part(part + 1, n, objective_parts);
    for_lanes(begin, end, [&](auto lanes, int64_t i) {
      double logsumexp_largest[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) logsumexp_largest[lane] = -INFINITY;
      for (int64_t j = 0; j < k; ++j) {
        const double* const mean = means + j * d;
        double* const q = buffers.qs + j * (d * d);
        const double log_det = buffers.log_dets[j];
        for (int64_t t = 0; t < d; ++t) {
          for (int64_t lane = 0; lane < lanes; ++lane) {
            difference[t * lanes + lane] = xs[(i + lane) * d + t] - mean[t];
          }
        }
        Lanes<double, lanes> dot_total = 0.0;
        for (int64_t t = 0; t < d; ++t) {
          double* const ys = q + t * d;
          Lanes<double, lanes> log_density_total = 0.0;
          for (int64_t s = 0; s < t + 1; ++s) {
            const Lanes<double, lanes> x = load_lanes<lanes>(difference + s * lanes);
            const double y = ys[s];
            log_density_total += x * y;
          }
          dot_total += log_density_total * log_density_total;
        }
        const Lanes<double, lanes> log_density_difference = alphas[j] + log_det - 0.5 * dot_total;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          logsumexp_largest[lane] =
              std::fmax(logsumexp_largest[lane], log_density_difference[lane]);
        }
        store_lanes<lanes>(largest_xs + j * lanes, log_density_difference);
      }
      double logsumexp_total[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) logsumexp_total[lane] = 0.0;
      for (int64_t j = 0; j < k; ++j) {
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const double largest_x = largest_xs[j * lanes + lane];
          logsumexp_total[lane] += vector_exp(largest_x - logsumexp_largest[lane]);
        }
      }
      double logsumexp_total_adj[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) {
        logsumexp_total_adj[lane] = 1.0 / logsumexp_total[lane];
      }
      for (int64_t j = 0; j < k; ++j) {
        const double* const mean = means + j * d;
        double x_adj[lanes];
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const double largest_x = largest_xs[j * lanes + lane];
          x_adj[lane] = logsumexp_total_adj[lane] * vector_exp(largest_x - logsumexp_largest[lane]);
        }
        for (int64_t t = 0; t < d; ++t) {
          for (int64_t lane = 0; lane < lanes; ++lane) {
            objective_difference[t * lanes + lane] = xs[(i + lane) * d + t] - mean[t];
            objective_difference_rows[lane * d + t] = objective_difference[t * lanes + lane];
          }
        }
        double added = 0.0;
        double added_2 = 0.0;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          added += x_adj[lane];
          added_2 += x_adj[lane];
        }
        own_alphas_adj[j] += added;
        own_log_dets_adj[j] += added_2;
        add_products<lanes>(own_means_adj_sums + j * d, d, x_adj, objective_difference_rows, d);
        for (int64_t t = 0; t < d; ++t) {
          double other_product[lanes];
          for (int64_t lane = 0; lane < lanes; ++lane) {
            const double other_difference = objective_difference[t * lanes + lane];
            other_product[lane] = x_adj[lane] * other_difference;
          }
          add_products<lanes>(own_qs_adj_sums + j * (d * d) + t * d, std::min(t / 16 * 16 + 16, d),
                              other_product, objective_difference_rows, d);
        }
      }
    });
  }
  for (int64_t part = 1; part < objective_parts; ++part) {
    for (int64_t j = 0; j < k; ++j) {
      alphas_adj[j] += buffers.alphas_adj_of_parts[(part - 1) * k + j];
    }
  }
  for (int64_t part = 1; part < objective_parts; ++part) {
    for (int64_t j = 0; j < k; ++j) {
      buffers.objective_log_dets_adj[j] += buffers.log_dets_adj_of_parts[(part - 1) * k + j];
    }
  }
  for (int64_t part = 1; part < objective_parts; ++part) {
    for (int64_t i = 0; i < k * d; ++i) {
      buffers.means_adj_sums[i] += buffers.means_adj_sums_of_parts[(part - 1) * (k * d) + i];
    }
  }
  for (int64_t part = 1; part < objective_parts; ++part) {
    for (int64_t i = 0; i < k * d * d; ++i) {
      buffers.qs_adj_sums[i] += buffers.qs_adj_sums_of_parts[(part - 1) * (k * (d * d)) + i];
    }
  }
#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 6 * d * d) > 1)
#endif
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t t = 0; t < d; ++t) {
      for (int64_t u = 0; u < d; ++u) {
        buffers.qs_adj_sums[j * (d * d) + t * d + u] =
            buffers.qs_adj_sums[j * (d * d) + std::max(t, u) * d + std::min(t, u)];
      }
    }
  }

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 10 * d * d * d) > 1)
#endif
  // gmm.fut:56, return sweep of `map log_density xs`: contraction
  for (int64_t j = 0; j < k; ++j) {
    double* const qs_row = buffers.qs + j * (d * d);
    double* const qs_adj_sums_row = buffers.qs_adj_sums + j * (d * d);
    double* const qs_adj_row = buffers.qs_adj + j * (d * d);
    for (int64_t t = 0; t < d; ++t) {
      double* const other_qs_row = qs_row + t * d;
      double* const other_qs_adj_row = qs_adj_row + t * d;
      for_lanes(0, d, [&](auto lanes, int64_t u) {
        const Lanes<double, lanes> qs_adj = load_lanes<lanes>(other_qs_adj_row + u);
        Lanes<double, lanes> other_total = 0.0;
        for (int64_t i = 0; i < t + 1; ++i) {
          const double q = other_qs_row[i];
          const Lanes<double, lanes> qs_adj_sum = load_lanes<lanes>(qs_adj_sums_row + i * d + u);
          other_total += q * qs_adj_sum;
        }
        store_lanes<lanes>(buffers.qs_adj + j * (d * d) + t * d + u, qs_adj - other_total);
      });
    }
  }

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 10 * d * d) > 1)
#endif
  // other_means_adj[j, t] = sum_{u < d} qs[j, t, u] * means_adj_sums[j, u]
  //   gmm.fut:56, return sweep of `map log_density xs`: contraction
  for (int64_t j = 0; j < k; ++j) {
    double* const qs_row = buffers.qs + j * (d * d);
    double* const means_adj_sums_row = buffers.means_adj_sums + j * d;
    for_lanes(0, d, [&](auto lanes, int64_t t) {
      double other_total[lanes];
      for (int64_t lane = 0; lane < lanes; ++lane) other_total[lane] = 0.0;
      for (int64_t u = 0; u < d; ++u) {
        const double means_adj_sum = means_adj_sums_row[u];
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const double q = qs_row[(t + lane) * d + u];
          other_total[lane] += q * means_adj_sum;
        }
      }
      for (int64_t lane = 0; lane < lanes; ++lane) {
        buffers.other_means_adj[j * d + (t + lane)] = other_total[lane];
      }
    });
  }

#ifdef _OPENMP
#pragma omp parallel for if (parts_for(k, 10 * d * d) > 1)
#endif
  // means_adj[j, t] = sum_{u < d} qs[j, u, t] * other_means_adj[j, u]
  //   gmm.fut:56, return sweep of `map log_density xs`: contraction
  for (int64_t j = 0; j < k; ++j) {
    double* const qs_row = buffers.qs + j * (d * d);
    double* const other_means_adj_row = buffers.other_means_adj + j * d;
    for_lanes(0, d, [&](auto lanes, int64_t t) {
      Lanes<double, lanes> other_total = 0.0;
      for (int64_t u = 0; u < d; ++u) {
        const Lanes<double, lanes> q = load_lanes<lanes>(qs_row + u * d + t);
        const double mean_adj = other_means_adj_row[u];
        other_total += q * mean_adj;
      }
      store_lanes<lanes>(means_adj + j * d + t, other_total);
    });
  }

#ifdef _OPENMP
#pragma omp parallel for if (qs_parts > 1)
#endif
  // gmm.fut:48, return sweep of `map (unpack d) icf`: reverse_map
  for (int64_t part = 0; part < qs_parts; ++part) {
    double* const row_adj = buffers.row_adj + part * l;
    double* const qs_icf_adj = buffers.qs_icf_adj + part * l;
    const int64_t begin = part * k / qs_parts;
    const int64_t end = (part + 1) * k / qs_parts;
    for (int64_t j = begin; j < end; ++j) {
      const double log_det_adj = buffers.objective_log_dets_adj[j];
      const double* const icf_row = icf + j * l;
      double* const q_adj = buffers.qs_adj + j * (d * d);
      for (int64_t s = 0; s < l; ++s) row_adj[s] = 0.0;
      for (int64_t t = 0; t < d; ++t) row_adj[t] = log_det_adj;
      for (int64_t s = 0; s < l; ++s) qs_icf_adj[s] = 0.0;
      for (int64_t t = 0; t < d; ++t) {
        double* const ys_adj = q_adj + t * d;
        for (int64_t u = 0; u < d; ++u) {
          const double y_adj = ys_adj[u];
          if (t >= u) {
            if (t == u) {
              qs_icf_adj[t] += y_adj * vector_exp(icf_row[t]);
            } else {
              const int64_t sum = d + (d * 2 - u - 1) * u / 2;
              qs_icf_adj[sum + t - u - 1] += y_adj;
            }
          }
        }
      }
      for (int64_t s = 0; s < l; ++s) {
        const double objective_icf_adj = row_adj[s];
        const double objective_qs_icf_adj = qs_icf_adj[s];
        icf_adj[j * l + s] = objective_icf_adj + objective_qs_icf_adj;
      }
    }
  }
  return Status::success;
}

}  // namespace gmm
