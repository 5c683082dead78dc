#include "transform/ad/scalar.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "frontend/source/diagnostics.hpp"
#include "transform/ad/digamma.hpp"

namespace boustro::ad {

using namespace ir;
using Form = Partial::Form;

namespace {

Partial partial_of_unop(Builder& b, const UnOp& e);
Partial partial_of_binop(Builder& b, const BinOp& e, const Atom& result, std::size_t operand);
Partial partial_of_math(Builder& b, const MathOp& e, const Atom& result, std::size_t operand);

/// Arithmetic on atoms of one float type, so that the table below reads like a table of derivatives.
struct Term {
  Builder* b;
  Atom atom;
};
Term number(const Term& like, double value) {
  const PrimType type = like.b->names.type_of(like.atom).elem;
  return {like.b, values::is_float(type) ? PrimValue::of_float(type, value)
                                         : PrimValue::of_int(type, static_cast<std::int64_t>(value))};
}
Term binary(BinOpKind kind, const Term& x, const Term& y) {
  return {x.b, x.b->binop("partial", kind, x.atom, y.atom)};
}
Term operator+(const Term& x, const Term& y) { return binary(BinOpKind::add, x, y); }
Term operator-(const Term& x, const Term& y) { return binary(BinOpKind::sub, x, y); }
Term operator*(const Term& x, const Term& y) { return binary(BinOpKind::mul, x, y); }
Term operator/(const Term& x, const Term& y) { return binary(BinOpKind::div, x, y); }
Term operator+(double x, const Term& y) { return number(y, x) + y; }
Term operator-(double x, const Term& y) { return number(y, x) - y; }
Term operator*(double x, const Term& y) { return number(y, x) * y; }
Term operator-(const Term& x, double y) { return x - number(x, y); }
Term operator-(const Term& x) { return {x.b, x.b->unop("partial", UnOpKind::neg, x.atom)}; }
Term fn(MathFn f, const Term& x) { return {x.b, x.b->math("partial", f, {x.atom})}; }

Partial zero() { return {Form::zero}; }
Partial one() { return {Form::one}; }
Partial minus() { return {Form::minus}; }
Partial factor(const Term& term) { return {Form::factor, term.atom}; }
Partial divisor(const Term& term) { return {Form::divisor, term.atom}; }
Partial ratio(const Term& scale, const Term& term) { return {Form::ratio, term.atom, scale.atom}; }

/// if condition then x else 0, x being computed only if it is needed.
template <typename Fill>
Atom value_if(Builder& b, const Atom& condition, PrimType type, Fill&& fill) {
  Builder inner(b.names, b.origin);
  const Atom value = fill(inner);
  return b.let("partial", If{condition, {std::move(inner.stms), {value}}, {{}, {PrimValue::zero(type)}}});
}

Atom is_nan(Builder& b, const Atom& x) { return b.cmp("is_nan", CmpOpKind::ne, x, x); }

}  // namespace

Partial partial_of(Builder& b, const Exp& exp, const Atom& result, std::size_t operand) {
  if (is_locally_constant(exp, operand)) return zero();
  if (const auto* e = std::get_if<UnOp>(&exp)) return partial_of_unop(b, *e);
  if (const auto* e = std::get_if<BinOp>(&exp)) return partial_of_binop(b, *e, result, operand);
  if (std::holds_alternative<Convert>(exp)) return {Form::converted};
  if (const auto* e = std::get_if<MathOp>(&exp)) return partial_of_math(b, *e, result, operand);
  source::internal_error("ad: partial derivative of an expression that is no scalar operator");
}

bool is_locally_constant(const Exp& exp, std::size_t operand) {
  if (const auto* e = std::get_if<UnOp>(&exp)) return e->kind == UnOpKind::sgn;
  const auto* e = std::get_if<MathOp>(&exp);
  if (!e) return false;
  switch (e->fn) {
    case MathFn::floor:
    case MathFn::ceil:
    case MathFn::trunc:
    case MathFn::round:
    case MathFn::isnan:
    case MathFn::isinf:
    case MathFn::clz:
    case MathFn::ctz: return true;
    // Sign, direction and exponent are discrete.
    case MathFn::copysign:
    case MathFn::nextafter:
    case MathFn::ldexp: return operand == 1;
    default: return false;
  }
}

namespace {

Partial partial_of_unop(Builder& b, const UnOp& e) {
  const Term x{&b, e.operand};
  switch (e.kind) {
    case UnOpKind::neg: return minus();
    case UnOpKind::complement: return e.type == PrimType::boolean ? one() : minus();  // ~x = -x - 1
    case UnOpKind::abs: return values::is_unsigned(e.type)
                                   ? one()
                                   : factor({&b, b.unop("partial", UnOpKind::sgn, e.operand)});
    case UnOpKind::sgn: return zero();
  }
  return {};
}

/// Of all numbers at least so large, x ** -1 is finite.
double smallest_normal(PrimType type) { return std::ldexp(1.0, type == PrimType::f16 ? -14 : type == PrimType::f32 ? -126 : -1022); }

/// d(x ** y): 0 at the corners where the formulas would say 0 * inf; see pow0 in Futhark's tests. That is so of subnormal x, too. Elsewhere by
/// the formulas, which are differentiated again: at y = 0 the derivative by x is 0, but grows with y. Integers have no x ** -1, and are not
/// differentiated by y.
Partial partial_of_pow(Builder& b, const BinOp& e, const Atom& result, std::size_t operand) {
  const Atom zero_value = PrimValue::zero(e.type);
  if (operand == 0) {  // y * x ** (y - 1)
    Atom nonzero = b.cmp("nonzero", CmpOpKind::ne, e.rhs, zero_value);
    if (values::is_float(e.type)) {
      const Atom smallest = PrimValue::of_float(e.type, smallest_normal(e.type)), size = b.unop("size", UnOpKind::abs, e.lhs);
      nonzero = b.binop("nonzero", BinOpKind::bit_or, nonzero, b.cmp("nonzero", CmpOpKind::le, smallest, size));
    }
    return {Form::factor, value_if(b, nonzero, e.type, [&](Builder& inner) {
              const Term x{&inner, e.lhs}, y{&inner, e.rhs};
              return (y * binary(BinOpKind::pow, x, y - 1.0)).atom;
            })};
  }
  if (!values::is_float(e.type)) return {};
  const Atom nonzero = b.cmp("nonzero", CmpOpKind::ne, e.lhs, zero_value);
  return {Form::factor, value_if(b, nonzero, e.type, [&](Builder& inner) {
            return (Term{&inner, result} * fn(MathFn::log, {&inner, e.lhs})).atom;
          })};
}

/// The first operand wins ties. A NaN loses against a number.
Partial partial_of_min_max(Builder& b, const BinOp& e, std::size_t operand) {
  const bool is_min = e.kind == BinOpKind::min;
  Atom second_wins = b.cmp("second_wins", CmpOpKind::lt, is_min ? e.rhs : e.lhs, is_min ? e.lhs : e.rhs);
  if (values::is_float(e.type))
    second_wins = b.binop("second_wins", BinOpKind::bit_or, second_wins, is_nan(b, e.lhs));
  if (operand == 1) return {Form::selected, second_wins};
  return {Form::selected, b.unop("first_wins", UnOpKind::complement, second_wins)};
}

Partial partial_of_bits(Builder& b, const BinOp& e, std::size_t operand) {
  if (e.type != PrimType::boolean) return {};
  const Atom other = operand == 0 ? e.rhs : e.lhs;
  if (e.kind == BinOpKind::bit_xor) return one();
  if (e.kind == BinOpKind::bit_and) return {Form::selected, other};
  return {Form::selected, b.unop("partial", UnOpKind::complement, other)};
}

Partial partial_of_binop(Builder& b, const BinOp& e, const Atom& result, std::size_t operand) {
  const Term x{&b, e.lhs}, y{&b, e.rhs}, r{&b, result};
  const bool first = operand == 0;
  switch (e.kind) {
    case BinOpKind::add: return one();
    case BinOpKind::sub: return first ? one() : minus();
    case BinOpKind::mul: return factor(first ? y : x);
    case BinOpKind::div:
      if (first) return divisor(y);
      return values::is_float(e.type) ? ratio(-r, y) : factor(-(r / y));
    case BinOpKind::quot:
      return first ? Partial{Form::quotient, e.rhs} : factor(-binary(BinOpKind::quot, r, y));
    case BinOpKind::mod:  // x - y * floor(x / y); of floats x / y may be rounded to the next integer
      if (first) return one();
      return factor(values::is_float(e.type) ? -fn(MathFn::round, (x - r) / y) : -(x / y));
    case BinOpKind::rem:  // of integers: x - y * quot x y
      return first ? one() : factor(-binary(BinOpKind::quot, x, y));
    case BinOpKind::pow: return partial_of_pow(b, e, result, operand);
    case BinOpKind::min:
    case BinOpKind::max: return partial_of_min_max(b, e, operand);
    case BinOpKind::bit_and:
    case BinOpKind::bit_or:
    case BinOpKind::bit_xor: return partial_of_bits(b, e, operand);
    case BinOpKind::shl:  // x * 2^y
      return first ? factor(binary(BinOpKind::shl, number(x, 1), y)) : Partial{};
    case BinOpKind::shr:
    case BinOpKind::ushr: return {};
  }
  return {};
}

/// Functions of one float. `r` is the function's value.
Partial partial_of_float_function(MathFn f, const Term& x, const Term& r) {
  constexpr double pi = std::numbers::pi, ln2 = std::numbers::ln2, ln10 = std::numbers::ln10;
  switch (f) {
    case MathFn::sqrt: return divisor(2.0 * r);
    case MathFn::cbrt: return divisor(3.0 * (r * r));
    case MathFn::rsqrt: return factor(-0.5 * (r / x));
    case MathFn::exp: return factor(r);
    case MathFn::exp2: return factor(ln2 * r);
    case MathFn::exp10: return factor(ln10 * r);
    case MathFn::expm1: return factor(1.0 + r);
    case MathFn::log: return divisor(x);
    case MathFn::log2: return divisor(ln2 * x);
    case MathFn::log10: return divisor(ln10 * x);
    case MathFn::log1p: return divisor(1.0 + x);
    case MathFn::sin: return factor(fn(MathFn::cos, x));
    case MathFn::cos: return factor(-fn(MathFn::sin, x));
    case MathFn::tan: return factor(1.0 + r * r);
    case MathFn::asin: return divisor(fn(MathFn::sqrt, 1.0 - x * x));
    case MathFn::acos: return divisor(-fn(MathFn::sqrt, 1.0 - x * x));
    case MathFn::atan: return divisor(1.0 + x * x);
    case MathFn::sinh: return factor(fn(MathFn::cosh, x));
    case MathFn::cosh: return factor(fn(MathFn::sinh, x));
    case MathFn::tanh: return factor(1.0 - r * r);
    case MathFn::asinh:
      return divisor({x.b, x.b->math("partial", MathFn::hypot, {number(x, 1).atom, x.atom})});
    case MathFn::acosh: return divisor(fn(MathFn::sqrt, x - 1.0) * fn(MathFn::sqrt, x + number(x, 1)));
    case MathFn::atanh: return divisor(1.0 - x * x);
    case MathFn::sinpi: return factor(pi * fn(MathFn::cospi, x));
    case MathFn::cospi: return factor(-pi * fn(MathFn::sinpi, x));
    case MathFn::tanpi: return factor(pi * (1.0 + r * r));
    case MathFn::asinpi: return divisor(pi * fn(MathFn::sqrt, 1.0 - x * x));
    case MathFn::acospi: return divisor(-pi * fn(MathFn::sqrt, 1.0 - x * x));
    case MathFn::atanpi: return divisor(pi * (1.0 + x * x));
    case MathFn::erf: return factor(2.0 / std::sqrt(pi) * fn(MathFn::exp, -(x * x)));
    case MathFn::erfc: return factor(-2.0 / std::sqrt(pi) * fn(MathFn::exp, -(x * x)));
    case MathFn::gamma: return factor(r * Term{x.b, digamma(*x.b, x.atom)});
    case MathFn::lgamma: return factor({x.b, digamma(*x.b, x.atom)});
    default: return {};
  }
}

/// v / h for the distance h of two numbers from the origin; 0 there, where there is no derivative.
Term over_distance(const Term& h, const Term& v) {
  const Atom nonzero = h.b->cmp("nonzero", CmpOpKind::ne, h.atom, number(h, 0).atom);
  return {h.b, value_if(*h.b, nonzero, h.b->names.type_of(h.atom).elem, [&](Builder& inner) {
            return inner.binop("d", BinOpKind::div, v.atom, h.atom);
          })};
}

/// atan2(x, y): y / (x^2 + y^2) and -x / (x^2 + y^2), without squares, which overflow.
Partial partial_of_atan2(Builder& b, const Term& x, const Term& y, std::size_t operand, double scale) {
  const Term h{&b, b.math("d", MathFn::hypot, {x.atom, y.atom})};
  const Term ratio = over_distance(h, over_distance(h, operand == 0 ? y : -x));
  return factor(scale == 1 ? ratio : scale * ratio);
}

Partial partial_of_math(Builder& b, const MathOp& e, const Atom& result, std::size_t operand) {
  const Term r{&b, result};
  const auto arg = [&](std::size_t i) { return Term{&b, e.args.at(i)}; };
  switch (e.fn) {
    case MathFn::atan2: return partial_of_atan2(b, arg(0), arg(1), operand, 1);
    case MathFn::atan2pi: return partial_of_atan2(b, arg(0), arg(1), operand, 1 / std::numbers::pi);
    case MathFn::hypot: return factor(over_distance(r, arg(operand)));
    case MathFn::copysign: {  // 1 if the sign stays, else -1
      const auto sign_of = [&](std::size_t i) {
        return Term{&b, b.math("partial", MathFn::copysign, {number(r, 1).atom, e.args[i]})};
      };
      return factor(sign_of(0) * sign_of(1));
    }
    case MathFn::nextafter: return one();
    case MathFn::ldexp:
      return factor({&b, b.let("partial", MathOp{MathFn::ldexp, e.type, {number(r, 1).atom, e.args[1]}})});
    case MathFn::fma:
    case MathFn::mad:  // x * y + z
      return operand == 2 ? one() : factor(arg(1 - operand));
    case MathFn::lerp:  // x + (y - x) * t
      if (operand == 0) return factor(1.0 - arg(2));
      return factor(operand == 1 ? arg(2) : arg(1) - arg(0));
    case MathFn::to_bits:
    case MathFn::from_bits: return {Form::bits};
    default: return e.args.size() == 1 && values::is_float(e.type)
                        ? partial_of_float_function(e.fn, arg(0), r)
                        : Partial{};
  }
}

Atom times(Builder& b, const Partial& partial, const Atom& v) {
  const PrimType type = b.names.type_of(v).elem;
  switch (partial.form) {
    case Form::zero: return PrimValue::zero(type);
    case Form::one: return v;
    case Form::minus: return b.unop("term", UnOpKind::neg, v);
    case Form::factor: return b.binop("term", product_of(type), v, partial.atom);
    case Form::quotient: return b.binop("term", BinOpKind::quot, v, partial.atom);
    case Form::divisor: return b.binop("term", BinOpKind::div, v, partial.atom);
    case Form::ratio:
      return b.binop("term", BinOpKind::mul, b.binop("term", BinOpKind::div, v, partial.atom), partial.scale);
    case Form::selected: return value_if(b, partial.atom, type, [&](Builder&) { return v; });
    default: source::internal_error("ad: product with an unknown partial derivative");
  }
}

}  // namespace

Atom times_tangent(Builder& b, const Exp& exp, const Partial& partial, const Atom& v) {
  if (partial.form == Form::converted) return b.convert("term", std::get<Convert>(exp).to, v);
  if (partial.form == Form::bits)
    return b.let("term", MathOp{std::get<MathOp>(exp).fn, std::get<MathOp>(exp).type, {v}});
  return times(b, partial, v);
}

Atom times_adjoint(Builder& b, const Exp& exp, const Partial& partial, const Atom& v) {
  if (partial.form == Form::converted) return b.convert("term", std::get<Convert>(exp).from, v);
  if (partial.form == Form::bits) {
    const auto& e = std::get<MathOp>(exp);
    const MathFn inverse = e.fn == MathFn::to_bits ? MathFn::from_bits : MathFn::to_bits;
    return b.let("term", MathOp{inverse, e.type, {v}});
  }
  return times(b, partial, v);
}

std::vector<Atom> scalar_operands(const Exp& exp) {
  if (const auto* e = std::get_if<UnOp>(&exp)) return {e->operand};
  if (const auto* e = std::get_if<BinOp>(&exp)) return {e->lhs, e->rhs};
  if (const auto* e = std::get_if<Convert>(&exp)) return {e->operand};
  if (const auto* e = std::get_if<MathOp>(&exp)) return e->args;
  return {};
}

std::string operator_name(const Exp& exp) {
  const auto in_module = [](PrimType type, std::string_view name) {
    return fmt::format("{}.{}", values::name_of(type), name);
  };
  if (const auto* e = std::get_if<UnOp>(&exp)) return in_module(e->type, name_of(e->kind));
  if (const auto* e = std::get_if<BinOp>(&exp)) {
    const std::string_view symbol = symbol_of(e->kind);
    return in_module(e->type, symbol.empty() ? name_of(e->kind) : symbol);
  }
  if (const auto* e = std::get_if<Convert>(&exp)) return in_module(e->to, values::name_of(e->from));
  if (const auto* e = std::get_if<MathOp>(&exp)) return in_module(e->type, name_of(e->fn));
  return "this expression";
}

BinOpKind addition_of(PrimType type) {
  return type == PrimType::boolean ? BinOpKind::bit_or : BinOpKind::add;
}

BinOpKind product_of(PrimType type) {
  return type == PrimType::boolean ? BinOpKind::bit_and : BinOpKind::mul;
}

}  // namespace boustro::ad
