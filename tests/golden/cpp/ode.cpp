// ode.cpp: C++ for the entry points of ode.fut, declared in ode.hpp.
// Written by `boustro translate ode.fut`; yours to edit. C++17; `-fopenmp` uses all cores.
//
//   growth_gradient [n] (steps: i64) (rs: [n]f64) (y0s: [n]f64) : ([n]f64, [n]f64)
//     = vjp (\(rs, y0s) -> f64.sum (map2 (grow steps) rs y0s)) (rs, y0s) 1            ode.fut:7

#include "ode.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace ode {
namespace {

// ---------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------

/// Points that are computed at a time: two vectors of f64 where a vector has 512 bits, four where
/// it has 256, enough for additions not to wait for each other.
constexpr int64_t max_lanes = 16;

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

// ---------------------------------------------------------------------------------------
// Scratch memory of growth_gradient
// ---------------------------------------------------------------------------------------

struct GrowthGradientScratch : Scratch {
  int64_t trips, chunk_size, last_chunk, parts;

  double* chunk_y_states =
      take<double>(parts * (last_chunk + 1) * max_lanes);  // [parts][last_chunk + 1][max_lanes]
  double* y_states = take<double>(parts * std::min(chunk_size, trips) *
                                  max_lanes);  // [parts][grow_steps][max_lanes]
};

}  // namespace

// ---------------------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------------------

Status growth_gradient_scratch(std::size_t* bytes, int64_t steps, int64_t n) {
  if (n < 0) return Status::invalid_value;
  const int64_t trips = std::max<int64_t>(steps, 0);
  const int64_t some_trips = std::max<int64_t>(steps, 1);
  const int64_t chunk_size =
      static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(some_trips))));
  const int64_t last_chunk = (some_trips - 1) / chunk_size;
  const int64_t parts =
      parts_for(n, 109285, 0, (last_chunk + 1 + std::min(chunk_size, trips)) * max_lanes);
  *bytes = GrowthGradientScratch{Scratch(nullptr), trips, chunk_size, last_chunk, parts}.bytes();
  return Status::success;
}

Status growth_gradient(double* __restrict__ rs_adj, double* __restrict__ y0s_adj, int64_t steps,
                       const double* __restrict__ rs, const double* __restrict__ y0s, int64_t n,
                       void* scratch, std::size_t scratch_bytes) {
  if (n < 0) return Status::invalid_value;
  const int64_t trips = std::max<int64_t>(steps, 0);
  const int64_t some_trips = std::max<int64_t>(steps, 1);
  const int64_t chunk_size =
      static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(some_trips))));
  const int64_t last_chunk = (some_trips - 1) / chunk_size;
  const int64_t parts =
      parts_for(n, 109285, 0, (last_chunk + 1 + std::min(chunk_size, trips)) * max_lanes);
  const GrowthGradientScratch buffers{Scratch(scratch), trips, chunk_size, last_chunk, parts};
  if (!buffers.fits(scratch_bytes)) return Status::invalid_value;

#ifdef _OPENMP
#pragma omp parallel for if (parts > 1)
#endif
  // ode.fut:8, return sweep of `map2 (grow steps) rs y0s`: reverse_map
  for (int64_t part = 0; part < parts; ++part) {
    double* const chunk_y_states = buffers.chunk_y_states + part * ((last_chunk + 1) * max_lanes);
    double* const y_states =
        buffers.y_states + part * (std::max<int64_t>(std::min(chunk_size, trips), 0) * max_lanes);
    const int64_t begin = begin_of_part(part, n, parts);
    const int64_t end = begin_of_part(part + 1, n, parts);
    for_lanes(begin, end, [&](auto lanes, int64_t i) {
      const Lanes<double, lanes> product = 0.01 * load_lanes<lanes>(rs + i);
      Lanes<double, lanes> y = load_lanes<lanes>(y0s + i);
      for (int64_t chunk = 0; chunk < last_chunk + 1; ++chunk) {
        store_lanes<lanes>(chunk_y_states + chunk * lanes, y);
        for (int64_t j = 0; j < std::min(chunk_size, trips - chunk * chunk_size); ++j) {
          y += product * y * (1.0 - y);
        }
      }
      Lanes<double, lanes> y_adj = 1.0;
      Lanes<double, lanes> product_adj = 0.0;
      for (int64_t chunk = last_chunk; chunk >= 0; --chunk) {
        const int64_t length = std::min(chunk_size, trips - chunk * chunk_size);
        Lanes<double, lanes> other_y = load_lanes<lanes>(chunk_y_states + chunk * lanes);
        for (int64_t j = 0; j < length; ++j) {
          store_lanes<lanes>(y_states + j * lanes, other_y);
          other_y += product * other_y * (1.0 - other_y);
        }
        for (int64_t j = length - 1; j >= 0; --j) {
          const Lanes<double, lanes> y_again = load_lanes<lanes>(y_states + j * lanes);
          const Lanes<double, lanes> term = y_adj * (1.0 - y_again);
          y_adj = y_adj - y_adj * (product * y_again) + term * product;
          product_adj += term * y_again;
        }
      }
      store_lanes<lanes>(rs_adj + i, product_adj * 0.01);
      store_lanes<lanes>(y0s_adj + i, y_adj);
    });
  }
  return Status::success;
}

}  // namespace ode
