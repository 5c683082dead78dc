// Operators of reductions, scans and histograms inside a thread: one element after the other.
#include "emit/plan/planner/code.hpp"
#include "emit/plan/planner/in_order.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/facts/choices.hpp"
#include "transform/ir/nest.hpp"

namespace boustro::plan::planner {
namespace {

/// That holds a running value: a variable, or an array of the thread.
const std::string& holder_of(const Expr& place) {
  return std::holds_alternative<Element>(place.head) ? holder_of(place.args[0]) : std::get<Var>(place.head).name;
}

}  // namespace

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
  const bool in_place = ir::is_elementwise(op.op);
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
          in_place ? *left : temporary("next_" + right.name.base, left->elem, left->extents);
    }
  }
  if (const auto* choice = facts::choice_in(op.op)) return pick(op, *choice, running);
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
          return earlier && mentions(values[i], holder_of(earlier->expr));
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

ir::Operator Code::again(const ir::Operator& op) {
  ir::Operator result{ir::rename(op.op, context_.names), op.neutral, op.commutative};
  context_.uses.add(result.op);
  return result;
}

void Code::put(const View& to, const Value& value) {
  if (const View* from = std::get_if<View>(&value)) return copy(to, *from);
  store(to, std::get<Scalar>(value).expr);
}

void Code::step_in_place(const ir::Operator& op, const Results& cells, const Results& operands) {
  Results running;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const View& cell = std::get<View>(cells[i]);
    if (cell.rank() > 0) {
      running.push_back(cell);
    } else {
      running.push_back(Scalar{variable("old", type(cell.elem), load(cell).expr)});
    }
  }
  step(op, running, operands);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const View& cell = std::get<View>(cells[i]);
    if (cell.rank() == 0) store(cell, std::get<Scalar>(running[i]).expr);
  }
}

}  // namespace boustro::plan::planner
