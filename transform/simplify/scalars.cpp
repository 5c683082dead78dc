// Negations, comparisons, logic and conversions of scalars.
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

PrimValue boolean(bool value) { return PrimValue::of_bool(value); }

/// Every value of `from` is one of `to`, so that nothing is lost on the way.
bool widens(PrimType from, PrimType to) {
  using namespace values;
  if (is_integer(from) && is_integer(to)) {
    if (is_signed(from) == is_signed(to)) return byte_size(to) >= byte_size(from);
    return is_unsigned(from) && byte_size(to) > byte_size(from);
  }
  if (is_float(from) && is_float(to)) return byte_size(to) >= byte_size(from);
  return false;
}

}  // namespace

// Before:  let y = -x  let z = -y          let y = !(i < j)   (integers)
// After:   let z = x                       let y = j <= i
// Never:   !(x < y) of floats, which is true for NaN
RuleResult negations(Stm& stm, Context& context) {
  const auto* e = std::get_if<UnOp>(&stm.exp);
  if (!e || (e->kind != UnOpKind::neg && e->kind != UnOpKind::complement)) return std::nullopt;
  const auto* inner = context.defined_as<UnOp>(e->operand);
  if (inner && inner->kind == e->kind) return replaced(stm, AtomExp{inner->operand});
  const auto* cmp = context.defined_as<CmpOp>(e->operand);
  if (!cmp || e->kind != UnOpKind::complement) return std::nullopt;
  const bool ordered = !values::is_float(cmp->type);
  switch (cmp->kind) {
    case CmpOpKind::eq:
      return replaced(stm, CmpOp{CmpOpKind::ne, cmp->type, cmp->lhs, cmp->rhs});
    case CmpOpKind::ne:
      return replaced(stm, CmpOp{CmpOpKind::eq, cmp->type, cmp->lhs, cmp->rhs});
    case CmpOpKind::lt:
      if (!ordered) return std::nullopt;
      return replaced(stm, CmpOp{CmpOpKind::le, cmp->type, cmp->rhs, cmp->lhs});
    case CmpOpKind::le:
      if (!ordered) return std::nullopt;
      return replaced(stm, CmpOp{CmpOpKind::lt, cmp->type, cmp->rhs, cmp->lhs});
  }
  return std::nullopt;
}

// Before:  let b = i == i    let b = 0 <= i   (i of iota n)    let b = i < n
// After:   let b = true      let b = true                      let b = true
// Never:   x == x of floats, which is false for NaN
RuleResult comparisons(Stm& stm, Context& context) {
  const auto* e = std::get_if<CmpOp>(&stm.exp);
  if (!e || values::is_float(e->type)) return std::nullopt;
  const bool reflexive = e->kind == CmpOpKind::eq || e->kind == CmpOpKind::le;
  if (e->lhs == e->rhs) return replaced(stm, AtomExp{boolean(reflexive)});
  if (e->type == PrimType::boolean && e->kind == CmpOpKind::eq) {
    if (e->rhs == Atom(boolean(true))) return replaced(stm, AtomExp{e->lhs});
    if (e->lhs == Atom(boolean(true))) return replaced(stm, AtomExp{e->rhs});
  }
  if (e->type != PrimType::i64) return std::nullopt;
  if (e->kind == CmpOpKind::lt && context.in_bounds(e->lhs, e->rhs)) {
    return replaced(stm, AtomExp{boolean(true)});
  }
  if (e->kind == CmpOpKind::le && is_literal(e->lhs, 0) && context.is_index(e->rhs)) {
    return replaced(stm, AtomExp{boolean(true)});
  }
  if (e->kind == CmpOpKind::lt && is_literal(e->rhs, 0) && context.is_index(e->lhs)) {
    return replaced(stm, AtomExp{boolean(false)});
  }
  return std::nullopt;
}

// Before:  let c = b && true    let c = b || b
// After:   let c = b            let c = b
RuleResult logical_identities(Stm& stm, Context&) {
  const auto* e = std::get_if<BinOp>(&stm.exp);
  if (!e || e->type != PrimType::boolean) return std::nullopt;
  const auto is = [](const Atom& atom, bool value) { return atom == Atom(boolean(value)); };
  const auto with = [&](const Atom& atom) {
    return RuleResult(replaced(stm, AtomExp{Atom(atom)}));
  };
  if (e->kind == BinOpKind::bit_and || e->kind == BinOpKind::bit_or) {
    const bool neutral = e->kind == BinOpKind::bit_and;
    if (is(e->lhs, neutral) || e->lhs == e->rhs) return with(e->rhs);
    if (is(e->rhs, neutral)) return with(e->lhs);
    if (is(e->lhs, !neutral) || is(e->rhs, !neutral)) return with(boolean(!neutral));
  }
  return std::nullopt;
}

// Before:  let y = i64.i32 x  let z = f64.i64 y
// After:   let z = f64.i32 x
// Never:   where the first conversion loses something
RuleResult conversions(Stm& stm, Context& context) {
  const auto* e = std::get_if<Convert>(&stm.exp);
  if (!e) return std::nullopt;
  if (e->from == e->to) return replaced(stm, AtomExp{e->operand});
  const auto* inner = context.defined_as<Convert>(e->operand);
  if (!inner || inner->to != e->from || !widens(inner->from, inner->to)) return std::nullopt;
  return replaced(stm, Convert{inner->from, e->to, inner->operand});
}

}  // namespace boustro::simplify
