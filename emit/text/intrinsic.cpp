// Operators and functions of the language that C++ lacks, spells otherwise, or leaves undefined
// somewhere.
#include <fmt/format.h>

#include "emit/text/expression.hpp"
#include "emit/text/types.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::text {
namespace {

using plan::Expr;
using plan::Op;
using values::PrimType;

/// What the printing of one use looks at.
struct Use {
  const std::vector<Expr>& args;
  PrimType type;
  const Place& place;
  bool is_float = values::is_float(type);
  bool is_signed = values::is_signed(type);
  bool is_bool = type == PrimType::boolean;
  /// Smaller than `int`, to which C++ widens it in every operation.
  bool narrow = !is_float && values::byte_size(type) < 4;

  /// All arguments, with exactly their types. f16 is computed in f32: CUDA has no functions on it.
  std::string list() const {
    std::string result;
    for (const Expr& arg : args) {
      const std::string text = expression(arg, place, Literals::exact);
      const bool half = arg.type.prim == PrimType::f16;
      result += (result.empty() ? "" : ", ") + (half ? "static_cast<float>(" + text + ")" : text);
    }
    return result;
  }
};

/// What was computed with 32 bits, in the type of the operands.
Bound rounded(const Use& use, Bound computed) {
  if (use.type != PrimType::f16) return computed;
  return {fmt::format("{}({})", type_text(use.type, use.place), computed.text)};
}

/// A call whose arguments are as `list` has them.
Bound call(const Use& use, std::string_view function) {
  return rounded(use, {fmt::format("{}({})", function, use.list())});
}

/// A function from templates/.
Bound from_template(const Use& use, std::string_view name) {
  use.place.need_template(name);
  return call(use, name);
}

/// A function of CUDA or <cmath>.
Bound standard(const Use& use, std::string_view name) {
  use.place.need_header("cmath");
  return call(use, (use.place.side == Side::host ? "std::" : "") + std::string(name));
}

/// A function that may have a form which compilers turn into vectors: vector_exp, of floats vector_expf.
Bound elementary(const Use& use, std::string_view name) {
  if (!use.place.dialect.vector_math) return standard(use, name);
  const std::string vector = fmt::format("vector_{}{}", name, use.type == PrimType::f64 ? "" : "f");
  const bool has_one = templates::find(vector, use.place.dialect.language) != nullptr;
  return has_one ? from_template(use, vector) : standard(use, name);
}

/// An operator of C++, narrowed back to the operands' type where they were widened.
Bound as_operator(const Use& use, Op op) {
  const plan::Type type{use.type};
  const Bound bound = bound_expression(Expr{op, use.args, type}, Literals::converted, use.place);
  if (!use.narrow || use.is_bool) return bound;
  return {fmt::format("static_cast<{}>({})", type_text(use.type, use.place), bound.text)};
}

/// Unsigned integers of full width wrap around by themselves, floats do not need to.
Bound wrapping(const Use& use, Op op, std::string_view function) {
  if (use.is_float || !(use.is_signed || use.narrow)) return as_operator(use, op);
  return from_template(use, function);
}

Bound signed_or_operator(const Use& use, Op op, std::string_view function) {
  return use.is_signed ? from_template(use, function) : as_operator(use, op);
}

/// min, max: for floats fmin, fmax, which ignore a NaN.
Bound extremum(const Use& use, std::string_view name) {
  if (use.is_float) return standard(use, name == "min" ? "fmin" : "fmax");
  if (use.is_bool) return as_operator(use, name == "min" ? Op::logical_and : Op::logical_or);
  const bool widened = use.narrow && use.place.side == Side::device;
  const plan::Type type{use.type};
  const Bound result = bound_expression(Expr{plan::Call{std::string(name)}, use.args, type},
                                        Literals::exact, use.place);
  if (!widened) return result;
  return {fmt::format("static_cast<{}>({})", type_text(use.type, use.place), result.text)};
}

Bound unary(const Use& use, ir::UnOpKind kind) {
  switch (kind) {
    case ir::UnOpKind::neg:
      return use.is_float ? as_operator(use, Op::neg) : from_template(use, "wrapping_neg");
    case ir::UnOpKind::complement:
      return as_operator(use, use.is_bool ? Op::logical_not : Op::complement);
    case ir::UnOpKind::abs:
      if (use.is_float) return standard(use, "fabs");
      return use.is_signed ? from_template(use, "wrapping_abs")
                           : Bound{expression(use.args.at(0), use.place, Literals::exact)};
    case ir::UnOpKind::sgn:
      return from_template(use, use.is_float ? "float_sign" : "sign");
  }
  source::internal_error("printer: no such unary operator");
}

Bound binary(const Use& use, ir::BinOpKind kind) {
  using enum ir::BinOpKind;
  switch (kind) {
    case add:
      return wrapping(use, Op::add, "wrapping_add");
    case sub:
      return wrapping(use, Op::sub, "wrapping_sub");
    case mul:
      return wrapping(use, Op::mul, "wrapping_mul");
    case div:
      return signed_or_operator(use, Op::div, "floor_div");
    case mod:
      return use.is_float ? from_template(use, "float_mod")
                          : signed_or_operator(use, Op::rem, "floor_mod");
    case quot:
      return signed_or_operator(use, Op::div, "truncating_div");
    case rem:
      return signed_or_operator(use, Op::rem, "truncating_rem");
    case pow:
      return use.is_float ? standard(use, "pow") : from_template(use, "int_power");
    case min:
      return extremum(use, "min");
    case max:
      return extremum(use, "max");
    case bit_and:
      return as_operator(use, use.is_bool ? Op::logical_and : Op::bit_and);
    case bit_or:
      return as_operator(use, use.is_bool ? Op::logical_or : Op::bit_or);
    case bit_xor:
      return as_operator(use, use.is_bool ? Op::ne : Op::bit_xor);
    case shl:
      return from_template(use, "shift_left");
    case shr:
      return from_template(use, "shift_right");
    case ushr:
      return from_template(use, "shift_right_zeros");
  }
  source::internal_error("printer: no such binary operator");
}

/// The expression `op` of the arguments' text, for functions that are formulas.
Bound formula(const Use& use, Op op, const Expr& lhs, const Expr& rhs) {
  return bound_expression(Expr{op, {lhs, rhs}, plan::Type{use.type}}, Literals::converted,
                          use.place);
}

/// asin(x) / pi, ...
Bound in_half_turns(const Use& use, std::string_view function) {
  const auto pi = values::PrimValue::of_float(use.type, 3.14159265358979323846);
  const std::string divisor = literal_text(pi, Literals::converted, use.place);
  return {fmt::format("{} / {}", standard(use, function).text, divisor), Binding::product};
}

/// to_bits, from_bits
Bound bits(const Use& use, const plan::Type& to) {
  use.place.need_template("bits_as");
  return {fmt::format("bits_as<{}>({})", type_text(to, use.place),
                      expressions(use.args, use.place, Literals::exact))};
}

Bound mad(const Use& use) {
  const Expr product{Op::mul, {use.args.at(0), use.args.at(1)}, plan::Type{use.type}};
  return formula(use, Op::add, product, use.args.at(2));
}

/// v0 + (v1 - v0) * t
Bound lerp(const Use& use) {
  const plan::Type type{use.type};
  const Expr difference{Op::sub, {use.args.at(1), use.args.at(0)}, type};
  return formula(use, Op::add, use.args.at(0), Expr{Op::mul, {difference, use.args.at(2)}, type});
}

Bound mad_hi(const Use& use) {
  const Expr high{plan::Intrinsic{ir::MathFn::mul_hi, use.type},
                  {use.args.at(0), use.args.at(1)},
                  plan::Type{use.type}};
  const std::vector<Expr> args{high, use.args.at(2)};
  return wrapping(Use{args, use.type, use.place}, Op::add, "wrapping_add");
}

/// A function that CUDA has and <cmath> has not.
Bound cuda_or(const Use& use, std::string_view cuda, const std::string& other) {
  return use.place.side == Side::device ? standard(use, cuda)
                                        : rounded(use, Bound{other, Binding::product});
}

/// isnan, isinf: their results are not floats.
Bound predicate(const Use& use, std::string_view name) {
  use.place.need_header("cmath");
  return {fmt::format("{}{}({})", use.place.side == Side::host ? "std::" : "", name, use.list())};
}

Bound math(const Use& use, ir::MathFn fn, const plan::Type& result) {
  using enum ir::MathFn;
  const auto number = [&](double value) {
    const PrimType type = use.type == PrimType::f16 ? PrimType::f32 : use.type;
    return literal_text(values::PrimValue::of_float(type, value), Literals::exact, use.place);
  };
  switch (fn) {
    case rsqrt:
      use.place.need_header("cmath");
      return cuda_or(use, "rsqrt", fmt::format("{} / std::sqrt({})", number(1), use.list()));
    case exp10:
      if (use.place.dialect.vector_math) return elementary(use, "exp10");
      return cuda_or(use, "exp10", fmt::format("std::pow({}, {})", number(10), use.list()));
    case sinpi:
      return from_template(use, "sin_pi");
    case cospi:
      return from_template(use, "cos_pi");
    case tanpi:
      return from_template(use, "tan_pi");
    case asinpi:
      return in_half_turns(use, "asin");
    case acospi:
      return in_half_turns(use, "acos");
    case atanpi:
      return in_half_turns(use, "atan");
    case atan2pi:
      return in_half_turns(use, "atan2");
    case round:
      return standard(use, "rint");
    case gamma:
      return standard(use, "tgamma");
    case mad:
      return text::mad(use);
    case lerp:
      return text::lerp(use);
    case isnan:
      return predicate(use, "isnan");
    case isinf:
      return predicate(use, "isinf");
    case to_bits:
    case from_bits:
      return bits(use, result);
    case popc:
      return from_template(use, "count_ones");
    case clz:
      return from_template(use, "leading_zeros");
    case ctz:
      return from_template(use, "trailing_zeros");
    case mul_hi:
      return from_template(use, "multiply_high");
    case mad_hi:
      return text::mad_hi(use);
    default:
      return elementary(use, ir::name_of(fn));
  }
}

}  // namespace

Bound intrinsic(const Expr& expr, const Place& place) {
  const auto& head = std::get<plan::Intrinsic>(expr.head);
  const Use use{expr.args, head.type, place};
  return ir::match(
      head.fn, [&](ir::UnOpKind kind) { return unary(use, kind); },
      [&](ir::BinOpKind kind) { return binary(use, kind); },
      [&](ir::MathFn fn) { return math(use, fn, expr.type); });
}

}  // namespace boustro::text
