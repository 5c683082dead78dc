// For tests of passes: what a program consists of, and whether a pass kept its meaning.
#pragma once

#include <functional>
#include <random>

#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/ir/verify.hpp"

namespace boustro::ir::testing {

/// How many expressions of a kind there are, at any depth.
template <typename T>
int count(const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    found += std::holds_alternative<T>(stm.exp) ? 1 : 0;
    for_each_body(stm.exp, [&](const Body& inner) { found += count<T>(inner); });
  }
  return found;
}
template <typename T>
int count(const Program& program) {
  int found = 0;
  for (const Function& function : program.functions) found += count<T>(function.body);
  return found;
}
inline int statements(const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    ++found;
    for_each_body(stm.exp, [&](const Body& inner) { found += statements(inner); });
  }
  return found;
}
inline int statements(const Program& program) {
  int found = 0;
  for (const Function& function : program.functions) found += statements(function.body);
  return found;
}

using Pass = std::function<Program(Program)>;
using Arguments = std::vector<values::Value>;

inline void check_verified(const Program& program) {
  for (const std::string& violation : verify(program)) {
    BOOST_ERROR(violation + "\n" + to_string(program));
  }
}

/// The program after the pass; checks that both are in order and yield the same for all arguments.
inline Program after(const Pass& pass, const Program& program,
                     const std::vector<Arguments>& runs = {}) {
  check_verified(program);
  const Program result = pass(program);
  check_verified(result);
  for (const Arguments& args : runs) {
    const auto expected = run_entry(program, "main", args);
    const auto got = run_entry(result, "main", args);
    BOOST_CHECK_MESSAGE(expected == got, "other values than before:\n" + to_string(program) +
                                             "\nafter:\n" + to_string(result));
  }
  return result;
}

const inline Type real = scalar(PrimType::f64);
const inline Type integer = scalar(PrimType::i64);
const inline Type truth = scalar(PrimType::boolean);
inline Type reals(Shape shape) { return array(PrimType::f64, std::move(shape)); }
inline Type integers(Shape shape) { return array(PrimType::i64, std::move(shape)); }

/// Small whole numbers, so that float sums do not depend on their order.
inline values::Value some_f64s(std::vector<std::int64_t> shape, unsigned seed = 1) {
  std::mt19937 random(seed);
  values::Value value = values::Value::zeros(PrimType::f64, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i) {
    value.set_element(i, PrimValue::of_float(PrimType::f64, static_cast<int>(random() % 17) - 8));
  }
  return value;
}
inline values::Value some_i64s(std::vector<std::int64_t> shape, unsigned below, unsigned seed = 1) {
  std::mt19937 random(seed);
  values::Value value = values::Value::zeros(PrimType::i64, std::move(shape));
  for (std::int64_t i = 0; i < value.size(); ++i) {
    value.set_element(
        i, PrimValue::of_int(PrimType::i64, static_cast<std::int64_t>(random() % below)));
  }
  return value;
}

/// map of a lambda on scalars.
inline Lambda on_scalars(
    Builder& b, std::vector<PrimType> types,
    const std::function<std::vector<Atom>(Builder&, const std::vector<Name>&)>& fill) {
  std::vector<std::pair<std::string, Type>> params;
  for (const PrimType type : types) params.emplace_back("x", scalar(type));
  return b.lambda(params, fill);
}

}  // namespace boustro::ir::testing
