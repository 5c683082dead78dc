// The built-in mathematical functions; see scalar.hpp.
#include <cmath>
#include <concepts>
#include <numbers>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/scalar_representation.hpp"

namespace boustro::ir {
namespace {

using namespace representation;

template <typename T>
constexpr T pi = std::numbers::pi_v<T>;

// sin and cos of pi * x: reduced exactly first, so that multiples of 1/2 give exact results.
template <typename T>
T sin_of_pi(T x) {
  const T y = std::remainder(x, T{2});  // in [-1, 1]
  if (std::fabs(y) == 1) return std::copysign(T{0}, x);
  if (std::fabs(y) > T{0.5}) return std::sin(pi<T> * (std::copysign(T{1}, y) - y));
  return std::sin(pi<T> * y);
}
template <typename T>
T cos_of_pi(T x) {
  const T y = std::fabs(std::remainder(x, T{2}));  // in [0, 1]
  if (y < T{0.25}) return std::cos(pi<T> * y);
  if (y > T{0.75}) return -std::cos(pi<T> * (1 - y));
  return std::sin(pi<T> * (T{0.5} - y));
}

/// The high half of the product of 2 * width bits.
template <std::integral T>
T high_half(T x, T y) {
  __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<Wide>(x) * static_cast<Wide>(y) >> (8 * sizeof(T)));
}

/// The neighbour of x in the direction of y: the next larger or smaller bit pattern.
std::uint16_t next_f16(std::uint16_t x_bits, std::uint16_t y_bits) {
  const double x = values::f16_to_double(x_bits), y = values::f16_to_double(y_bits);
  if (std::isnan(x)) return x_bits;
  if (std::isnan(y) || x == y) return y_bits;
  if (x == 0) return y > 0 ? 0x0001 : 0x8001;
  return static_cast<std::uint16_t>((x > 0) == (x < y) ? x_bits + 1 : x_bits - 1);
}

// ---- Functions of one, two and three arguments of one type ---------------------------------------

template <PrimType P, auto op>
Bits call(const Bits* args) {
  using T = typename Cpp<P>::type;
  if constexpr (requires(T x) { op(x); }) return store<P>(op(load<P>(args[0])));
  else if constexpr (requires(T x) { op(x, x); }) return store<P>(op(load<P>(args[0]), load<P>(args[1])));
  else return store<P>(op(load<P>(args[0]), load<P>(args[1]), load<P>(args[2])));
}

template <auto op>
MathFunction on_floats(PrimType type) {
  return for_floats(type, [](auto p) -> MathFunction { return &call<p(), op>; });
}
template <auto op>
MathFunction on_integers(PrimType type) {
  return for_integers(type, [](auto p) -> MathFunction { return &call<p(), op>; });
}

/// As `call`, but for a result of type R.
template <PrimType P, PrimType R, auto op>
Bits call_to(const Bits* args) {
  return store<R>(op(load<P>(args[0])));
}
template <auto op>
MathFunction float_to_bool(PrimType type) {
  return for_floats(type, [](auto p) -> MathFunction { return &call_to<p(), PrimType::boolean, op>; });
}
template <auto op>
MathFunction integer_to_i32(PrimType type) {
  return for_integers(type, [](auto p) -> MathFunction { return &call_to<p(), PrimType::i32, op>; });
}

template <typename T>
std::make_unsigned_t<T> as_unsigned(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}

template <PrimType P>
Bits load_exponent(const Bits* args) {
  return store<P>(std::ldexp(load<P>(args[0]), load<PrimType::i32>(args[1])));
}

template <PrimType P>
Bits next_after(const Bits* args) {
  if constexpr (P == PrimType::f16) {
    return next_f16(static_cast<std::uint16_t>(args[0]), static_cast<std::uint16_t>(args[1]));
  } else {
    return store<P>(std::nextafter(load<P>(args[0]), load<P>(args[1])));
  }
}

Bits same_bits(const Bits* args) { return args[0]; }

}  // namespace

MathFunction function_of(MathFn fn, PrimType type) {
  switch (fn) {
    case MathFn::sqrt: return on_floats<[](auto x) { return std::sqrt(x); }>(type);
    case MathFn::cbrt: return on_floats<[](auto x) { return std::cbrt(x); }>(type);
    case MathFn::rsqrt: return on_floats<[](auto x) { return 1 / std::sqrt(x); }>(type);
    case MathFn::exp: return on_floats<[](auto x) { return std::exp(x); }>(type);
    case MathFn::exp2: return on_floats<[](auto x) { return std::exp2(x); }>(type);
    case MathFn::exp10: return on_floats<[](auto x) { return std::pow(decltype(x){10}, x); }>(type);
    case MathFn::expm1: return on_floats<[](auto x) { return std::expm1(x); }>(type);
    case MathFn::log: return on_floats<[](auto x) { return std::log(x); }>(type);
    case MathFn::log2: return on_floats<[](auto x) { return std::log2(x); }>(type);
    case MathFn::log10: return on_floats<[](auto x) { return std::log10(x); }>(type);
    case MathFn::log1p: return on_floats<[](auto x) { return std::log1p(x); }>(type);
    case MathFn::sin: return on_floats<[](auto x) { return std::sin(x); }>(type);
    case MathFn::cos: return on_floats<[](auto x) { return std::cos(x); }>(type);
    case MathFn::tan: return on_floats<[](auto x) { return std::tan(x); }>(type);
    case MathFn::asin: return on_floats<[](auto x) { return std::asin(x); }>(type);
    case MathFn::acos: return on_floats<[](auto x) { return std::acos(x); }>(type);
    case MathFn::atan: return on_floats<[](auto x) { return std::atan(x); }>(type);
    case MathFn::sinh: return on_floats<[](auto x) { return std::sinh(x); }>(type);
    case MathFn::cosh: return on_floats<[](auto x) { return std::cosh(x); }>(type);
    case MathFn::tanh: return on_floats<[](auto x) { return std::tanh(x); }>(type);
    case MathFn::asinh: return on_floats<[](auto x) { return std::asinh(x); }>(type);
    case MathFn::acosh: return on_floats<[](auto x) { return std::acosh(x); }>(type);
    case MathFn::atanh: return on_floats<[](auto x) { return std::atanh(x); }>(type);
    case MathFn::sinpi: return on_floats<[](auto x) { return sin_of_pi(x); }>(type);
    case MathFn::cospi: return on_floats<[](auto x) { return cos_of_pi(x); }>(type);
    case MathFn::tanpi: return on_floats<[](auto x) { return sin_of_pi(x) / cos_of_pi(x); }>(type);
    case MathFn::asinpi: return on_floats<[](auto x) { return std::asin(x) / pi<decltype(x)>; }>(type);
    case MathFn::acospi: return on_floats<[](auto x) { return std::acos(x) / pi<decltype(x)>; }>(type);
    case MathFn::atanpi: return on_floats<[](auto x) { return std::atan(x) / pi<decltype(x)>; }>(type);
    case MathFn::atan2: return on_floats<[](auto y, auto x) { return std::atan2(y, x); }>(type);
    case MathFn::atan2pi:
      return on_floats<[](auto y, auto x) { return std::atan2(y, x) / pi<decltype(x)>; }>(type);
    case MathFn::hypot: return on_floats<[](auto x, auto y) { return std::hypot(x, y); }>(type);
    case MathFn::floor: return on_floats<[](auto x) { return std::floor(x); }>(type);
    case MathFn::ceil: return on_floats<[](auto x) { return std::ceil(x); }>(type);
    case MathFn::trunc: return on_floats<[](auto x) { return std::trunc(x); }>(type);
    case MathFn::round: return on_floats<[](auto x) { return std::nearbyint(x); }>(type);
    case MathFn::copysign: return on_floats<[](auto x, auto y) { return std::copysign(x, y); }>(type);
    case MathFn::nextafter:
      return for_floats(type, [](auto p) -> MathFunction { return &next_after<p()>; });
    case MathFn::ldexp:
      return for_floats(type, [](auto p) -> MathFunction { return &load_exponent<p()>; });
    case MathFn::fma:
      return on_floats<[](auto x, auto y, auto z) { return std::fma(x, y, z); }>(type);
    case MathFn::mad: return on_floats<[](auto x, auto y, auto z) { return x * y + z; }>(type);
    case MathFn::lerp: return on_floats<[](auto x, auto y, auto t) { return x + (y - x) * t; }>(type);
    case MathFn::gamma: return on_floats<[](auto x) { return std::tgamma(x); }>(type);
    case MathFn::lgamma: return on_floats<[](auto x) { return std::lgamma(x); }>(type);
    case MathFn::erf: return on_floats<[](auto x) { return std::erf(x); }>(type);
    case MathFn::erfc: return on_floats<[](auto x) { return std::erfc(x); }>(type);
    case MathFn::isnan: return float_to_bool<[](auto x) { return std::isnan(x); }>(type);
    case MathFn::isinf: return float_to_bool<[](auto x) { return std::isinf(x); }>(type);
    case MathFn::to_bits:
    case MathFn::from_bits: return values::is_float(type) ? &same_bits : nullptr;
    case MathFn::popc: return integer_to_i32<[](auto x) { return std::popcount(as_unsigned(x)); }>(type);
    case MathFn::clz: return integer_to_i32<[](auto x) { return std::countl_zero(as_unsigned(x)); }>(type);
    case MathFn::ctz: return integer_to_i32<[](auto x) { return std::countr_zero(as_unsigned(x)); }>(type);
    case MathFn::mul_hi: return on_integers<[](auto x, auto y) { return high_half(x, y); }>(type);
    case MathFn::mad_hi:
      return on_integers<[](auto x, auto y, auto z) {
        return static_cast<Bits>(high_half(x, y)) + static_cast<Bits>(z);
      }>(type);
  }
  source::internal_error("function_of: unknown function");
}

}  // namespace boustro::ir
