#include "transform/simplify/liveness.hpp"

#include <algorithm>

namespace boustro::simplify {

using namespace ir;

Liveness::Liveness(const Program& program)
    : has_entries_(std::any_of(program.functions.begin(), program.functions.end(),
                               [](const Function& f) { return f.entry.has_value(); })) {
  // Callers stand after their callees.
  for (std::size_t i = program.functions.size(); i-- > 0;) {
    const Function& f = program.functions[i];
    if (!is_root(f) && !functions_.contains(f.name)) continue;
    functions_.insert(f.name);
    if (is_root(f) || f.size_results > 0) results_[f.name].assign(f.result_types.size(), true);
    function(f);
  }
}

bool Liveness::needed_result(const Function& function, std::size_t result) const {
  return results_.at(function.name)[result];
}

bool Liveness::needed_statement(const Stm& stm) const {
  if (std::holds_alternative<Assert>(stm.exp)) return true;
  return std::any_of(stm.pattern.begin(), stm.pattern.end(),
                     [&](const Param& param) { return needed(param.name); });
}

bool Liveness::needed_component(const Stm& stm, const Loop& loop, std::size_t i) const {
  const Name& param = loop.params[i].param.name;
  const auto* form = std::get_if<WhileLoop>(&loop.form);
  return needed(stm.pattern[i].name) || needed(param) || (form && form->condition == param);
}

bool Liveness::needed_component(const Stm& stm, std::size_t first, const Lambda& op,
                                std::size_t i) const {
  const std::size_t half = op.params.size() / 2;
  return needed(stm.pattern[first + i].name) || needed(op.params[i].name) ||
         needed(op.params[half + i].name);
}

bool Liveness::needed_histogram(const Stm& stm, std::size_t first, std::size_t count) const {
  for (std::size_t i = first; i < first + count; ++i) {
    if (needed(stm.pattern[i].name)) return true;
  }
  return false;
}

void Liveness::function(const Function& function) {
  const std::vector<bool>& results = results_[function.name];
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    need(function.body.result[i]);
    need(function.result_types[i]);
  }
  body(function.body);
  for (std::size_t i = function.params.size(); i-- > 0;) {
    if (needed(function.params[i].name)) need(function.params[i].type);
  }
}

void Liveness::body(const Body& body) {
  for (auto stm = body.stms.rbegin(); stm != body.stms.rend(); ++stm) statement(*stm);
}

void Liveness::statement(const Stm& stm) {
  if (!needed_statement(stm)) return;
  // Types of later results mention earlier ones.
  for (auto param = stm.pattern.rbegin(); param != stm.pattern.rend(); ++param) {
    if (needed(param->name)) need(param->type);
  }
  for (const Attribute& attribute : stm.attributes) need(attribute.args);
  parts(stm);
}

void Liveness::parts(const Stm& stm) {
  match(
      stm.exp,  //
      [&](const If& e) { branch(stm, e); }, [&](const Loop& e) { loop(stm, e); },
      [&](const Call& e) { call(stm, e); },
      [&](const Map& e) {
        need(e.width);
        mapped(stm, e.fn, e.arrays, e.accumulators, 0);
      },
      [&](const Reduce& e) { need(e.width), reduced(stm, e.op, e.neutral, e.arrays); },
      [&](const Scan& e) { need(e.width), reduced(stm, e.op, e.neutral, e.arrays); },
      [&](const MapReduce& e) {
        need(e.width);
        fused(stm, e.operators, e.fn, e.arrays, e.accumulators);
      },
      [&](const MapScan& e) { need(e.width), fused(stm, e.operators, e.fn, e.arrays, {}); },
      [&](const ReduceByIndex& e) { histograms(stm, e); },
      [&](const Scatter& e) { scatter(stm, e); },  //
      [&](const WithAcc& e) { with_acc(stm, e); }, [&](const auto&) { everything(stm.exp); });
}

// ---- Control

void Liveness::branch(const Stm& stm, const If& e) {
  need(e.condition);
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    if (!needed(stm.pattern[i].name)) continue;
    need(e.then_body.result[i]);
    need(e.else_body.result[i]);
  }
  body(e.then_body);
  body(e.else_body);
}

/// A parameter that becomes needed by one iteration needs its result in the one before: repeat
/// until no further one does.
void Liveness::loop(const Stm& stm, const Loop& e) {
  if (const auto* form = std::get_if<ForLoop>(&e.form)) need(form->bound);
  std::size_t before = 0;
  do {
    before = needed_.size();
    for (std::size_t i = e.params.size(); i-- > 0;) {
      if (!needed_component(stm, e, i)) continue;
      need(Atom(e.params[i].param.name));
      need(e.params[i].param.type);
      need(e.params[i].init);
      need(e.body.result[i]);
    }
    body(e.body);
  } while (needed_.size() != before);
}

void Liveness::call(const Stm& stm, const Call& e) {
  functions_.insert(e.function);
  std::vector<bool>& results = results_[e.function];
  results.resize(std::max(results.size(), stm.pattern.size()));
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    results[i] = results[i] || needed(stm.pattern[i].name);
  }
  need(e.args);
}

// ---- Parallel operators

/// Accumulators and mapped results; those of `reduced` operands in between are marked already.
void Liveness::mapped(const Stm& stm, const Lambda& fn, const std::vector<Name>& arrays,
                      const std::vector<Name>& accumulators, std::size_t reduced) {
  for (std::size_t i = 0; i < fn.body.result.size(); ++i) {
    const bool is_operand = i >= accumulators.size() && i < accumulators.size() + reduced;
    if (is_operand || !needed(stm.pattern[i].name)) continue;
    need(fn.body.result[i]);
    need(fn.result_types[i]);
  }
  body(fn.body);
  inputs(fn, 0, accumulators);
  inputs(fn, accumulators.size(), arrays);
}

void Liveness::reduction(const Stm& stm, std::size_t first, const Lambda& op,
                         const std::vector<Atom>& neutral) {
  std::size_t before = 0;
  do {
    before = needed_.size();
    for (std::size_t i = 0; i < neutral.size(); ++i) {
      if (!needed_component(stm, first, op, i)) continue;
      for (const Param* param : {&op.params[i], &op.params[neutral.size() + i]}) {
        need(Atom(param->name));
        need(param->type);
      }
      need(op.body.result[i]);
      need(op.result_types[i]);
      need(neutral[i]);
    }
    body(op.body);
  } while (needed_.size() != before);
}

void Liveness::reduced(const Stm& stm, const Lambda& op, const std::vector<Atom>& neutral,
                       const std::vector<Name>& arrays) {
  reduction(stm, 0, op, neutral);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (needed_component(stm, 0, op, i)) need(Atom(arrays[i]));
  }
}

void Liveness::fused(const Stm& stm, const std::vector<Operator>& operators, const Lambda& fn,
                     const std::vector<Name>& arrays, const std::vector<Name>& accumulators) {
  std::size_t at = accumulators.size();
  for (const Operator& op : operators) {
    reduction(stm, at, op.op, op.neutral);
    for (std::size_t i = 0; i < op.neutral.size(); ++i) {
      if (!needed_component(stm, at, op.op, i)) continue;
      need(fn.body.result[at + i]);
      need(fn.result_types[at + i]);
    }
    at += op.neutral.size();
  }
  mapped(stm, fn, arrays, accumulators, at - accumulators.size());
}

void Liveness::histograms(const Stm& stm, const ReduceByIndex& e) {
  need(e.width);
  std::size_t at = 0, operand = 0;
  for (const Histogram& histogram : e.histograms) {
    const std::size_t count = histogram.destinations.size();
    const std::size_t operands = histogram.shape.size() + count;
    if (needed_histogram(stm, at, count)) {
      need(histogram.shape);
      need(histogram.neutral);
      for (const Name& name : histogram.destinations) need(Atom(name));
      need(histogram.op.body.result);
      body(histogram.op.body);
      for (const Type& type : histogram.op.result_types) need(type);
      for (const Param& param : histogram.op.params) need(param.type);
      for (std::size_t i = operand; i < operand + operands; ++i) {
        need(e.fn.body.result[i]);
        need(e.fn.result_types[i]);
      }
    }
    at += count;
    operand += operands;
  }
  body(e.fn.body);
  inputs(e.fn, 0, e.arrays);
}

void Liveness::scatter(const Stm& stm, const Scatter& e) {
  need(e.width);
  for (const Name& name : e.indices) need(Atom(name));
  for (std::size_t i = 0; i < e.destinations.size(); ++i) {
    if (!needed(stm.pattern[i].name)) continue;
    need(Atom(e.destinations[i]));
    need(Atom(e.values[i]));
  }
}

void Liveness::with_acc(const Stm& stm, const WithAcc& e) {
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    if (!needed(stm.pattern[i].name)) continue;
    need(e.fn.body.result[i]);
    need(e.fn.result_types[i]);
    if (i >= e.inputs.size()) continue;
    need(Atom(e.inputs[i].destination));
    need(e.fn.params[i].type);
    if (const auto* combine = std::get_if<Combine>(&e.inputs[i].kind)) {
      need(combine->neutral);
      need(combine->op.body.result);
      body(combine->op.body);
      for (const Param& param : combine->op.params) need(param.type);
    }
  }
  body(e.fn.body);
}

// ---- Parts

/// All operands, and all results of all bodies.
void Liveness::everything(const Exp& exp) {
  for_each_atom(exp, [&](const Atom& atom) { need(atom); });
  for_each_lambda(exp, [&](const Lambda& lambda) {
    for (const Param& param : lambda.params) need(param.type);
    for (const Type& type : lambda.result_types) need(type);
  });
  for_each_body(exp, [&](const Body& inner) {
    need(inner.result);
    body(inner);
  });
}

void Liveness::inputs(const Lambda& fn, std::size_t first, const std::vector<Name>& arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Param& param = fn.params[first + i];
    if (!needed(param.name)) continue;
    need(Atom(arrays[i]));
    need(param.type);
  }
}

void Liveness::need(const Atom& atom) {
  if (const Name* name = name_in(atom)) needed_.insert(*name);
}

void Liveness::need(const std::vector<Atom>& atoms) {
  for (const Atom& atom : atoms) need(atom);
}

void Liveness::need(const Type& type) { need(type.shape); }

}  // namespace boustro::simplify
