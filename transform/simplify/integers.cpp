// Integer algebra, which wraps around and so is that of a ring: everything holds exactly.
//
// Before:  let y = x + 0      let y = (x + 2) + 3      let y = (x + z) - z
// After:   let y = x          let y = x + 5            let y = x
// Never:   on floats, but for what floats.cpp lists; 0 / x, which fails if x is 0
#include "transform/ir/scalar.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

std::optional<Atom> identity_of(const BinOp& e) {
  const Atom zero = PrimValue::zero(e.type), &x = e.lhs, &y = e.rhs;
  const Atom all_ones = PrimValue::of_int(e.type, -1);
  const auto is = [](const Atom& atom, std::int64_t value) { return is_literal(atom, value); };
  switch (e.kind) {
    case BinOpKind::add:
      return is(y, 0) ? std::optional(x) : is(x, 0) ? std::optional(y) : std::nullopt;
    case BinOpKind::sub:
      return is(y, 0) ? std::optional(x) : x == y ? std::optional(zero) : std::nullopt;
    case BinOpKind::mul:
      if (is(x, 0) || is(y, 0)) return zero;
      return is(y, 1) ? std::optional(x) : is(x, 1) ? std::optional(y) : std::nullopt;
    case BinOpKind::div:
    case BinOpKind::quot:
      return is(y, 1) ? std::optional(x) : std::nullopt;
    case BinOpKind::mod:
    case BinOpKind::rem:
      return is(y, 1) ? std::optional(zero) : std::nullopt;
    case BinOpKind::pow:
      return is(y, 1) ? std::optional(x) : std::nullopt;
    case BinOpKind::min:
    case BinOpKind::max:
      return x == y ? std::optional(x) : std::nullopt;
    case BinOpKind::bit_and:
      if (is(x, 0) || is(y, 0)) return zero;
      if (x == y || y == all_ones) return x;
      return x == all_ones ? std::optional(y) : std::nullopt;
    case BinOpKind::bit_or:
      if (x == y || is(y, 0)) return x;
      return is(x, 0) ? std::optional(y) : std::nullopt;
    case BinOpKind::bit_xor:
      if (x == y) return zero;
      return is(y, 0) ? std::optional(x) : is(x, 0) ? std::optional(y) : std::nullopt;
    case BinOpKind::shl:
    case BinOpKind::shr:
    case BinOpKind::ushr:
      return is(y, 0) ? std::optional(x) : std::nullopt;
  }
  return std::nullopt;
}

/// `x + c` for a literal c; x - c is x + (-c).
struct Offset {
  Atom x;
  PrimValue c;
};

std::optional<Offset> as_offset(const BinOp& e) {
  const PrimValue *left = literal_in(e.lhs), *right = literal_in(e.rhs);
  if (e.kind == BinOpKind::add && right) return Offset{e.lhs, *right};
  if (e.kind == BinOpKind::add && left) return Offset{e.rhs, *left};
  if (e.kind == BinOpKind::sub && right) return Offset{e.lhs, *apply(UnOpKind::neg, *right)};
  return std::nullopt;
}

const BinOp* defining(const Atom& atom, PrimType type, BinOpKind kind, const Context& context) {
  const auto* e = context.defined_as<BinOp>(atom);
  return e && e->type == type && e->kind == kind ? e : nullptr;
}

/// (x + y) - y, (x + y) - x, (x - y) + y, y + (x - y), x - (x - y).
std::optional<Atom> cancelled(const BinOp& e, const Context& context) {
  if (e.kind == BinOpKind::sub) {
    if (const BinOp* sum = defining(e.lhs, e.type, BinOpKind::add, context)) {
      if (sum->rhs == e.rhs) return sum->lhs;
      if (sum->lhs == e.rhs) return sum->rhs;
    }
    const BinOp* difference = defining(e.rhs, e.type, BinOpKind::sub, context);
    if (difference && difference->lhs == e.lhs) return difference->rhs;
  }
  if (e.kind == BinOpKind::add) {
    const BinOp* left = defining(e.lhs, e.type, BinOpKind::sub, context);
    if (left && left->rhs == e.rhs) return left->lhs;
    const BinOp* right = defining(e.rhs, e.type, BinOpKind::sub, context);
    if (right && right->rhs == e.lhs) return right->lhs;
  }
  return std::nullopt;
}

const BinOp* as_integer(const Stm& stm) {
  const auto* e = std::get_if<BinOp>(&stm.exp);
  return e && values::is_integer(e->type) ? e : nullptr;
}

}  // namespace

RuleResult integer_identities(Stm& stm, Context&) {
  const BinOp* e = as_integer(stm);
  const auto atom = e ? identity_of(*e) : std::nullopt;
  if (atom) return replaced(stm, AtomExp{*atom});
  const bool negates = e && e->kind == BinOpKind::sub && is_literal(e->lhs, 0);
  if (negates) return replaced(stm, UnOp{UnOpKind::neg, e->type, e->rhs});
  return std::nullopt;
}

RuleResult integer_reassociation(Stm& stm, Context& context) {
  const BinOp* e = as_integer(stm);
  if (!e) return std::nullopt;
  if (const auto atom = cancelled(*e, context)) return replaced(stm, AtomExp{*atom});
  const auto outer = as_offset(*e);
  const auto* defined = outer ? context.defined_as<BinOp>(outer->x) : nullptr;
  const auto inner = defined && defined->type == e->type ? as_offset(*defined) : std::nullopt;
  if (!inner) return std::nullopt;
  const PrimValue sum = *apply(BinOpKind::add, inner->c, outer->c);
  return replaced(stm, BinOp{BinOpKind::add, e->type, inner->x, sum});
}

}  // namespace boustro::simplify
