// Operators on scalars, conversions and built-in mathematical functions.
#include "transform/ir/operators.hpp"
#include "transform/ir/scalar.hpp"
#include "transform/ir/unnamed.hpp"
#include "transform/lower/intrinsics/intrinsics.hpp"

namespace boustro::lower {

using check::Intrinsic;
using ir::BinOpKind;
using ir::CmpOpKind;
using ir::UnOpKind;

namespace {

UnOpKind unary_kind(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::neg:
      return UnOpKind::neg;
    case Intrinsic::complement:
      return UnOpKind::complement;
    case Intrinsic::abs:
      return UnOpKind::abs;
    case Intrinsic::sgn:
      return UnOpKind::sgn;
    default:
      source::internal_error("lower: not a unary operator");
  }
}

BinOpKind binary_kind(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::add:
      return BinOpKind::add;
    case Intrinsic::sub:
      return BinOpKind::sub;
    case Intrinsic::mul:
      return BinOpKind::mul;
    case Intrinsic::div:
      return BinOpKind::div;
    case Intrinsic::mod:
      return BinOpKind::mod;
    case Intrinsic::quot:
      return BinOpKind::quot;
    case Intrinsic::rem:
      return BinOpKind::rem;
    case Intrinsic::pow:
      return BinOpKind::pow;
    case Intrinsic::min:
      return BinOpKind::min;
    case Intrinsic::max:
      return BinOpKind::max;
    case Intrinsic::bit_and:
      return BinOpKind::bit_and;
    case Intrinsic::bit_or:
      return BinOpKind::bit_or;
    case Intrinsic::bit_xor:
      return BinOpKind::bit_xor;
    case Intrinsic::shl:
      return BinOpKind::shl;
    case Intrinsic::shr:
      return BinOpKind::shr;
    case Intrinsic::ushr:
      return BinOpKind::ushr;
    default:
      source::internal_error("lower: not a binary operator");
  }
}

/// Printed programs spell numbers such as -1.0 and infinity as operations.
std::optional<Atom> printed_number(const Context& context, const std::optional<PrimValue>& value) {
  return context.printed && value ? std::optional<Atom>(*value) : std::nullopt;
}

}  // namespace

Value lower_unary(Context& context, const Use& use) {
  const Atom& x = atom_of(use.arg(0));
  const UnOpKind kind = unary_kind(use.intrinsic);
  if (kind == UnOpKind::neg && use.prim() == PrimType::i64 && ir::literal_in(x)) {
    return {context.size_op(BinOpKind::sub, ir::int_atom(0), x)};
  }
  if (const PrimValue* literal = ir::literal_in(x))
    if (const auto number = printed_number(context, ir::apply(kind, *literal))) return {*number};
  return {context.emit(ir::name_of(kind), ir::UnOp{kind, use.prim(), x})};
}

Value lower_binary(Context& context, const Use& use) {
  const Atom &x = atom_of(use.arg(0)), &y = atom_of(use.arg(1));
  const BinOpKind kind = binary_kind(use.intrinsic);
  // What sizes may be made of: equal operations on equal operands are the same atom.
  if (use.prim() == PrimType::i64 && !context.printed)
    return {context.size_op(kind, x, y, base_of(kind))};
  const PrimValue *a = ir::literal_in(x), *b = ir::literal_in(y);
  if (a && b)
    if (const auto number = printed_number(context, ir::apply(kind, *a, *b))) return {*number};
  if (use.prim() == PrimType::i64) return {context.size_op_as_printed(kind, x, y, base_of(kind))};
  return {context.emit(base_of(kind), ir::BinOp{kind, use.prim(), x, y})};
}

Value lower_comparison(Context& context, const Use& use) {
  Atom x = atom_of(use.arg(0)), y = atom_of(use.arg(1));
  if (use.intrinsic == Intrinsic::gt || use.intrinsic == Intrinsic::ge) std::swap(x, y);
  const bool strict = use.intrinsic == Intrinsic::lt || use.intrinsic == Intrinsic::gt;
  return {
      context.emit("holds", ir::CmpOp{strict ? CmpOpKind::lt : CmpOpKind::le, use.prim(), x, y})};
}

Value lower_convert(Context& context, const Use& use) {
  const PrimType from = use.prim(), to = std::get<PrimType>(use.type(1).node);
  const Atom& x = atom_of(use.arg(0));
  if (from == to) return {x};
  const ir::Convert converted{from, to, x};
  return {context.emit(base_of(converted), converted)};
}

Value lower_math(Context& context, const Use& use) {
  const std::string_view name = check::name_of(use.intrinsic);
  const auto fn = ir::math_fn_named(name);
  source::internal_check(fn.has_value(),
                         "lower: intrinsic `" + std::string(name) + "` has no meaning");
  std::vector<Atom> args;
  for (const Value& arg : use.closure.args) args.push_back(atom_of(arg));
  return {context.emit(name, ir::MathOp{*fn, use.prim(), std::move(args)})};
}

}  // namespace boustro::lower
