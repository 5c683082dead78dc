// Parallel operators, accumulators and derivatives.
#include "transform/ir/verify/types.hpp"

namespace boustro::ir::verification {
namespace {

std::vector<Type> joined(std::vector<Type> a, const std::vector<Type>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Type> types_from(const std::vector<Type>& types, std::size_t begin, std::size_t count) {
  if (begin + count > types.size()) return {};
  const auto first = types.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

std::vector<Type> seeded(const Shape& seed_shape, std::vector<Type> types) {
  for (Type& type : types) type = array_of(seed_shape, type);
  return types;
}

}  // namespace

void TypeChecker::check_operator(const Lambda& op, const std::vector<Atom>& neutral,
                                 const std::vector<Type>& rows, const std::string& what) {
  for (const Atom& atom : neutral) {
    if (!in_scope(atom)) return;
  }
  expect_same(types_of(neutral), rows, "the neutral elements of " + what);
  check_lambda(op, joined(rows, rows), what);
  expect_same(op.result_types, rows, "the results of " + what);
  for (const Param& param : op.params) {
    if (param.unique) report_.add("{} consumes its operand {}", what, to_string(param.name));
  }
}

/// Map, MapReduce and MapScan.
void TypeChecker::check_fused(const Atom& width, const std::vector<Operator>& operators, const Lambda& fn,
                              const std::vector<Name>& arrays, const std::vector<Name>& accumulators) {
  expect_width(width, arrays);
  for (const Name& name : accumulators) {
    if (in_scope(name) && !names_.type_of(name).accumulator) {
      report_.add("{} is not an accumulator", to_string(name));
    }
  }
  const std::vector<Type> acc_types = types_of(accumulators);
  check_lambda(fn, joined(acc_types, rows_of(arrays)), "the function");
  expect_same(types_from(fn.result_types, 0, acc_types.size()), acc_types, "the function's accumulators");
  std::size_t next = acc_types.size();
  for (const Operator& op : operators) {
    check_operator(op.op, op.neutral, types_from(fn.result_types, next, op.neutral.size()), "an operator");
    next += op.neutral.size();
  }
  for (std::size_t i = next; i < fn.result_types.size(); ++i) {
    if (fn.result_types[i].accumulator) report_.add("an accumulator is stored in an array");
  }
}

void TypeChecker::check(const Map& e, const Stm&) {
  check_fused(e.width, {}, e.fn, e.arrays, e.accumulators);
}

void TypeChecker::check(const MapReduce& e, const Stm&) {
  check_fused(e.width, e.operators, e.fn, e.arrays, e.accumulators);
}

void TypeChecker::check(const MapScan& e, const Stm&) {
  check_fused(e.width, e.operators, e.fn, e.arrays, {});
}

void TypeChecker::check(const Reduce& e, const Stm&) {
  expect_width(e.width, e.arrays);
  check_operator(e.op, e.neutral, rows_of(e.arrays), "the operator");
}

void TypeChecker::check(const Scan& e, const Stm&) {
  expect_width(e.width, e.arrays);
  check_operator(e.op, e.neutral, rows_of(e.arrays), "the operator");
}

void TypeChecker::check(const ReduceByIndex& e, const Stm&) {
  expect_width(e.width, e.arrays);
  std::vector<Type> wanted;  // results of the function
  for (const Histogram& histogram : e.histograms) {
    const auto rank = static_cast<int>(histogram.shape.size());
    for (const Atom& size : histogram.shape) expect_size(size);
    wanted.insert(wanted.end(), histogram.shape.size(), scalar(PrimType::i64));
    std::vector<Type> rows;
    if (histogram.destinations.empty()) report_.add("a histogram has no destination");
    for (const Name& name : histogram.destinations) {
      if (!expect_array(name, rank)) return;
      const Type& type = names_.type_of(name);
      rows.push_back(row_type(type, rank));
      if (array_of(histogram.shape, rows.back()) != type) {
        report_.add("the destination {} of type {} has other bins", to_string(name), to_string(type));
      }
    }
    check_operator(histogram.op, histogram.neutral, rows, "an operator");
    wanted.insert(wanted.end(), rows.begin(), rows.end());
  }
  check_lambda(e.fn, rows_of(e.arrays), "the function");
  expect_same(e.fn.result_types, wanted, "the function's results");
}

void TypeChecker::check(const Scatter& e, const Stm&) {
  expect_width(e.width, e.indices);
  expect_width(e.width, e.values);
  if (e.indices.empty()) report_.add("there are no indices");
  if (e.values.size() != e.destinations.size()) {
    return report_.add("{} arrays of values for {} destinations", e.values.size(), e.destinations.size());
  }
  for (const Name& name : e.indices) {
    expect(name, array(PrimType::i64, {e.width}), "an array of indices");
  }
  const auto rank = static_cast<int>(e.indices.size());
  for (std::size_t k = 0; k < e.destinations.size(); ++k) {
    if (!expect_array(e.destinations[k], rank)) continue;
    const Type row = row_type(names_.type_of(e.destinations[k]), rank);
    expect(e.values[k], array_of(e.width, row), "an array of values");
  }
}

void TypeChecker::check(const WithAcc& e, const Stm&) {
  std::vector<Type> accumulators;
  for (const AccumulatorInput& input : e.inputs) {
    if (!expect_array(input.destination)) return;
    Type type = names_.type_of(input.destination);
    if (const auto* combine = std::get_if<Combine>(&input.kind)) {
      if (!in_scope(combine->neutral)) return;
      const Type element = names_.type_of(combine->neutral);
      if (element.elem != type.elem) report_.add("the neutral element is of another type");
      check_operator(combine->op, {combine->neutral}, {element}, "an operator");
    }
    type.accumulator = true;
    accumulators.push_back(std::move(type));
  }
  check_lambda(e.fn, accumulators, "the function");
  expect_same(types_from(e.fn.result_types, 0, accumulators.size()), accumulators, "the function's accumulators");
}

void TypeChecker::check(const UpdateAcc& e, const Stm&) {
  if (!in_scope(e.accumulator)) return;
  Type type = names_.type_of(e.accumulator);
  if (!type.accumulator) return report_.add("{} is not an accumulator", to_string(e.accumulator));
  if (static_cast<int>(e.indices.size()) > type.rank()) {
    return report_.add("{} indices for {}", e.indices.size(), to_string(type));
  }
  for (const Atom& index : e.indices) expect_scalar(index, PrimType::i64, "an index");
  type.accumulator = false;
  expect(e.value, row_type(type, static_cast<int>(e.indices.size())), "the value");
}

void TypeChecker::check(const Jvp& e, const Stm&) {
  for (const Atom& size : e.seed_shape) expect_size(size);
  for (const auto* operands : {&e.args, &e.tangents}) {
    for (const Atom& atom : *operands) {
      if (!in_scope(atom)) return;
    }
  }
  check_lambda(e.fn, types_of(e.args), "the function");
  expect_same(types_of(e.tangents), seeded(e.seed_shape, types_of(e.args)), "the tangents");
}

void TypeChecker::check(const Vjp& e, const Stm&) {
  for (const Atom& size : e.seed_shape) expect_size(size);
  for (const auto* operands : {&e.args, &e.adjoints}) {
    for (const Atom& atom : *operands) {
      if (!in_scope(atom)) return;
    }
  }
  check_lambda(e.fn, types_of(e.args), "the function");
  expect_same(types_of(e.adjoints), seeded(e.seed_shape, e.fn.result_types), "the adjoints");
}

void TypeChecker::check(const WithVjp& e, const Stm&) {
  for (const Atom& atom : e.args) {
    if (!in_scope(atom)) return;
  }
  check_lambda(e.fn, types_of(e.args), "the function");
  check_lambda(e.vjp, joined(e.fn.result_types, e.fn.result_types), "its derivative");
  expect_same(e.vjp.result_types, types_of(e.args), "the derivative's results");
}

}  // namespace boustro::ir::verification
