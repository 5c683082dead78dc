#include "transform/simplify/consumption.hpp"

namespace boustro::simplify {

using namespace ir;

Consumption::Consumption(const Program& program) : program_(program) {
  for (const Function& function : program.functions) {
    for (const Param& param : function.params) {
      bind(param.name);
      if (param.unique) consume(param.name);
    }
    body(function.body);
  }
  for (const Name& next : next_values_) hand_on(next);
}

bool Consumption::settled(const Name& name) const {
  const auto found = ids_.find(name);
  return found != ids_.end() && !consumed_[static_cast<std::size_t>(root(found->second))] && !handed_on_.contains(name);
}

bool Consumption::may_alias(const Name& a, const Name& b) const {
  const auto x = ids_.find(a), y = ids_.find(b);
  return a == b || (x != ids_.end() && y != ids_.end() && root(x->second) == root(y->second));
}

/// With all that the name may be another one for. What is a view of it, on the other hand, ends with the body.
void Consumption::hand_on(const Name& name) {
  if (!handed_on_.insert(name).second) return;
  if (const auto found = sources_.find(name); found != sources_.end())
    for (const Name& source : found->second) hand_on(source);
}

void Consumption::body(const Body& body) {
  for (const Stm& stm : body.stms) statement(stm);
}

void Consumption::statement(const Stm& stm) {
  for (const Param& param : stm.pattern) bind(param.name);
  for_each_lambda(stm.exp, [&](const Lambda& lambda) {
    for (const Param& param : lambda.params) {
      bind(param.name);
      if (param.unique) consume(param.name);
    }
  });
  for (const Name& name : consumed_by(stm.exp, &program_)) consume(name);

  // Only what may share memory while both names can be used; see "Aliases" in ir.hpp.
  const auto alias_result = [&](const Atom& atom) {
    if (!stm.pattern.empty()) alias(stm.pattern[0].name, atom);
  };
  const auto alias_results = [&](const std::vector<Atom>& atoms, std::size_t first = 0) {
    for (std::size_t i = first; i < stm.pattern.size(); ++i) alias(stm.pattern[i].name, atoms[i]);
  };
  const auto alias_all = [&](const std::vector<Atom>& atoms) {
    for (const Param& param : stm.pattern) {
      for (const Atom& atom : atoms) alias(param.name, atom);
    }
  };
  const auto params = [&](const Lambda& fn, const std::vector<Name>& arrays,
                          std::size_t first = 0) { alias_params(fn.params, first, arrays); };
  const auto args = [&](const Lambda& fn, const std::vector<Atom>& atoms) {
    for (std::size_t i = 0; i < atoms.size(); ++i) alias(fn.params[i].name, atoms[i]);
    alias_all(atoms);
  };
  match(
      stm.exp,  //
      [&](const AtomExp& e) { alias_result(e.atom); },
      [&](const Index& e) {
        if (!stm.pattern[0].type.is_scalar()) alias_result(e.array);
      },
      [&](const Rearrange& e) { alias_result(e.array); },
      [&](const Reshape& e) { alias_result(e.array); },
      [&](const Coerce& e) { alias_result(e.array); },
      [&](const If& e) { alias_results(e.then_body.result), alias_results(e.else_body.result); },
      [&](const Loop& e) { loop(stm, e); }, [&](const Call& e) { call(stm, e); },
      [&](const WithAcc& e) { alias_results(e.fn.body.result, e.inputs.size()); },
      [&](const Map& e) { params(e.fn, e.arrays, e.accumulators.size()); },
      [&](const MapReduce& e) { params(e.fn, e.arrays, e.accumulators.size()); },
      [&](const MapScan& e) { params(e.fn, e.arrays); },
      [&](const ReduceByIndex& e) { params(e.fn, e.arrays); },
      [&](const Jvp& e) { args(e.fn, e.args); },  //
      [&](const Vjp& e) { args(e.fn, e.args); },
      [&](const WithVjp& e) { args(e.fn, e.args), alias_all(e.args); },  //
      [](const auto&) {});
  for_each_body(stm.exp, [&](const Body& inner) { body(inner); });
}

/// A unique parameter takes its start value over, which is dead afterwards, and then each next value, which dies where the body
/// ends. The loop's results are then new values. Any other parameter may be a start value, and come out as the result.
void Consumption::loop(const Stm& stm, const Loop& loop) {
  for (std::size_t i = 0; i < loop.params.size(); ++i) {
    const LoopParam& p = loop.params[i];
    bind(p.param.name);
    alias(p.param.name, p.init);
    alias(stm.pattern[i].name, loop.body.result[i]);
    if (p.param.unique) {
      consume(p.param.name);
      if (const Name* next = name_in(loop.body.result[i])) next_values_.push_back(*next);
    } else {
      alias(stm.pattern[i].name, p.init);
    }
  }
}

/// Results may be arguments, and are what the function yields.
void Consumption::call(const Stm& stm, const Call& call) {
  for (const Function& function : program_.functions) {
    if (function.name != call.function) continue;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      if (!function.params[i].unique) alias(function.params[i].name, call.args[i]);
    }
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      alias(stm.pattern[i].name, function.body.result[i]);
    }
  }
}

void Consumption::alias_params(const std::vector<Param>& params, std::size_t first,
                               const std::vector<Name>& arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) alias(params[first + i].name, arrays[i]);
}

void Consumption::alias(const Name& a, const Atom& b) {
  const Name* other = name_in(b);
  if (!other) return;
  sources_[a].push_back(*other);
  const int x = root(id_of(a)), y = root(id_of(*other));
  if (x == y) return;
  parents_[static_cast<std::size_t>(x)] = y;
  if (consumed_[static_cast<std::size_t>(x)]) consumed_[static_cast<std::size_t>(y)] = true;
}

void Consumption::consume(const Name& name) {
  consumed_[static_cast<std::size_t>(root(id_of(name)))] = true;
}

int Consumption::id_of(const Name& name) {
  const auto [found, is_new] = ids_.emplace(name, static_cast<int>(parents_.size()));
  if (is_new) {
    parents_.push_back(found->second);
    consumed_.push_back(false);
  }
  return found->second;
}

int Consumption::root(int id) const {
  while (parents_[static_cast<std::size_t>(id)] != id) {
    int& parent = parents_[static_cast<std::size_t>(id)];
    parent = parents_[static_cast<std::size_t>(parent)];
    id = parent;
  }
  return id;
}

}  // namespace boustro::simplify
