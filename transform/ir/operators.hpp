// The scalar operators and built-in functions of the core IR. Names follow the prelude.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/values/primitive.hpp"

namespace boustro::ir {

/// neg: -x. complement: bitwise for integers, logical for bool. abs and sgn as in the prelude.
enum class UnOpKind { neg, complement, abs, sgn };

/// For integers: div (`/`, towards minus infinity), mod (`%`), quot (`//`), rem (`%%`); shr (`>>`, copies
/// the sign of signed types), ushr (`>>>`, fills with zeros). For floats: div is IEEE's, mod has the sign
/// of the divisor. pow: `**`; integer powers of negative exponents are an error. min, max: for floats the
/// other operand if one is NaN. bit_and, bit_or, bit_xor also on bool; `&&` and `||` are lowered to If.
enum class BinOpKind {
  add, sub, mul, div, mod, quot, rem, pow, min, max, bit_and, bit_or, bit_xor, shl, shr, ushr
};

/// x > y is written y < x. For bool: false < true.
enum class CmpOpKind { eq, ne, lt, le };

/// Functions of one type's module, with its argument count in operators.cpp. The result has the module's type,
/// except: isnan, isinf yield bool; popc, clz, ctz i32; to_bits the unsigned type of the same width, and
/// from_bits takes it; ldexp takes an i32 as its second argument.
enum class MathFn {
  sqrt, cbrt, rsqrt, exp, exp2, exp10, expm1, log, log2, log10, log1p,
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh,
  sinpi, cospi, tanpi, asinpi, acospi, atanpi, atan2, atan2pi, hypot,
  floor, ceil, trunc, round, copysign, nextafter, ldexp, fma, mad, lerp,
  gamma, lgamma, erf, erfc, isnan, isinf, to_bits, from_bits,
  popc, clz, ctz, mul_hi, mad_hi
};

std::string_view name_of(UnOpKind kind);   // "neg", ...
std::string_view name_of(BinOpKind kind);  // "add", ...
std::string_view name_of(CmpOpKind kind);
std::string_view name_of(MathFn fn);
/// As the language writes it: `+`, `**`, `<`; empty for functions such as min.
std::string_view symbol_of(BinOpKind kind);
std::string_view symbol_of(CmpOpKind kind);
int arity_of(MathFn fn);
std::optional<MathFn> math_fn_named(std::string_view name);
/// Of the function in the module of `type`.
values::PrimType result_type_of(MathFn fn, values::PrimType type);
values::PrimType argument_type_of(MathFn fn, values::PrimType type, int argument);

/// True if x op y = y op x.
bool commutes(BinOpKind kind);
/// The unsigned type of the same width.
values::PrimType unsigned_type_like(values::PrimType type);

}  // namespace boustro::ir
