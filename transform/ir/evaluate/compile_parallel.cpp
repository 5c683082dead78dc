// Map, reduce, scan and their fused forms, all as one: a map whose results go through accumulators,
// operators and into arrays. Elements are taken from first to last.
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/evaluate/compiler.hpp"
#include "transform/ir/evaluate/elements.hpp"
#include "transform/ir/evaluate/order.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::evaluation {
namespace {

/// What a chunk's elements are combined to, and what all chunks before are.
struct Chunks {
  std::int64_t size;
  std::vector<Slot> own, before;
};

/// One operator: its left parameters hold the value so far.
struct Fold {
  std::vector<Slot> neutral, left, right;
  std::vector<Slot> operands;  // what is combined: results of the map, or its parameters
  const BodyCode* op;
  Step direct = {};  // does it all, if the operator is one of the language on scalars
  std::optional<Chunks> chunks = {};

  void start(Machine& m) const { assign_each(m, neutral, left); }
  void step(Machine& m, std::int64_t i) const {
    if (direct) return direct(m);
    if (chunks) begin_step(m, i % chunks->size == 0);
    assign_each(m, operands, right);
    run(m, *op);
    if (chunks)
      join(m);
    else
      assign_all(m, op->results, left);
  }
  void finish(Machine& m) const {
    drop(m, *op);
    for (const std::vector<Slot>* slots : slots_of_values()) {
      for (const Slot& slot : *slots) {
        if (slot.is_array) m.array(slot.index) = {};
      }
    }
  }

 private:
  void begin_step(Machine& m, bool at_start) const {
    if (at_start) assign_each(m, left, chunks->before);
    assign_each(m, at_start ? neutral : chunks->own, left);
  }
  void join(Machine& m) const {
    assign_all(m, op->results, chunks->own);
    assign_each(m, chunks->before, left);
    assign_each(m, chunks->own, right);
    run(m, *op);
    assign_all(m, op->results, left);
  }
  std::vector<const std::vector<Slot>*> slots_of_values() const {
    if (chunks) return {&left, &right, &chunks->own, &chunks->before};
    return {&left, &right};
  }
};

/// A map with all that may be fused to it.
struct FusedCode {
  int width;
  Inputs inputs;
  std::vector<Slot> accumulators, accumulator_params, accumulator_results, accumulator_targets;
  const BodyCode* body = nullptr;  // none: operators are applied to the elements themselves
  std::vector<Fold> folds;
  std::vector<std::pair<Slot, Slot>> reductions;  // from, to
  Outputs outputs;                                // of scans and of the map
  const Stm* stm;
  std::optional<unsigned> adversary;  // of maps alone

  void step(Machine& m, std::int64_t i) const {
    if (body) run(m, *body);
    assign_each(m, accumulator_results, accumulator_params);
    for (const Fold& fold : folds) fold.step(m, i);
  }

  void operator()(Machine& m) const {
    const std::int64_t n = m.size(width);
    if (n < 0) fail(stm, fmt::format("negative array size {}", n));
    for (const Slot& slot : accumulators) live(m, slot.index, stm);
    assign_each(m, accumulators, accumulator_params);
    Elements elements(m, inputs, n, stm);
    Collector collector(m, outputs, n);
    for (const Fold& fold : folds) fold.start(m);
    const auto run_element = [&](std::int64_t i) {
      elements.load(i);
      step(m, i);
      collector.store(i);
    };
    if (adversary)
      for (const std::int64_t i : Order(n, *adversary)) run_element(i);
    else
      for (std::int64_t i = 0; i < n; ++i) run_element(i);
    finish(m, elements, collector);
  }

  void finish(Machine& m, Elements& elements, Collector& collector) const {
    assign_each(m, accumulator_params, accumulator_targets);
    for (const auto& [from, to] : reductions) assign_fresh(m, from, to);
    collector.finish();
    elements.finish();
    if (body) drop(m, *body);
    for (const Fold& fold : folds) fold.finish(m);
    for (const Slot& slot : accumulator_params) m.array(slot.index) = {};
  }
};

std::vector<Slot> part(const std::vector<Slot>& slots, std::size_t begin, std::size_t count) {
  const auto first = slots.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

std::vector<OperatorView> views_of(const std::vector<Operator>& operators) {
  std::vector<OperatorView> views;
  for (const Operator& op : operators) views.push_back({&op.op, &op.neutral});
  return views;
}

}  // namespace

/// left = left op operand; nothing if the operator takes more than that, or if its executions are counted.
Step Compiler::direct_fold(const Lambda& op, Slot left, Slot operand, const Stm* stm) {
  const auto kind = as_binop(op);
  if (!kind || counts_ || limited_ || left.is_array || op.params[0].type != op.params[1].type) return {};
  return binary(*kind, op.params[0].type.elem, left.index, operand.index, left.index, stm);
}

/// More slots of the same kinds.
std::vector<Slot> Compiler::same_slots(const std::vector<Slot>& slots) {
  std::vector<Slot> result;
  for (const Slot& slot : slots) result.push_back(new_slot(slot.is_array));
  return result;
}

/// Without `fn` the elements themselves are the operands of the only operator.
Step Compiler::fused(const Atom& width, const std::vector<OperatorView>& operators,
                     const Lambda* fn, const std::vector<Name>& input_arrays,
                     const std::vector<Name>& accumulators, bool scan, const Target& target) {
  FusedCode code;
  code.stm = target.stm;
  code.width = scalar(width);
  if (operators.empty()) code.adversary = adversary_;
  code.inputs.arrays = arrays(input_arrays);
  for (const Name& name : accumulators) code.accumulators.push_back(slot_of(name));
  const std::size_t first = accumulators.size();
  code.accumulator_targets = part(target.slots, 0, first);

  std::vector<Slot> results;  // of the map, accumulators left out
  if (fn) {
    const LambdaCode lambda_code = lambda(*fn);
    code.body = lambda_code.body;
    code.accumulator_params = part(lambda_code.params, 0, first);
    code.accumulator_results = part(code.body->results, 0, first);
    code.inputs.params = part(lambda_code.params, first, input_arrays.size());
    code.inputs.unique.assign(lambda_code.unique.begin() + static_cast<std::ptrdiff_t>(first),
                              lambda_code.unique.end());
    results = part(code.body->results, first, code.body->results.size() - first);
  }

  std::size_t next_target = first, next_result = 0;
  const auto output = [&](Slot result, const Type& row) {
    code.outputs.results.push_back(result);
    code.outputs.row_sizes.push_back(scalars(row.shape));
    code.outputs.arrays.push_back(target.slots.at(next_target++).index);
  };
  for (const auto& [op, neutrals] : operators) {
    const std::size_t count = neutrals->size();
    const std::vector<Slot> neutral = slots_of(*neutrals);
    const LambdaCode op_code = lambda(*op);
    Fold fold{neutral,
              part(op_code.params, 0, count),
              part(op_code.params, count, count),
              {},
              op_code.body};
    if (fn) {
      fold.operands = part(results, next_result, count);
    } else {
      fold.operands = chunk_ > 0 ? same_slots(fold.right) : fold.right;  // loaded directly
      code.inputs.params = fold.operands;
      code.inputs.unique.assign(count, false);
    }
    if (chunk_ > 0)
      fold.chunks = Chunks{chunk_, same_slots(fold.left), same_slots(fold.left)};
    else if (count == 1)
      fold.direct = direct_fold(*op, fold.left[0], fold.operands[0], target.stm);
    for (std::size_t k = 0; k < count; ++k) {
      if (scan)
        output(fold.left[k], op->result_types.at(k));
      else
        code.reductions.emplace_back(fold.left[k], target.slots.at(next_target++));
    }
    next_result += count;
    code.folds.push_back(std::move(fold));
  }
  for (std::size_t k = next_result; k < results.size(); ++k) {
    output(results[k], fn->result_types.at(first + k));
  }
  return code;
}

Step Compiler::compile(const Map& e, const Target& target) {
  return fused(e.width, {}, &e.fn, e.arrays, e.accumulators, false, target);
}

Step Compiler::compile(const Reduce& e, const Target& target) {
  return fused(e.width, {{&e.op, &e.neutral}}, nullptr, e.arrays, {}, false, target);
}

Step Compiler::compile(const Scan& e, const Target& target) {
  return fused(e.width, {{&e.op, &e.neutral}}, nullptr, e.arrays, {}, true, target);
}

Step Compiler::compile(const MapReduce& e, const Target& target) {
  return fused(e.width, views_of(e.operators), &e.fn, e.arrays, e.accumulators, false, target);
}

Step Compiler::compile(const MapScan& e, const Target& target) {
  return fused(e.width, views_of(e.operators), &e.fn, e.arrays, {}, true, target);
}

}  // namespace boustro::ir::evaluation
