// Float identities that hold for every operand: NaN, infinities, both zeros.
//
// Before:  let y = x * 1      let y = x - 0.0      let y = x + (-z)      let y = x ** 2
// After:   let y = x          let y = x            let y = x - z         let y = x * x
// Never:   x + 0.0 in the user's code, which is 0.0 for x = -0.0; x * 0.0, which is NaN for an
// infinite x; x - x.
//          In sums that differentiation made, a zero has no sign that anyone could have asked for.
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

bool is_derived(const Provenance& origin) {
  return !origin.rule.empty() && origin.sweep != Sweep::none && origin.sweep != Sweep::forward;
}

bool is_negative_zero(const Atom& atom) {
  const PrimValue* value = literal_in(atom);
  return value && value->is_zero() && value->bits != 0;
}

bool is_positive_zero(const Atom& atom) {
  const PrimValue* value = literal_in(atom);
  return value && value->bits == 0;
}

/// An operand that adds nothing.
bool adds_nothing(const Atom& atom, const Stm& stm) {
  return is_negative_zero(atom) || (is_positive_zero(atom) && is_derived(stm.origin));
}

std::optional<Atom> identity_of(const BinOp& e, const Stm& stm) {
  const Atom &x = e.lhs, &y = e.rhs;
  switch (e.kind) {
    case BinOpKind::add:
      if (adds_nothing(y, stm)) return x;
      return adds_nothing(x, stm) ? std::optional(y) : std::nullopt;
    case BinOpKind::sub:
      return is_positive_zero(y) ? std::optional(x) : std::nullopt;
    case BinOpKind::mul:
      if (is_literal(y, 1)) return x;
      return is_literal(x, 1) ? std::optional(y) : std::nullopt;
    case BinOpKind::div:
      return is_literal(y, 1) ? std::optional(x) : std::nullopt;
    case BinOpKind::pow:
      if (is_literal(y, 1)) return x;
      return is_literal(y, 0) ? std::optional<Atom>(PrimValue::one(e.type)) : std::nullopt;
    case BinOpKind::min:
    case BinOpKind::max:
      return x == y ? std::optional(x) : std::nullopt;
    default:
      return std::nullopt;
  }
}

const Atom* negated(const Atom& atom, const Context& context) {
  const auto* neg = context.defined_as<UnOp>(atom);
  return neg && neg->kind == UnOpKind::neg ? &neg->operand : nullptr;
}

std::optional<Exp> shorter(const BinOp& e, const Stm& stm, const Context& context) {
  const Atom *minus_x = negated(e.lhs, context), *minus_y = negated(e.rhs, context);
  switch (e.kind) {
    case BinOpKind::add:
      if (minus_y) return BinOp{BinOpKind::sub, e.type, e.lhs, *minus_y};
      if (minus_x) return BinOp{BinOpKind::sub, e.type, e.rhs, *minus_x};
      return std::nullopt;
    case BinOpKind::sub:
      if (minus_y) return BinOp{BinOpKind::add, e.type, e.lhs, *minus_y};
      if (adds_nothing(e.lhs, stm)) return UnOp{UnOpKind::neg, e.type, e.rhs};
      return std::nullopt;
    case BinOpKind::mul:
      if (minus_x && minus_y) return BinOp{e.kind, e.type, *minus_x, *minus_y};
      if (is_literal(e.rhs, -1)) return UnOp{UnOpKind::neg, e.type, e.lhs};
      if (is_literal(e.lhs, -1)) return UnOp{UnOpKind::neg, e.type, e.rhs};
      return std::nullopt;
    case BinOpKind::pow:
      if (is_literal(e.rhs, 2)) return BinOp{BinOpKind::mul, e.type, e.lhs, e.lhs};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

// Before:  let y = -x  let z = y * a     (y used nowhere else, in the same scope; in derivatives)
// After:   let p = x * a  let z = -p     so that two negations of one product meet, or one meets a sum
// Never:   out of loops, where y is computed once
RuleResult negation_of_factor(Stm& stm, Context& context) {
  const auto* e = std::get_if<BinOp>(&stm.exp);
  const bool scales = e && (e->kind == BinOpKind::mul || e->kind == BinOpKind::div);
  if (!scales || !values::is_float(e->type) || !is_derived(stm.origin)) return std::nullopt;
  BinOp product = *e;
  for (Atom* factor : {&product.lhs, &product.rhs}) {
    const Atom* x = negated(*factor, context);
    if (!x || !context.only_used_here(std::get<Name>(*factor))) continue;
    *factor = *x;
    Builder before(context.names, stm.origin);
    const Name p = before.let(stm.pattern.at(0).name.base, product);
    return replaced(stm, UnOp{UnOpKind::neg, product.type, p}, before);
  }
  return std::nullopt;
}

// Before:  let p = x * -2  let z = y - p     (p used nowhere else, in the same scope; in derivatives)
// After:   let q = x * 2   let z = y + q
RuleResult negative_factor(Stm& stm, Context& context) {
  const auto* e = std::get_if<BinOp>(&stm.exp);
  const bool adds = e && (e->kind == BinOpKind::add || e->kind == BinOpKind::sub);
  if (!adds || !values::is_float(e->type) || !is_derived(stm.origin)) return std::nullopt;
  const auto* product = context.defined_as<BinOp>(e->rhs);
  if (!product || product->kind != BinOpKind::mul || !context.only_used_here(std::get<Name>(e->rhs))) return std::nullopt;
  BinOp positive = *product;
  for (Atom* factor : {&positive.lhs, &positive.rhs}) {
    const PrimValue* number = literal_in(*factor);
    if (!number || !(number->as_float() < 0)) continue;
    *factor = PrimValue::of_float(e->type, -number->as_float());
    Builder before(context.names, stm.origin);
    const Name q = before.let(std::get<Name>(e->rhs).base, positive);
    return replaced(stm, BinOp{e->kind == BinOpKind::add ? BinOpKind::sub : BinOpKind::add, e->type, e->lhs, q}, before);
  }
  return std::nullopt;
}

RuleResult float_identities(Stm& stm, Context& context) {
  const auto* e = std::get_if<BinOp>(&stm.exp);
  if (!e || !values::is_float(e->type)) return std::nullopt;
  if (const auto atom = identity_of(*e, stm)) return replaced(stm, AtomExp{*atom});
  auto exp = shorter(*e, stm, context);
  if (!exp) return std::nullopt;
  return replaced(stm, std::move(*exp));
}

}  // namespace boustro::simplify
