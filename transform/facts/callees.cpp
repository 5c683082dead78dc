// What functions do with their parameters, and what expressions consume; both ask for the aliases of statements.
#include <algorithm>

#include "frontend/source/diagnostics.hpp"
#include "transform/facts/aliases.hpp"
#include "transform/ir/print.hpp"

namespace boustro::facts {

using namespace ir;

namespace {

/// Memory that two results have in common and that is no parameter's: a caller knows about parameters anyway.
bool share_own_memory(const NameSet& a, const NameSet& b, const NameSet& params) {
  return std::any_of(a.begin(), a.end(),
                     [&](const Name& root) { return b.contains(root) && !params.contains(root); });
}

Callee look_into(const Function& function, const Callees& callees) {
  const Aliases aliases(function.body.stms, callees);
  NameSet params;
  for (const Param& param : function.params)
    if (!param.unique && !param.type.is_scalar()) params.insert(param.name);
  std::vector<NameSet> roots;
  Callee callee{function.params, function.body.result, {}};
  for (const Atom& result : function.body.result) {
    const Name* name = name_in(result);
    roots.push_back(name ? aliases.roots(*name) : NameSet());
    Callee::Result& seen = callee.results.emplace_back();
    for (std::size_t i = 0; i < function.params.size(); ++i) {
      const Name& param = function.params[i].name;
      if (params.contains(param) && roots.back().contains(param)) seen.params.push_back(i);
    }
    for (std::size_t i = 0; i + 1 < roots.size(); ++i)
      if (share_own_memory(roots[i], roots.back(), params)) seen.results.push_back(i);
  }
  return callee;
}

/// The bodies inside that run once, or not at all.
std::vector<const Body*> single_bodies(const Exp& exp) {
  if (const auto* e = std::get_if<If>(&exp)) return {&e->then_body, &e->else_body};
  if (const auto* e = std::get_if<WithAcc>(&exp)) return {&e->fn.body};
  return {};
}

/// Whether statements which run once may consume anything.
bool any_consumed(const std::vector<Stm>& stms, const Callees& callees) {
  return std::any_of(stms.begin(), stms.end(), [&](const Stm& stm) {
    if (!callees.consumed_operands(stm.exp).empty()) return true;
    const auto inside = single_bodies(stm.exp);
    return std::any_of(inside.begin(), inside.end(),
                       [&](const Body* body) { return any_consumed(body->stms, callees); });
  });
}

}  // namespace

Callees::Callees(const Program& program)
    : lookup_([&program](const Name& name) -> const Function* {
        for (const Function& function : program.functions)
          if (function.name == name) return &function;
        return nullptr;
      }) {}

const Callee& Callees::at(const Name& name) const {
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;
  return known_.emplace(name, look_into(function(name), *this)).first->second;
}

const Function& Callees::function(const Name& name) const {
  const Function* function = lookup_(name);
  source::internal_check(function != nullptr, "no such function to call: " + to_string(name));
  return *function;
}

std::vector<Name> Callees::consumed_operands(const Exp& exp) const {
  const auto* call = std::get_if<Call>(&exp);
  return call ? ir::consumed_operands(exp, at(call->function).params) : ir::consumed_operands(exp);
}

std::vector<Name> consumed_by(const std::vector<Stm>& stms, const Callees& callees) {
  if (!any_consumed(stms, callees)) return {};
  const Aliases aliases(stms, callees);
  std::vector<Name> result = free_names_in_order(Body{stms, {}});
  std::erase_if(result, [&](const Name& name) { return !aliases.is_consumed(name); });
  return result;
}

std::vector<Name> consumed_by(const Exp& exp, const Callees& callees) {
  std::vector<Name> result = callees.consumed_operands(exp);
  for (const Body* body : single_bodies(exp))
    for (const Name& name : consumed_by(body->stms, callees))
      if (std::find(result.begin(), result.end(), name) == result.end()) result.push_back(name);
  return result;
}

}  // namespace boustro::facts
