// Scalar operators and control.
#include <algorithm>

#include "transform/ir/scalar.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/verify/types.hpp"

namespace boustro::ir::verification {

void TypeChecker::check(const AtomExp& e, const Stm&) { in_scope(e.atom); }

void TypeChecker::check(const UnOp& e, const Stm&) {
  expect_scalar(e.operand, e.type, "the operand");
  if (!function_of(e.kind, e.type)) {
    report_.add("{} is not defined for {}", name_of(e.kind), values::name_of(e.type));
  }
}

void TypeChecker::check(const BinOp& e, const Stm&) {
  expect_scalar(e.lhs, e.type, "the left operand");
  expect_scalar(e.rhs, e.type, "the right operand");
  if (!function_of(e.kind, e.type)) {
    report_.add("{} is not defined for {}", name_of(e.kind), values::name_of(e.type));
  }
}

void TypeChecker::check(const CmpOp& e, const Stm&) {
  expect_scalar(e.lhs, e.type, "the left operand");
  expect_scalar(e.rhs, e.type, "the right operand");
}

void TypeChecker::check(const Convert& e, const Stm&) { expect_scalar(e.operand, e.from, "the operand"); }

void TypeChecker::check(const MathOp& e, const Stm&) {
  if (!function_of(e.fn, e.type)) {
    report_.add("{} is not defined for {}", name_of(e.fn), values::name_of(e.type));
  }
  if (static_cast<int>(e.args.size()) != arity_of(e.fn)) {
    return report_.add("{} arguments for {}, which takes {}", e.args.size(), name_of(e.fn), arity_of(e.fn));
  }
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    expect_scalar(e.args[i], argument_type_of(e.fn, e.type, static_cast<int>(i)), "an argument");
  }
}

void TypeChecker::check(const If& e, const Stm& stm) {
  expect_scalar(e.condition, PrimType::boolean, "the condition");
  for (const Body* branch : {&e.then_body, &e.else_body}) {
    check_body(*branch);
    check_existential(stm.pattern, branch->result, "a branch");
    leave_body(*branch);
  }
}

void TypeChecker::check(const Loop& e, const Stm& stm) {
  std::vector<Param> params;
  std::vector<Atom> init, param_atoms;
  for (const LoopParam& p : e.params) {
    params.push_back(p.param);
    init.push_back(p.init);
    param_atoms.push_back(p.param.name);
  }
  check_existential(params, init, "the loop's start");
  const auto* for_loop = std::get_if<ForLoop>(&e.form);
  if (for_loop) expect_scalar(for_loop->bound, for_loop->type, "the bound");
  bind_all(params);
  if (for_loop) {
    if (!values::is_integer(for_loop->type)) report_.add("the loop counts in a type without integers");
    bind(for_loop->index);
  } else {
    const Name& condition = std::get<WhileLoop>(e.form).condition;
    const bool is_param = std::find(param_atoms.begin(), param_atoms.end(), Atom(condition)) != param_atoms.end();
    if (!is_param) report_.add("the condition {} is not a parameter of the loop", to_string(condition));
    expect_scalar(condition, PrimType::boolean, "the condition");
  }
  check_body(e.body);
  check_existential(params, e.body.result, "the loop's body");
  check_existential(stm.pattern, param_atoms, "the loop");
  leave_body(e.body);
  for (const Param& param : params) unbind(param.name);
  if (for_loop) unbind(for_loop->index);
}

void TypeChecker::check(const Call& e, const Stm& stm) {
  const auto found = functions_.find(e.function);
  if (found == functions_.end()) {
    return report_.add("calls {}, which no function before is", to_string(e.function));
  }
  const Function& callee = *found->second;
  if (callee.params.size() != e.args.size()) {
    return report_.add("{} arguments for {}, which takes {}", e.args.size(), to_string(e.function),
                       callee.params.size());
  }
  Substitution args;
  for (std::size_t i = 0; i < e.args.size(); ++i) args.emplace(callee.params[i].name, e.args[i]);
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    Type wanted = callee.params[i].type;
    substitute(wanted, args);
    expect(e.args[i], wanted, "an argument");
  }
  // The callee's size results are the pattern's first names.
  if (stm.pattern.size() != callee.result_types.size()) {
    return report_.add("{} names for {} results", stm.pattern.size(), callee.result_types.size());
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(callee.size_results); ++i) {
    if (const Name* size = name_in(callee.body.result.at(i))) args.insert_or_assign(*size, stm.pattern[i].name);
  }
  std::vector<Type> wanted = callee.result_types, pattern;
  for (Type& type : wanted) substitute(type, args);
  for (const Param& param : stm.pattern) pattern.push_back(param.type);
  expect_same(pattern, wanted, "the pattern");
}

void TypeChecker::check(const Assert& e, const Stm&) {
  expect_scalar(e.condition, PrimType::boolean, "the condition");
  for (const Atom& arg : e.args) {
    if (in_scope(arg) && !names_.type_of(arg).is_scalar()) {
      report_.add("the message shows {}, which is not a scalar", to_string(arg));
    }
  }
}

}  // namespace boustro::ir::verification
