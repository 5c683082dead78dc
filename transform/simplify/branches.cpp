// Branches and assertions that are decided, or that make no difference.
#include "transform/ir/traversal.hpp"
#include "transform/simplify/common.hpp"
#include "transform/simplify/rules.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

/// The body's statements, then its results under the statement's names. Sizes come first.
Rewrite spliced(Stm& stm, Body& body) {
  Rewrite result = std::move(body.stms);
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    result.push_back(let(stm.pattern[i], AtomExp{body.result[i]}, stm));
  }
  return result;
}

If* as_if(Stm& stm) { return std::get_if<If>(&stm.exp); }

bool is_bool(const Atom& atom, bool value) { return atom == Atom(PrimValue::of_bool(value)); }

}  // namespace

// Before:  let y = if true then a else b
// After:   let y = a
RuleResult branch_on_constant(Stm& stm, Context&) {
  If* e = as_if(stm);
  const PrimValue* condition = e ? literal_in(e->condition) : nullptr;
  if (!condition) return std::nullopt;
  Body taken = std::move(condition->as_bool() ? e->then_body : e->else_body);
  return spliced(stm, taken);
}

// Before:  let d = !c  let y = if d then a else b
// After:   let y = if c then b else a
RuleResult branch_on_negation(Stm& stm, Context& context) {
  If* e = as_if(stm);
  const auto* negation = e ? context.defined_as<UnOp>(e->condition) : nullptr;
  if (!negation || negation->kind != UnOpKind::complement) return std::nullopt;
  return replaced(stm, If{negation->operand, std::move(e->else_body), std::move(e->then_body)});
}

// Before:  let y = if c then f x else f x
// After:   let y = f x
RuleResult equal_branches(Stm& stm, Context&) {
  If* e = as_if(stm);
  if (!e || e->then_body.stms.size() != e->else_body.stms.size()) return std::nullopt;
  if (!equal_up_to_names(e->then_body, e->else_body)) return std::nullopt;
  Body body = std::move(e->then_body);
  return spliced(stm, body);
}

// Before:  let (x, y) = if c then let a = f z in (x0, a) else (x0, b)
// After:   let x = x0  let y = if c then let a = f z in a else b
RuleResult equal_branch_results(Stm& stm, Context&) {
  If* e = as_if(stm);
  if (!e) return std::nullopt;
  NameSet inner = bound_names(e->then_body.stms);
  std::vector<bool> equal;
  Rewrite result;
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Atom& atom = e->then_body.result[i];
    const Name* name = name_in(atom);
    equal.push_back(atom == e->else_body.result[i] && !(name && inner.contains(*name)));
    if (equal.back()) result.push_back(let(stm.pattern[i], AtomExp{atom}, stm));
  }
  if (result.empty()) return std::nullopt;
  erase_flagged(stm.pattern, equal);
  erase_flagged(e->then_body.result, equal);
  erase_flagged(e->else_body.result, equal);
  result.push_back(std::move(stm));
  return result;
}

// Before:  let b = if c then true else false    let b = if c then d else false
// After:   let b = c                            let b = c && d
// Never:   where a branch computes something first: it may fail, and `if` protects from that
RuleResult branch_as_logic(Stm& stm, Context&) {
  If* e = as_if(stm);
  const bool applies = e && stm.pattern.size() == 1 && is_trivial(e->then_body) &&
                       is_trivial(e->else_body) && stm.pattern[0].type == scalar(PrimType::boolean);
  if (!applies) return std::nullopt;
  const Atom c = e->condition, yes = e->then_body.result[0], no = e->else_body.result[0];
  const auto binop = [&](BinOpKind kind, const Atom& other) {
    return replaced(stm, BinOp{kind, PrimType::boolean, c, other});
  };
  if (is_bool(yes, true) && is_bool(no, false)) return replaced(stm, AtomExp{c});
  if (is_bool(yes, false) && is_bool(no, true)) {
    return replaced(stm, UnOp{UnOpKind::complement, PrimType::boolean, c});
  }
  if (is_bool(no, false)) return binop(BinOpKind::bit_and, yes);
  if (is_bool(yes, true)) return binop(BinOpKind::bit_or, no);
  return std::nullopt;
}

// Before:  assert true
// After:   nothing
RuleResult assert_true(Stm& stm, Context&) {
  const auto* e = std::get_if<Assert>(&stm.exp);
  if (!e || !is_bool(e->condition, true)) return std::nullopt;
  return Rewrite{};
}

}  // namespace boustro::simplify
