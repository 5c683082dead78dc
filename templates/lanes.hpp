// Numbers of several points of a loop, as vectors.
#pragma once

#include <cstddef>
#include <cstdint>

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
  typedef T Type __attribute__((vector_size(static_cast<std::size_t>(n) * sizeof(T)), aligned(alignof(T)), may_alias));
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
template <typename T, int64_t n, bool is_vector = n * static_cast<int64_t>(sizeof(T)) <= vector_bytes>
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
  friend Lanes operator+(const Lanes& x, const Lanes& y) { return {x.low + y.low, x.high + y.high}; }
  friend Lanes operator-(const Lanes& x, const Lanes& y) { return {x.low - y.low, x.high - y.high}; }
  friend Lanes operator*(const Lanes& x, const Lanes& y) { return {x.low * y.low, x.high * y.high}; }
  friend Lanes operator/(const Lanes& x, const Lanes& y) { return {x.low / y.low, x.high / y.high}; }
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
