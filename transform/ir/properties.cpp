// What can be said of one expression or operator: what it consumes, whether it may fail, which simple
// operator a lambda is. Declared in traversal.hpp.
#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir {
namespace {

// ---- Consumption ---------------------------------------------------------------------------------

/// For each name, others with which it may share memory.
using Aliases = std::unordered_map<Name, std::vector<Name>>;

void find_aliases(const std::vector<Stm>& stms, Aliases& aliases) {
  for (const Stm& stm : stms) {
    const auto note = [&](const Name& name, const Atom& of) {
      if (const Name* other = name_in(of)) aliases[name].push_back(*other);
    };
    const auto note_results = [&](const Body& body) {
      find_aliases(body.stms, aliases);
      for (std::size_t i = 0; i < body.result.size(); ++i) note(stm.pattern.at(i).name, body.result[i]);
    };
    if (const Name* operand = viewed_operand(stm.exp)) note(stm.pattern.at(0).name, *operand);
    if (const auto* e = std::get_if<If>(&stm.exp)) {
      note_results(e->then_body);
      note_results(e->else_body);
    }
    if (const auto* e = std::get_if<Loop>(&stm.exp)) {
      note_results(e->body);
      for (std::size_t i = 0; i < e->params.size(); ++i) {
        const LoopParam& p = e->params[i];
        note(stm.pattern.at(i).name, p.param.name);
        if (!p.param.unique) note(p.param.name, p.init);
      }
    }
  }
}

void add_with_aliases(const Name& name, const Aliases& aliases, NameSet& result) {
  if (!result.insert(name).second) return;
  const auto found = aliases.find(name);
  if (found == aliases.end()) return;
  for (const Name& other : found->second) add_with_aliases(other, aliases, result);
}

/// Names from outside that a branch consumes, directly or through an alias made inside.
std::vector<Name> consumed_by_branch(const Body& body, const Program* program) {
  std::vector<Name> inside;
  for (const Stm& stm : body.stms) {
    for (const Name& name : consumed_by(stm.exp, program)) inside.push_back(name);
  }
  if (inside.empty()) return {};
  Aliases aliases;
  find_aliases(body.stms, aliases);
  NameSet consumed;
  for (const Name& name : inside) add_with_aliases(name, aliases, consumed);
  std::vector<Name> result = free_names_in_order(body);
  std::erase_if(result, [&](const Name& name) { return !consumed.contains(name); });
  return result;
}

std::vector<Name> consumed_by_call(const Call& call, const Exp& exp, const Program* program) {
  source::internal_check(program != nullptr,
                         "consumed_by: a call, but no program to look it up in");
  for (const Function& function : program->functions)
    if (function.name == call.function) return consumed_operands(exp, function.params);
  return {};
}

/// The bodies inside that run once, or not at all.
std::vector<const Body*> single_bodies(const Exp& exp) {
  if (const auto* e = std::get_if<If>(&exp)) return {&e->then_body, &e->else_body};
  if (const auto* e = std::get_if<WithAcc>(&exp)) return {&e->fn.body};
  return {};
}

// ---- Failure -------------------------------------------------------------------------------------

bool body_may_fail(const Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(),
                     [](const Stm& stm) { return may_fail(stm.exp); });
}

bool any_body_may_fail(const Exp& exp) {
  bool any = false;
  for_each_body(exp, [&](const Body& body) { any = any || body_may_fail(body); });
  return any;
}

bool binop_may_fail(const BinOp& e) {
  if (!values::is_integer(e.type)) return false;
  const PrimValue* rhs = literal_in(e.rhs);
  switch (e.kind) {
    case BinOpKind::div:
    case BinOpKind::mod:
    case BinOpKind::quot:
    case BinOpKind::rem:
      return !rhs || rhs->is_zero();
    case BinOpKind::pow:
      return values::is_signed(e.type) && (!rhs || rhs->as_int() < 0);
    default:
      return false;
  }
}

// ---- Simple operators ----------------------------------------------------------------------------

/// A body as its only statement that is not a copy, all copies followed.
struct SingleStatement {
  const Stm* stm = nullptr;
  Substitution copies;
  Atom follow(const Atom& atom) const { return substitute(atom, copies); }
};

std::optional<SingleStatement> single_statement(const Body& body) {
  SingleStatement single;
  for (const Stm& stm : body.stms) {
    if (const auto* copy = std::get_if<AtomExp>(&stm.exp); copy && stm.pattern.size() == 1) {
      single.copies.emplace(stm.pattern[0].name, single.follow(copy->atom));
    } else if (single.stm) {
      return std::nullopt;
    } else {
      single.stm = &stm;
    }
  }
  const bool is_result = single.stm && body.result.size() == 1 && single.stm->pattern.size() == 1 &&
                         single.follow(body.result[0]) == Atom(single.stm->pattern[0].name);
  if (!is_result) return std::nullopt;
  return single;
}

/// `if x then y else false` is `x && y`, `if x then true else y` is `x || y`.
std::optional<BinOpKind> as_logical(const If& e, const SingleStatement& single, const Atom& x,
                                    const Atom& y) {
  const auto yields = [&](const Body& body, const Atom& atom) {
    return body.stms.empty() && body.result.size() == 1 && single.follow(body.result[0]) == atom;
  };
  if (single.follow(e.condition) != x) return std::nullopt;
  if (yields(e.then_body, y) && yields(e.else_body, PrimValue::of_bool(false))) {
    return BinOpKind::bit_and;
  }
  if (yields(e.then_body, PrimValue::of_bool(true)) && yields(e.else_body, y)) {
    return BinOpKind::bit_or;
  }
  return std::nullopt;
}

/// True if the operands are the two parameters, in order or, where that is the same, swapped.
bool are_params(const Atom& lhs, const Atom& rhs, const Lambda& op, BinOpKind kind) {
  const Atom x = op.params[0].name, y = op.params[1].name;
  return (lhs == x && rhs == y) || (commutes(kind) && lhs == y && rhs == x);
}

}  // namespace

std::vector<Name> consumed_by(const Exp& exp, const Program* program) {
  if (const auto* call = std::get_if<Call>(&exp)) return consumed_by_call(*call, exp, program);
  std::vector<Name> consumed = consumed_operands(exp);
  for (const Body* body : single_bodies(exp))
    for (const Name& name : consumed_by_branch(*body, program))
      if (std::find(consumed.begin(), consumed.end(), name) == consumed.end()) consumed.push_back(name);
  return consumed;
}

bool may_fail(const Exp& exp) {
  return match(
      exp,  //
      [](const BinOp& e) { return binop_may_fail(e); }, [](const Assert&) { return true; },
      [](const Coerce&) { return true; }, [](const Call&) { return true; },
      [](const Index& e) { return e.checked; }, [](const Update& e) { return e.checked; },
      [&](const auto&) { return any_body_may_fail(exp); });
}

std::optional<BinOpKind> as_binop(const Lambda& op) {
  if (op.params.size() != 2) return std::nullopt;
  const auto single = single_statement(op.body);
  if (!single) return std::nullopt;
  const Atom x = op.params[0].name, y = op.params[1].name;
  if (const auto* e = std::get_if<If>(&single->stm->exp)) {
    const auto kind = as_logical(*e, *single, x, y);
    return kind ? kind : as_logical(*e, *single, y, x);
  }
  const auto* e = std::get_if<BinOp>(&single->stm->exp);
  if (!e || !are_params(single->follow(e->lhs), single->follow(e->rhs), op, e->kind)) {
    return std::nullopt;
  }
  return e->kind;
}

std::optional<VectorisedOp> as_vectorised_binop(const Lambda& op) {
  if (const auto kind = as_binop(op)) return VectorisedOp{*kind, 0};
  if (op.params.size() != 2) return std::nullopt;
  const auto single = single_statement(op.body);
  if (!single) return std::nullopt;
  const auto* map = std::get_if<Map>(&single->stm->exp);
  if (!map || map->arrays.size() != 2 || !map->accumulators.empty()) return std::nullopt;
  const auto inner = as_vectorised_binop(map->fn);
  if (!inner || !are_params(single->follow(map->arrays[0]), single->follow(map->arrays[1]), op,
                            inner->kind)) {
    return std::nullopt;
  }
  return VectorisedOp{inner->kind, inner->depth + 1};
}

bool is_identity(const Lambda& fn) {
  Substitution copies;
  for (const Stm& stm : fn.body.stms) {
    const auto* copy = std::get_if<AtomExp>(&stm.exp);
    if (!copy || stm.pattern.size() != 1) return false;
    copies.emplace(stm.pattern[0].name, substitute(copy->atom, copies));
  }
  return std::equal(fn.params.begin(), fn.params.end(), fn.body.result.begin(),
                    fn.body.result.end(), [&](const Param& param, const Atom& result) {
                      return substitute(result, copies) == Atom(param.name);
                    });
}

namespace {

/// The operands whose memory result number `i` may be, those of branches and loops looked through.
NameSet handed_on(const Exp& exp, std::size_t i) {
  NameSet result;
  const auto add = [&](const std::vector<Stm>& stms, const Atom& atom) {
    if (const Name* name = name_in(atom)) result.merge(origins(stms, *name));
  };
  if (const Name* operand = viewed_operand(exp)) return {*operand};
  if (const auto* branch = std::get_if<If>(&exp)) {
    for (const Body* body : {&branch->then_body, &branch->else_body})
      add(body->stms, body->result.at(i));
  } else if (const auto* loop = std::get_if<Loop>(&exp); loop && !loop->params.at(i).param.unique) {
    add(loop->body.stms, loop->body.result.at(i));
    add({}, loop->params[i].init);
  }
  return result;
}

}  // namespace

NameSet origins(const std::vector<Stm>& stms, const Name& name) {
  for (const Stm& stm : stms) {
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      if (!(stm.pattern[i].name == name)) continue;
      NameSet result;
      for (const Name& operand : handed_on(stm.exp, i)) result.merge(origins(stms, operand));
      return result;
    }
  }
  return {name};
}

bool is_size_arithmetic(const Exp& exp) {
  if (const auto* convert = std::get_if<Convert>(&exp))
    return values::is_integer(convert->from) && values::is_integer(convert->to);
  const auto* op = std::get_if<BinOp>(&exp);
  if (!op) return std::holds_alternative<AtomExp>(exp);
  if (!values::is_integer(op->type)) return false;
  switch (op->kind) {
    case BinOpKind::add:
    case BinOpKind::sub:
    case BinOpKind::mul:
    case BinOpKind::min:
    case BinOpKind::max:
      return true;
    case BinOpKind::div:
    case BinOpKind::quot: {
      const PrimValue* divisor = literal_in(op->rhs);
      return divisor && divisor->as_int() > 0;
    }
    default:
      return false;
  }
}

}  // namespace boustro::ir
