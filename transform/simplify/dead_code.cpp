#include "transform/simplify/dead_code.hpp"

#include "transform/simplify/liveness.hpp"
#include "transform/simplify/rule.hpp"

namespace boustro::simplify {

using namespace ir;

namespace {

using Flags = std::vector<bool>;

class Removal {
 public:
  explicit Removal(Program& program) : program_(program), live_(program) {}

  bool run();

 private:
  bool function(Function& function);
  void body(Body& body);
  void statement(Stm& stm);

  void branch(Stm& stm, If& e);
  void loop(Stm& stm, Loop& e);
  void call(Stm& stm, Call& e);
  void map(Stm& stm, Map& e);
  void reduction(Stm& stm, Lambda& op, std::vector<Atom>& neutral, std::vector<Name>& arrays);
  void map_reduce(Stm& stm, MapReduce& e);
  void map_scan(Stm& stm, MapScan& e);
  void histograms(Stm& stm, ReduceByIndex& e);
  void scatter(Stm& stm, Scatter& e);
  void with_acc(Stm& stm, WithAcc& e);

  Flags dead_results(const Stm& stm) const;
  Flags dead_operands(const Stm& stm, std::size_t first,
                      const std::vector<Operator>& operators) const;
  void operators(Stm& stm, std::size_t first, std::vector<Operator>& operators);
  void inputs(Lambda& fn, std::size_t first, std::vector<Name>& arrays);
  /// Removes what is flagged, and notes that something was.
  template <typename T>
  void erase(std::vector<T>& list, const Flags& dead, std::size_t first = 0);

  Program& program_;
  Liveness live_;
  std::unordered_map<Name, Flags> dead_params_;  // of functions
  bool changed_ = false;
};

template <typename T>
void Removal::erase(std::vector<T>& list, const Flags& dead, std::size_t first) {
  const std::size_t before = list.size();
  erase_flagged(list, dead, first);
  changed_ = changed_ || list.size() != before;
}

bool Removal::run() {
  Flags dead;
  for (Function& f : program_.functions) dead.push_back(!function(f));
  erase(program_.functions, dead);
  return changed_;
}

/// False if the function is dead itself. Callees come first, so calls find out which arguments are
/// left.
bool Removal::function(Function& function) {
  if (!live_.needed_function(function.name)) return false;
  Flags dead;
  for (std::size_t i = 0; i < function.result_types.size(); ++i) {
    dead.push_back(!live_.needed_result(function, i));
  }
  erase(function.body.result, dead);
  erase(function.result_types, dead);
  body(function.body);
  Flags& dead_params = dead_params_[function.name];
  for (const Param& param : function.params) {
    const bool is_size = dead_params.size() < static_cast<std::size_t>(function.size_params);
    const bool is_fixed = is_size || live_.is_root(function);
    dead_params.push_back(!is_fixed && !live_.needed(param.name));
  }
  erase(function.params, dead_params);
  return true;
}

void Removal::body(Body& body) {
  Flags dead;
  for (const Stm& stm : body.stms) dead.push_back(!live_.needed_statement(stm));
  erase(body.stms, dead);
  for (Stm& stm : body.stms) statement(stm);
}

void Removal::statement(Stm& stm) {
  match(
      stm.exp,  //
      [&](If& e) { branch(stm, e); }, [&](Loop& e) { loop(stm, e); },
      [&](Call& e) { call(stm, e); }, [&](Map& e) { map(stm, e); },
      [&](Reduce& e) { reduction(stm, e.op, e.neutral, e.arrays); },
      [&](Scan& e) { reduction(stm, e.op, e.neutral, e.arrays); },
      [&](MapReduce& e) { map_reduce(stm, e); }, [&](MapScan& e) { map_scan(stm, e); },
      [&](ReduceByIndex& e) { histograms(stm, e); }, [&](Scatter& e) { scatter(stm, e); },
      [&](WithAcc& e) { with_acc(stm, e); }, [](auto&) {});
  map_bodies(stm.exp, [&](Body& inner) { body(inner); });
}

Flags Removal::dead_results(const Stm& stm) const {
  Flags dead;
  for (const Param& param : stm.pattern) dead.push_back(!live_.needed(param.name));
  return dead;
}

// ---- Control

void Removal::branch(Stm& stm, If& e) {
  const Flags dead = dead_results(stm);
  erase(e.then_body.result, dead);
  erase(e.else_body.result, dead);
  erase(stm.pattern, dead);
}

void Removal::loop(Stm& stm, Loop& e) {
  Flags dead;
  for (std::size_t i = 0; i < e.params.size(); ++i) {
    dead.push_back(!live_.needed_component(stm, e, i));
  }
  erase(e.params, dead);
  erase(e.body.result, dead);
  erase(stm.pattern, dead);
}

void Removal::call(Stm& stm, Call& e) {
  for (const Function& callee : program_.functions) {
    if (callee.name != e.function) continue;
    Flags dead;
    for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
      dead.push_back(!live_.needed_result(callee, i));
    }
    erase(stm.pattern, dead);
    erase(e.args, dead_params_[callee.name]);
  }
}

// ---- Parallel operators

void Removal::map(Stm& stm, Map& e) {
  const Flags dead = dead_results(stm);
  inputs(e.fn, e.accumulators.size(), e.arrays);
  inputs(e.fn, 0, e.accumulators);
  erase(e.fn.body.result, dead);
  erase(e.fn.result_types, dead);
  erase(stm.pattern, dead);
}

void Removal::reduction(Stm& stm, Lambda& op, std::vector<Atom>& neutral, std::vector<Name>& arrays) {
  Flags dead;
  for (std::size_t i = 0; i < neutral.size(); ++i) {
    dead.push_back(!live_.needed_component(stm, 0, op, i));
  }
  erase(op.params, dead, neutral.size());
  erase(op.params, dead);
  erase(op.body.result, dead);
  erase(op.result_types, dead);
  erase(neutral, dead);
  erase(arrays, dead);
  erase(stm.pattern, dead);
}

/// For each operand of the operators, in order.
Flags Removal::dead_operands(const Stm& stm, std::size_t first,
                           const std::vector<Operator>& operators) const {
  Flags dead;
  for (const Operator& op : operators) {
    const std::size_t at = first + dead.size();
    for (std::size_t i = 0; i < op.neutral.size(); ++i) {
      dead.push_back(!live_.needed_component(stm, at, op.op, i));
    }
  }
  return dead;
}

void Removal::operators(Stm& stm, std::size_t first, std::vector<Operator>& operators) {
  const Flags dead = dead_operands(stm, first, operators);
  std::size_t at = 0;
  for (Operator& op : operators) {
    const std::size_t count = op.neutral.size();
    const Flags own(dead.begin() + static_cast<std::ptrdiff_t>(at),
                    dead.begin() + static_cast<std::ptrdiff_t>(at + count));
    erase(op.op.params, own, count);
    erase(op.op.params, own);
    erase(op.op.body.result, own);
    erase(op.op.result_types, own);
    erase(op.neutral, own);
    at += count;
  }
  std::erase_if(operators, [](const Operator& op) { return op.neutral.empty(); });
}

void Removal::map_reduce(Stm& stm, MapReduce& e) {
  Flags dead = dead_results(stm);
  const Flags operands = dead_operands(stm, e.accumulators.size(), e.operators);
  std::copy(operands.begin(), operands.end(),
            dead.begin() + static_cast<std::ptrdiff_t>(e.accumulators.size()));
  operators(stm, e.accumulators.size(), e.operators);
  inputs(e.fn, e.accumulators.size(), e.arrays);
  inputs(e.fn, 0, e.accumulators);
  erase(e.fn.body.result, dead);
  erase(e.fn.result_types, dead);
  erase(stm.pattern, dead);
}

void Removal::map_scan(Stm& stm, MapScan& e) {
  Flags dead = dead_results(stm);
  const Flags operands = dead_operands(stm, 0, e.operators);
  std::copy(operands.begin(), operands.end(), dead.begin());
  operators(stm, 0, e.operators);
  inputs(e.fn, 0, e.arrays);
  erase(e.fn.body.result, dead);
  erase(e.fn.result_types, dead);
  erase(stm.pattern, dead);
}

void Removal::histograms(Stm& stm, ReduceByIndex& e) {
  Flags dead, dead_destinations, dead_operands;
  for (const Histogram& histogram : e.histograms) {
    const std::size_t count = histogram.destinations.size();
    dead.push_back(!live_.needed_histogram(stm, dead_destinations.size(), count));
    dead_destinations.insert(dead_destinations.end(), count, dead.back());
    dead_operands.insert(dead_operands.end(), histogram.shape.size() + count, dead.back());
  }
  inputs(e.fn, 0, e.arrays);
  erase(e.histograms, dead);
  erase(e.fn.body.result, dead_operands);
  erase(e.fn.result_types, dead_operands);
  erase(stm.pattern, dead_destinations);
}

void Removal::scatter(Stm& stm, Scatter& e) {
  const Flags dead = dead_results(stm);
  erase(e.destinations, dead);
  erase(e.values, dead);
  erase(stm.pattern, dead);
}

void Removal::with_acc(Stm& stm, WithAcc& e) {
  const Flags dead = dead_results(stm);
  const Flags dead_inputs(dead.begin(),
                          dead.begin() + static_cast<std::ptrdiff_t>(e.inputs.size()));
  erase(e.inputs, dead_inputs);
  erase(e.fn.params, dead_inputs);
  erase(e.fn.body.result, dead);
  erase(e.fn.result_types, dead);
  erase(stm.pattern, dead);
}

void Removal::inputs(Lambda& fn, std::size_t first, std::vector<Name>& arrays) {
  Flags dead;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    dead.push_back(!live_.needed(fn.params[first + i].name));
  }
  erase(arrays, dead);
  erase(fn.params, dead, first);
}

}  // namespace

bool remove_dead_code(Program& program) { return Removal(program).run(); }

}  // namespace boustro::simplify
