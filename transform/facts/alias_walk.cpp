#include "transform/facts/alias_walk.hpp"

#include <algorithm>

namespace boustro::facts {

using namespace ir;

void Aliases::Walk::statements(const std::vector<Stm>& stms) {
  for (const Stm& stm : stms) statement(stm);
}

void Aliases::Walk::function(const Function& function) {
  for (const Param& param : function.params) {
    parameter(param);
    may_be_fresh(param);
  }
  body(function.body);
}

void Aliases::Walk::statement(const Stm& stm) {
  for (const Param& param : stm.pattern) bind(param);
  for (const Name& name : callees_.consumed_operands(stm.exp)) consume(name);
  if (const Name* operand = viewed_operand(stm.exp)) view(stm.pattern.at(0), *operand);
  yield(stm);
}

/// What stands inside, and what it makes of the results.
void Aliases::Walk::yield(const Stm& stm) {
  match(
      stm.exp,  //
      [&](const If& e) { branches(stm, e); }, [&](const Loop& e) { loop(stm, e); },
      [&](const Call& e) { call(stm, e); }, [&](const WithAcc& e) { with_acc(stm, e); },
      [&](const Map& e) { elements(e.fn, e.arrays, e.accumulators.size()); },
      [&](const Reduce& e) { lambda(e.op); }, [&](const Scan& e) { lambda(e.op); },
      [&](const MapReduce& e) {
        operators(e.operators);
        elements(e.fn, e.arrays, e.accumulators.size());
      },
      [&](const MapScan& e) { operators(e.operators), elements(e.fn, e.arrays); },
      [&](const ReduceByIndex& e) {
        for (const Histogram& histogram : e.histograms) lambda(histogram.op);
        elements(e.fn, e.arrays);
      },
      [&](const Nest& e) { nest(e); },
      [&](const Jvp& e) { derivative(stm, e.fn, e.args); },
      [&](const Vjp& e) { derivative(stm, e.fn, e.args); },
      [&](const WithVjp& e) { custom(stm, e); }, [](const auto&) {});
}

// ---- Scopes

/// What one branch consumes and the other one yields has become the result's own.
void Aliases::Walk::branches(const Stm& stm, const If& e) {
  const auto before = static_cast<std::ptrdiff_t>(a_.consumed_.size());
  body(e.then_body);
  body(e.else_body);
  Ids consumed = a_.reachable({a_.consumed_.begin() + before, a_.consumed_.end()});
  std::erase_if(consumed, [&](Id id) { return !a_.nodes_[id].is_root(); });
  for (std::size_t i = 0; i < stm.pattern.size(); ++i)
    for (const Body* body : {&e.then_body, &e.else_body})
      view_without(stm.pattern[i], body->result.at(i), consumed);
}

void Aliases::Walk::view_without(const Param& param, const Atom& of, const Ids& consumed) {
  const Name* name = name_in(of);
  if (!name || param.type.is_scalar() || consumed.empty()) return view(param, of);
  const auto is_consumed = [&](Id id) {
    return std::find(consumed.begin(), consumed.end(), id) != consumed.end();
  };
  const Ids all = a_.reachable({a_.id_of(*name)});
  if (std::none_of(all.begin(), all.end(), is_consumed)) return view(param, of);
  may_be_fresh(param);
  for (const Id id : all)
    if (a_.nodes_[id].is_root() && !is_consumed(id)) view(param, a_.nodes_[id].name);
}

/// A parameter that is updated takes over its start value, dead afterwards, and then each next value; what comes out is the
/// loop's own. Any other one may be its start value, or the next one of any iteration.
void Aliases::Walk::loop(const Stm& stm, const Loop& e) {
  for (const LoopParam& p : e.params) parameter(p.param);
  body(e.body);
  for (std::size_t i = 0; i < e.params.size(); ++i) {
    const Param& param = e.params[i].param;
    const Atom& next = e.body.result.at(i);
    if (!param.unique) {
      view(param, e.params[i].init);
      view(param, next);
      view(stm.pattern.at(i), param.name);
      if (const Name* name = name_in(next); name && !param.type.is_scalar()) a_.other_next_values_.push_back(a_.id_of(*name));
    } else if (const Name* name = name_in(next); name && !param.type.is_scalar()) {
      a_.next_values_.push_back(a_.id_of(*name));
    }
  }
}

void Aliases::Walk::call(const Stm& stm, const Call& e) {
  const Callee& callee = callees_.at(e.function);
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Param& param = callee.params.at(i);
    if (a_.find(param.name) && !param.unique) view(param, e.args[i]);
  }
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    const Param& result = stm.pattern[i];
    if (result.type.is_scalar()) continue;
    may_be_fresh(result);
    for (const std::size_t param : callee.results.at(i).params) view(result, e.args.at(param));
    for (const std::size_t other : callee.results[i].results)
      view(result, stm.pattern[other].name);
    const Name* returned = name_in(callee.returned.at(i));
    if (const Id* id = returned ? a_.find(*returned) : nullptr)
      a_.returned_[a_.id_of(result.name)].push_back(*id);
  }
}

void Aliases::Walk::with_acc(const Stm& stm, const WithAcc& e) {
  for (const AccumulatorInput& input : e.inputs)
    if (const auto* combine = std::get_if<Combine>(&input.kind)) lambda(combine->op);
  lambda(e.fn);
  for (std::size_t i = e.inputs.size(); i < stm.pattern.size(); ++i)
    view(stm.pattern[i], e.fn.body.result.at(i));
}

void Aliases::Walk::lambda(const Lambda& fn) {
  for (const Param& param : fn.params) parameter(param);
  body(fn.body);
}

void Aliases::Walk::operators(const std::vector<Operator>& operators) {
  for (const Operator& each : operators) lambda(each.op);
}

/// Its points index arrays themselves, and its outs are made by copying.
void Aliases::Walk::nest(const Nest& e) {
  lambda(e.point);
  for (const Out& out : e.outs) {
    if (out.op) lambda(out.op->op);
    if (out.epilogue) lambda(*out.epilogue);
  }
}

/// A lambda that is applied to elements of arrays, of which rows are views.
void Aliases::Walk::elements(const Lambda& fn, const std::vector<Name>& arrays, std::size_t first) {
  for (std::size_t i = 0; i < arrays.size(); ++i) view(fn.params.at(first + i), arrays[i]);
  lambda(fn);
}

/// Any result may be any argument: what the derivative will be made of is not known.
void Aliases::Walk::derivative(const Stm& stm, const Lambda& fn, const std::vector<Atom>& args) {
  for (const Param& result : stm.pattern) may_be_fresh(result);
  for (std::size_t i = 0; i < args.size(); ++i) {
    view(fn.params.at(i), args[i]);
    if (fn.params[i].type.is_scalar()) continue;
    for (const Param& result : stm.pattern) view(result, args[i]);
  }
  lambda(fn);
}

void Aliases::Walk::custom(const Stm& stm, const WithVjp& e) {
  derivative(stm, e.fn, e.args);
  lambda(e.vjp);
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) view(stm.pattern[i], e.fn.body.result.at(i));
}

// ---- Names

void Aliases::Walk::bind(const Param& param) {
  if (!param.type.is_scalar()) a_.id_of(param.name);
}

void Aliases::Walk::parameter(const Param& param) {
  bind(param);
  if (param.unique) consume(param.name);
}

void Aliases::Walk::view(const Param& param, const Atom& of) {
  const Name* name = name_in(of);
  if (!name || param.type.is_scalar()) return;
  const Id source = a_.id_of(*name);
  a_.nodes_[a_.id_of(param.name)].sources.push_back(source);
}

void Aliases::Walk::may_be_fresh(const Param& param) {
  if (!param.type.is_scalar()) a_.nodes_[a_.id_of(param.name)].may_be_fresh = true;
}

}  // namespace boustro::facts
