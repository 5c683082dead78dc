// Whether two core programs differ in names alone, and where they come from.
#pragma once

#include <algorithm>
#include <functional>
#include <map>

#include "transform/ir/parts.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::tests {

using namespace ir;

/// Names become numbers, in the order in which they are bound.
struct Numbered : parts::Deep<Numbered> {
  Substitution numbers;
  void use(Name& name) { name = std::get<Name>(substitute(name, numbers)); }
  void use(Atom& atom) { atom = substitute(atom, numbers); }
  void bind(Name& name) {
    const Name number{"", static_cast<int>(numbers.size()) + 1};
    numbers.emplace(name, number);
    name = number;
  }
  /// That accumulators are one's own need not be said.
  void lambda(Lambda& lambda) {
    for (Param& param : lambda.params) param.unique = param.unique && !param.type.accumulator;
    Deep::lambda(lambda);
  }
};

inline void for_each_statement(Body& body, const std::function<void(Stm&)>& change) {
  for (Stm& stm : body.stms) {
    change(stm);
    map_bodies(stm.exp, [&](Body& inner) { for_each_statement(inner, change); });
  }
}

/// A size that several results have needs to be yielded once.
inline void drop_repeated_sizes(Function& f) {
  auto& sizes = f.body.result;
  for (int i = f.size_results; i-- > 0;) {
    const auto at = sizes.begin() + i;
    if (std::find(sizes.begin(), at, *at) == at) continue;
    sizes.erase(at);
    f.result_types.erase(f.result_types.begin() + i);
    --f.size_results;
  }
}

/// Callees in the order in which they are called first; no names, places, rules, and nothing of how the source spells
/// the entries' parameters.
inline std::vector<Function> without_names(Program program) {
  std::map<Name, Function> by_name;
  std::vector<Name> order;
  for (const Function& f : program.functions) {
    by_name.emplace(f.name, f);
    if (f.entry) order.push_back(f.name);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for_each_statement(by_name.at(order[i]).body, [&](Stm& stm) {
      const auto* call = std::get_if<Call>(&stm.exp);
      if (call && std::find(order.begin(), order.end(), call->function) == order.end())
        order.push_back(call->function);
    });
  }
  std::vector<Function> result;
  for (const Name& name : order) {
    Function f = by_name.at(name);
    for_each_statement(f.body, [&](Stm& stm) {
      stm.origin = {};
      for (Param& param : stm.pattern) param.unique = false;  // says nothing
      if (auto* loop = std::get_if<Loop>(&stm.exp))
        for (LoopParam& p : loop->params) p.param.unique = p.param.unique && !p.param.type.accumulator;
      if (auto* call = std::get_if<Call>(&stm.exp)) {
        const auto callee = std::find(order.begin(), order.end(), call->function) - order.begin();
        call->function = {"function", static_cast<int>(callee) + 1};
      }
    });
    f.name = {f.entry ? f.entry->name : "function", static_cast<int>(result.size()) + 1};
    f.at = {};
    if (f.entry) drop_repeated_sizes(f);
    if (f.entry) f.entry = Entry{f.entry->name, {}, {}};
    Numbered numbered;
    parts::visit(f, numbered);
    result.push_back(std::move(f));
  }
  return result;
}

}  // namespace boustro::tests
