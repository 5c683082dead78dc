// Parallel operators inside a thread: in order, one element after the other.
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/in_order.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::plan::planner {
namespace {

/// The results behind the first ones that are arrays of the statement, at position `index`.
Destinations rows_of(Code& code, const std::vector<View>& arrays, std::size_t others,
                     const Expr& index) {
  Destinations rows(others);
  for (const View& array : arrays) {
    const View row = code.row(array, index);
    rows.push_back(row.rank() > 0 ? std::optional(row) : std::nullopt);
  }
  return rows;
}

/// 0, 1, 2, ...
bool is_count(const View& view) {
  const auto* counting = std::get_if<Counting>(&view.data);
  return counting && is_zero(counting->start) && is_one(counting->step);
}

/// Which operands of an operator are the index of the element, by the results `first`, ... of the
/// function that yields the operands.
std::vector<bool> counts_of(const ir::MapReduce& e, std::size_t first, std::size_t count,
                            const std::vector<View>& inputs) {
  std::vector<bool> counts(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const ir::Name& param = e.fn.params[e.accumulators.size() + j].name;
      if (is_count(inputs[j]) && e.fn.body.result[first + i] == ir::Atom(param)) counts[i] = true;
    }
  }
  return counts;
}

}  // namespace

// ---- map

void Code::map(const ir::Stm& stm, const ir::Map& e) {
  if (e.arrays.empty()) check_sizes(stm, {e.width});
  const std::size_t accumulators = e.accumulators.size();
  std::vector<View> inputs, outputs;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  for (std::size_t i = 0; i < accumulators; ++i) {
    bind(e.fn.params[i].name, accumulator(e.accumulators[i]));
    bind(stm.pattern[i].name, accumulator(e.accumulators[i]));
  }
  for (std::size_t i = accumulators; i < stm.pattern.size(); ++i) {
    outputs.push_back(place(stm.pattern[i]));
    bind(stm.pattern[i].name, outputs.back());
  }
  loop(
      extents({e.width})[0], index_base(e.fn.params, accumulators, inputs),
      [&](const Scalar& i) {
        bind_counted(e.fn.params, accumulators, inputs, i);
        std::vector<View> cells;
        for (const View& output : outputs) cells.push_back(row(output, i.expr));
        leave(e, cells);
      },
      accumulators == 0);
}

void Code::enter(const ir::Map& e, const Scalar& index) {
  const std::size_t accumulators = e.accumulators.size();
  std::vector<View> inputs;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  for (std::size_t i = 0; i < accumulators; ++i)
    bind(e.fn.params[i].name, accumulator(e.accumulators[i]));
  bind_counted(e.fn.params, accumulators, inputs, index);
}

void Code::leave(const ir::Map& e, const std::vector<View>& cells) {
  const std::size_t accumulators = e.accumulators.size();
  Destinations destinations(accumulators);
  for (const View& cell : cells)
    destinations.push_back(cell.rank() > 0 ? std::optional(cell) : std::nullopt);
  body(e.fn.body, destinations);
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (cells[j].rank() == 0) store(cells[j], final_value(e.fn.body.result[accumulators + j]));
  }
}

// ---- Operators

Results Code::running(const ir::Operator& op, const std::vector<std::string>& bases) {
  Results result;
  for (std::size_t i = 0; i < op.neutral.size(); ++i) {
    const ir::Type& type = op.op.result_types[i];
    const ir::Name* name = ir::name_in(op.neutral[i]);
    if (type.is_scalar()) {
      result.push_back(Scalar{variable(bases[i], scalar_type(type.elem), value(op.neutral[i]))});
    } else {
      const View neutral = view(*name);
      const View memory = temporary(bases[i], type.elem, extents(type.shape));
      copy(memory, neutral);
      result.push_back(memory);
    }
  }
  return result;
}

void Code::step(const ir::Operator& op, Results& running, const Results& operands) {
  const std::size_t count = running.size();
  const auto vectorised = ir::as_vectorised_binop(op.op);
  Destinations next(count);
  for (std::size_t i = 0; i < count; ++i) {
    bind(op.op.params[i].name, running[i]);
    const ir::Param& right = op.op.params[count + i];
    const Scalar* scalar = std::get_if<Scalar>(&operands[i]);
    if (scalar) {
      bind_scalar(right.name, *scalar);
    } else if (right.type.is_scalar()) {
      bind_scalar(right.name, load(std::get<View>(operands[i])));
    } else {
      bind(right.name, operands[i]);
    }
    // Element-wise operators can write over their left operand.
    if (const View* left = std::get_if<View>(&running[i])) {
      next[i] =
          vectorised ? *left : temporary("next_" + right.name.base, left->elem, left->extents);
    }
  }
  if (const auto* choice = choice_in(op.op)) return pick(op, *choice, running);
  const Results results = body(op.op.body, next);
  std::vector<Expr> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::holds_alternative<Scalar>(running[i])) values[i] = value(op.op.body.result[i]);
  }
  for (std::size_t i = 1; i < count; ++i) {
    if (!std::holds_alternative<Scalar>(running[i])) continue;
    const bool depends = std::any_of(
        running.begin(), running.begin() + static_cast<std::ptrdiff_t>(i), [&](const Value& r) {
          const Scalar* earlier = std::get_if<Scalar>(&r);
          return earlier && mentions(values[i], std::get<Var>(earlier->expr.head).name);
        });
    if (depends) {
      const std::string name = identifiers_.fresh("next");
      emit(Let{.name = name, .type = values[i].type, .value = values[i]});
      values[i] = var(name, values[i].type);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (const Scalar* target = std::get_if<Scalar>(&running[i])) {
      assign(target->expr, values[i]);
    } else {
      copy(std::get<View>(running[i]), *next[i]);
    }
  }
}

/// if (condition) running = operands;
void Code::pick(const ir::Operator& op, const ir::If& choice, const Results& running) {
  for (const ir::Stm& stm : op.op.body.stms) {
    if (std::get_if<ir::If>(&stm.exp) != &choice) this->stm(stm);
  }
  const Expr condition = value(choice.condition);
  guarded(condition, [&] {
    for (std::size_t i = 0; i < running.size(); ++i)
      assign(std::get<Scalar>(running[i]).expr, value(choice.then_body.result[i]));
  });
}

void Code::reduce(const ir::Stm& stm, const ir::Reduce& e) {
  std::vector<View> inputs;
  std::vector<std::string> bases;
  std::vector<bool> counts;
  for (const ir::Name& name : e.arrays) {
    inputs.push_back(view(name));
    counts.push_back(is_count(inputs.back()));
  }
  const ir::Operator op = in_order({e.op, e.neutral, e.commutative}, counts);
  for (const ir::Param& param : stm.pattern) bases.push_back(param.name.base);
  Results values = running(op, bases);
  loop(extents({e.width})[0], index_base({}, 0, {}), [&](const Scalar& i) {
    Results operands;
    for (const View& input : inputs) {
      const View element = row(input, i.expr);
      operands.push_back(element.rank() == 0 ? Value(load(element)) : Value(element));
    }
    step(op, values, operands);
  });
  bind_results(stm.pattern, values);
}

void Code::scan(const ir::Stm& stm, const ir::Scan& e) {
  const ir::Operator op{e.op, e.neutral, false};
  std::vector<View> inputs, outputs;
  std::vector<std::string> bases;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  for (const ir::Param& param : stm.pattern) {
    bases.push_back("running_" + param.name.base);
    outputs.push_back(place(param));
    bind(param.name, outputs.back());
  }
  Results values = running(op, bases);
  loop(extents({e.width})[0], index_base({}, 0, {}), [&](const Scalar& i) {
    Results operands;
    for (const View& input : inputs) {
      const View element = row(input, i.expr);
      operands.push_back(element.rank() == 0 ? Value(load(element)) : Value(element));
    }
    step(op, values, operands);
    for (std::size_t j = 0; j < outputs.size(); ++j) put(row(outputs[j], i.expr), values[j]);
  });
}

void Code::put(const View& to, const Value& value) {
  if (const View* from = std::get_if<View>(&value)) return copy(to, *from);
  store(to, std::get<Scalar>(value).expr);
}

// ---- Fused forms

namespace {

std::vector<std::string> bases_of(const std::vector<ir::Param>& pattern, std::size_t first,
                                  std::size_t count, const std::string& prefix) {
  std::vector<std::string> bases;
  for (std::size_t i = 0; i < count; ++i) bases.push_back(prefix + pattern[first + i].name.base);
  return bases;
}

}  // namespace

void Code::map_reduce(const ir::Stm& stm, const ir::MapReduce& e) {
  if (e.arrays.empty()) check_sizes(stm, {e.width});
  const std::size_t accumulators = e.accumulators.size();
  std::vector<View> inputs, outputs;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  for (std::size_t i = 0; i < accumulators; ++i) {
    bind(e.fn.params[i].name, accumulator(e.accumulators[i]));
    bind(stm.pattern[i].name, accumulator(e.accumulators[i]));
  }
  std::size_t first = accumulators;
  std::vector<Results> values;
  std::vector<ir::Operator> operators;
  for (const ir::Operator& op : e.operators) {
    operators.push_back(in_order(op, counts_of(e, first, op.neutral.size(), inputs)));
    values.push_back(running(op, bases_of(stm.pattern, first, op.neutral.size(), "")));
    for (std::size_t i = 0; i < op.neutral.size(); ++i)
      bind(stm.pattern[first + i].name, values.back()[i]);
    first += op.neutral.size();
  }
  for (std::size_t i = first; i < stm.pattern.size(); ++i) {
    outputs.push_back(place(stm.pattern[i]));
    bind(stm.pattern[i].name, outputs.back());
  }
  loop(extents({e.width})[0], index_base(e.fn.params, accumulators, inputs), [&](const Scalar& i) {
    bind_counted(e.fn.params, accumulators, inputs, i);
    const Results results = body(e.fn.body, rows_of(*this, outputs, first, i.expr));
    std::size_t operand = accumulators;
    for (std::size_t j = 0; j < operators.size(); ++j) {
      const auto from = results.begin() + static_cast<std::ptrdiff_t>(operand);
      operand += values[j].size();
      step(operators[j], values[j], {from, results.begin() + static_cast<std::ptrdiff_t>(operand)});
    }
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      if (outputs[j].rank() == 1)
        store(row(outputs[j], i.expr), value(e.fn.body.result[first + j]));
    }
  });
}

void Code::map_scan(const ir::Stm& stm, const ir::MapScan& e) {
  std::vector<View> inputs, scanned, outputs;
  for (const ir::Name& name : e.arrays) inputs.push_back(view(name));
  std::size_t first = 0;
  std::vector<Results> values;
  for (const ir::Operator& op : e.operators) {
    values.push_back(running(op, bases_of(stm.pattern, first, op.neutral.size(), "running_")));
    first += op.neutral.size();
  }
  for (std::size_t i = 0; i < stm.pattern.size(); ++i) {
    (i < first ? scanned : outputs).push_back(place(stm.pattern[i]));
    bind(stm.pattern[i].name, i < first ? scanned.back() : outputs.back());
  }
  loop(extents({e.width})[0], index_base(e.fn.params, 0, inputs), [&](const Scalar& i) {
    bind_counted(e.fn.params, 0, inputs, i);
    const Results results = body(e.fn.body, rows_of(*this, outputs, first, i.expr));
    std::size_t operand = 0;
    for (std::size_t j = 0; j < e.operators.size(); ++j) {
      const auto from = results.begin() + static_cast<std::ptrdiff_t>(operand);
      const auto to = from + static_cast<std::ptrdiff_t>(values[j].size());
      step(e.operators[j], values[j], {from, to});
      for (const Value& running : values[j]) put(row(scanned[operand++], i.expr), running);
    }
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      if (outputs[j].rank() == 1)
        store(row(outputs[j], i.expr), value(e.fn.body.result[first + j]));
    }
  });
}

}  // namespace boustro::plan::planner
