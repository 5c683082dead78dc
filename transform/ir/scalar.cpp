#include "transform/ir/scalar.hpp"

#include <array>
#include <cmath>
#include <concepts>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/scalar_representation.hpp"

namespace boustro::ir {
namespace {

using namespace representation;

template <typename T>
constexpr int width_of = 8 * sizeof(T);

// Arithmetic that wraps around is done on 64 unsigned bits; `store` keeps the low ones.
template <typename T>
Bits wide(T x) {
  return static_cast<Bits>(static_cast<std::int64_t>(x));
}

// ---- Unary ---------------------------------------------------------------------------------------

constexpr auto negate = [](auto x) {
  if constexpr (std::floating_point<decltype(x)>) return -x;
  else return Bits{0} - wide(x);
};
constexpr auto complement = [](auto x) {
  if constexpr (std::same_as<decltype(x), bool>) return !x;
  else return ~wide(x);
};
constexpr auto absolute = [](auto x) {
  if constexpr (std::floating_point<decltype(x)>) return std::fabs(x);
  else return x < 0 ? Bits{0} - wide(x) : wide(x);
};
constexpr auto sign = [](auto x) {
  if constexpr (std::floating_point<decltype(x)>) {
    if (std::isnan(x)) return x;
    return static_cast<decltype(x)>((x > 0) - (x < 0));
  } else {
    return (x > 0) - (x < 0);
  }
};

template <auto op>
constexpr auto unary_entry = [](auto type) -> UnaryFunction { return &unary<type(), op>; };

// ---- Binary --------------------------------------------------------------------------------------
// Each has the form `bool op(x, y, result)`, and false is an error.

constexpr auto add = [](auto x, auto y) {
  if constexpr (std::floating_point<decltype(x)>) return x + y;
  else return wide(x) + wide(y);
};
constexpr auto subtract = [](auto x, auto y) {
  if constexpr (std::floating_point<decltype(x)>) return x - y;
  else return wide(x) - wide(y);
};
constexpr auto multiply = [](auto x, auto y) {
  if constexpr (std::floating_point<decltype(x)>) return x * y;
  else return wide(x) * wide(y);
};
constexpr auto minimum = [](auto x, auto y) {
  if constexpr (std::floating_point<decltype(x)>) return std::fmin(x, y);
  else return x < y ? x : y;
};
constexpr auto maximum = [](auto x, auto y) {
  if constexpr (std::floating_point<decltype(x)>) return std::fmax(x, y);
  else return x < y ? y : x;
};
constexpr auto bit_and = [](auto x, auto y) { return x & y; };
constexpr auto bit_or = [](auto x, auto y) { return x | y; };
constexpr auto bit_xor = [](auto x, auto y) { return x ^ y; };

template <typename T>
bool shifts_all_out(T count) {
  return static_cast<std::make_unsigned_t<T>>(count) >= width_of<T>;
}
constexpr auto shift_left = [](auto x, auto y) {
  return shifts_all_out(y) ? Bits{0} : wide(x) << y;
};
constexpr auto shift_right = [](auto x, auto y) {
  using T = decltype(x);
  if (shifts_all_out(y)) return static_cast<T>(x < 0 ? -1 : 0);
  return static_cast<T>(x >> y);
};
constexpr auto shift_right_zero = [](auto x, auto y) {
  using Unsigned = std::make_unsigned_t<decltype(x)>;
  return shifts_all_out(y) ? Unsigned{0} : static_cast<Unsigned>(static_cast<Unsigned>(x) >> y);
};

/// The sign of the result is that of the divisor.
template <typename T>
T floored_fmod(T x, T y) {
  const T r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

template <std::integral T>
Bits truncated_quotient(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return Bits{0} - wide(x);  // the smallest number wraps around; C++ leaves that undefined
  }
  return wide(static_cast<T>(x / y));
}
template <std::integral T>
T truncated_remainder(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return 0;
  }
  return static_cast<T>(x % y);
}
template <std::integral T>
Bits power(T x, T y) {
  Bits result = 1, factor = wide(x);
  for (auto rest = static_cast<std::make_unsigned_t<T>>(y); rest != 0; rest >>= 1) {
    if (rest & 1) result *= factor;
    factor *= factor;
  }
  return result;
}

constexpr auto divide = [](auto x, auto y, auto& result) {
  if constexpr (std::floating_point<decltype(x)>) {
    result = x / y;
  } else {
    if (y == 0) return false;
    const bool rounds_down = truncated_remainder(x, y) != 0 && (x < 0) != (y < 0);
    result = truncated_quotient(x, y) - (rounds_down ? 1 : 0);
  }
  return true;
};
constexpr auto modulo = [](auto x, auto y, auto& result) {
  if constexpr (std::floating_point<decltype(x)>) {
    result = floored_fmod(x, y);
  } else {
    if (y == 0) return false;
    const auto r = truncated_remainder(x, y);
    result = wide(r) + (r != 0 && (r < 0) != (y < 0) ? wide(y) : 0);
  }
  return true;
};
constexpr auto quotient = [](auto x, auto y, auto& result) {
  if (y == 0) return false;
  result = truncated_quotient(x, y);
  return true;
};
constexpr auto remainder = [](auto x, auto y, auto& result) {
  if (y == 0) return false;
  result = wide(truncated_remainder(x, y));
  return true;
};
constexpr auto raise = [](auto x, auto y, auto& result) {
  if constexpr (std::floating_point<decltype(x)>) {
    result = std::pow(x, y);
  } else {
    if (y < 0) return false;
    result = power(x, y);
  }
  return true;
};

template <PrimType P, auto op>
bool total_binary(Bits x, Bits y, Bits& result) {
  result = store<P>(op(load<P>(x), load<P>(y)));
  return true;
}
template <PrimType P, auto op>
bool partial_binary(Bits x, Bits y, Bits& result) {
  using T = typename Cpp<P>::type;
  std::conditional_t<std::floating_point<T>, T, Bits> value{};
  const bool defined = op(load<P>(x), load<P>(y), value);
  result = store<P>(value);
  return defined;
}

template <auto op>
constexpr auto total = [](auto type) -> BinaryFunction { return &total_binary<type(), op>; };
template <auto op>
constexpr auto partial = [](auto type) -> BinaryFunction { return &partial_binary<type(), op>; };

/// Bitwise operators: integers and bool.
template <typename Entry>
BinaryFunction for_logical(PrimType type, Entry entry) {
  if (type == PrimType::boolean) return entry(Constant<PrimType::boolean>{});
  return for_integers(type, entry);
}

// ---- Comparison ----------------------------------------------------------------------------------

template <PrimType P, auto op>
bool compare(Bits x, Bits y) {
  return op(load<P>(x), load<P>(y));
}
template <auto op>
constexpr auto comparison = [](auto type) -> CompareFunction { return &compare<type(), op>; };

constexpr auto equal = [](auto x, auto y) { return x == y; };
constexpr auto unequal = [](auto x, auto y) { return x != y; };
constexpr auto less = [](auto x, auto y) { return x < y; };
constexpr auto less_or_equal = [](auto x, auto y) { return x <= y; };

template <typename Function>
Function defined(Function function, std::string_view what) {
  source::internal_check(function != nullptr,
                         fmt::format("apply: {} is not defined for this type", what));
  return function;
}

}  // namespace

UnaryFunction function_of(UnOpKind kind, PrimType type) {
  switch (kind) {
    case UnOpKind::neg: return for_numbers(type, unary_entry<negate>);
    case UnOpKind::complement:
      if (type == PrimType::boolean) return unary<PrimType::boolean, complement>;
      return for_integers(type, unary_entry<complement>);
    case UnOpKind::abs: return for_numbers(type, unary_entry<absolute>);
    case UnOpKind::sgn: return for_numbers(type, unary_entry<sign>);
  }
  source::internal_error("function_of: unknown unary operator");
}

BinaryFunction function_of(BinOpKind kind, PrimType type) {
  switch (kind) {
    case BinOpKind::add: return for_numbers(type, total<add>);
    case BinOpKind::sub: return for_numbers(type, total<subtract>);
    case BinOpKind::mul: return for_numbers(type, total<multiply>);
    case BinOpKind::div: return for_numbers(type, partial<divide>);
    case BinOpKind::mod: return for_numbers(type, partial<modulo>);
    case BinOpKind::quot: return for_integers(type, partial<quotient>);
    case BinOpKind::rem: return for_integers(type, partial<remainder>);
    case BinOpKind::pow: return for_numbers(type, partial<raise>);
    case BinOpKind::min: return for_numbers(type, total<minimum>);
    case BinOpKind::max: return for_numbers(type, total<maximum>);
    case BinOpKind::bit_and: return for_logical(type, total<bit_and>);
    case BinOpKind::bit_or: return for_logical(type, total<bit_or>);
    case BinOpKind::bit_xor: return for_logical(type, total<bit_xor>);
    case BinOpKind::shl: return for_integers(type, total<shift_left>);
    case BinOpKind::shr: return for_integers(type, total<shift_right>);
    case BinOpKind::ushr: return for_integers(type, total<shift_right_zero>);
  }
  source::internal_error("function_of: unknown binary operator");
}

CompareFunction function_of(CmpOpKind kind, PrimType type) {
  switch (kind) {
    case CmpOpKind::eq: return for_all(type, comparison<equal>);
    case CmpOpKind::ne: return for_all(type, comparison<unequal>);
    case CmpOpKind::lt: return for_all(type, comparison<less>);
    case CmpOpKind::le: return for_all(type, comparison<less_or_equal>);
  }
  source::internal_error("function_of: unknown comparison");
}

std::optional<PrimValue> apply(UnOpKind kind, PrimValue operand) {
  const auto function = defined(function_of(kind, operand.type), name_of(kind));
  return PrimValue{operand.type, function(operand.bits)};
}

std::optional<PrimValue> apply(BinOpKind kind, PrimValue lhs, PrimValue rhs) {
  source::internal_check(lhs.type == rhs.type, "apply: operands of different types");
  const auto function = defined(function_of(kind, lhs.type), name_of(kind));
  PrimValue result{lhs.type, 0};
  if (!function(lhs.bits, rhs.bits, result.bits)) return std::nullopt;
  return result;
}

std::optional<PrimValue> apply(CmpOpKind kind, PrimValue lhs, PrimValue rhs) {
  source::internal_check(lhs.type == rhs.type, "apply: operands of different types");
  return PrimValue::of_bool(function_of(kind, lhs.type)(lhs.bits, rhs.bits));
}

std::optional<PrimValue> apply(MathFn fn, PrimType type, std::span<const PrimValue> args) {
  source::internal_check(static_cast<int>(args.size()) == arity_of(fn), "apply: count of arguments");
  std::array<Bits, 3> bits{};
  for (std::size_t i = 0; i < args.size(); ++i) bits.at(i) = args[i].bits;
  const auto function = defined(function_of(fn, type), name_of(fn));
  return PrimValue{result_type_of(fn, type), function(bits.data())};
}

PrimValue convert(PrimType to, PrimValue operand) {
  return {to, conversion(operand.type, to)(operand.bits)};
}

}  // namespace boustro::ir
