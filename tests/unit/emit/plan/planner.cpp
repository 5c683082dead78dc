// Planned programs give what the evaluator gives, on both targets, and have the kernels that they
// should have.
#include "emit/plan/planner.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <boost/test/unit_test.hpp>

#include "core_programs.hpp"
#include "emit/cpp/write.hpp"
#include "emit/cuda/write.hpp"
#include "emit/plan/verify.hpp"
#include "emit/run/program.hpp"
#include "transform/ir/evaluate.hpp"
#include "transform/ir/verify.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro::plan::planner_tests {
namespace {

using ir::testing::TestProgram;
using values::Value;

Program planned(const ir::Program& core, Target target) {
  BOOST_REQUIRE(ir::verify(core).empty());
  source::Diagnostics diagnostics;
  Options options;
  options.target = target;
  options.name = "program";
  const auto machine = target == Target::gpu ? parallel::Machine::gpu : parallel::Machine::cpu;
  const ir::Program flat = parallel::choose(parallel::flatten(core, machine));
  BOOST_REQUIRE(ir::verify(flat).empty());
  Program program = plan_program(flat, options, diagnostics);
  for (const source::Diagnostic& diagnostic : diagnostics.all())
    BOOST_TEST_MESSAGE(diagnostic.text);
  BOOST_REQUIRE(!diagnostics.has_errors());
  for (const std::string& violation : verify(program)) BOOST_ERROR(violation);
  return program;
}

run::CompiledProgram compiled(const ir::Program& core, Target target) {
  run::EmittedProgram emitted;
  emitted.plan = planned(core, target);
  const text::Emitted text =
      target == Target::gpu ? cuda::write_cuda(emitted.plan) : cpp::write_cpp(emitted.plan);
  emitted.source_name = target == Target::gpu ? "program.cu" : "program.cpp";
  emitted.header_name = "program.hpp";
  emitted.source = text.source;
  emitted.header = text.header;
  // For a look at the text: BOUSTRO_SHOW=1.
  if (std::getenv("BOUSTRO_SHOW"))
    std::fputs((explain(emitted.plan) + text.header + text.source).c_str(), stdout);
  return {core, emitted, target == Target::gpu ? run::Target::cuda_on_cpu : run::Target::cpp,
          run::Mode::asan};
}

void check_close(const Value& x, const Value& y) {
  BOOST_TEST(values::type_string(x) == values::type_string(y));
  for (std::int64_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!values::is_float(x.type)) {
      BOOST_TEST(x.element(i).as_int() == y.element(i).as_int());
      continue;
    }
    const double a = x.element(i).as_float(), b = y.element(i).as_float();
    BOOST_TEST((a == b || (std::isnan(a) && std::isnan(b)) ||
                std::abs(a - b) <= 1e-12 * (1 + std::abs(a))),
               a << " differs from " << b);
  }
}

void check_runs(const TestProgram& test, const std::vector<std::vector<Value>>& inputs) {
  const std::string entry = test.program.functions.back().entry->name;
  for (const Target target : {Target::cpu, Target::gpu}) {
    const run::CompiledProgram program = compiled(test.program, target);
    for (const std::vector<Value>& input : inputs) {
      const std::vector<Value> expected = ir::run_entry(test.program, entry, input);
      const std::vector<Value> actual = program.run(entry, input);
      BOOST_REQUIRE(actual.size() == expected.size());
      for (std::size_t i = 0; i < actual.size(); ++i) check_close(actual[i], expected[i]);
    }
  }
}

/// Numbers that are not special.
Value wave(std::vector<std::int64_t> shape, double phase) {
  Value result = Value::zeros(PrimType::f64, std::move(shape));
  for (std::int64_t i = 0; i < result.size(); ++i) {
    result.set_element(i, values::PrimValue::of_float(
                              PrimType::f64, std::sin(phase + 1.7 * static_cast<double>(i))));
  }
  return result;
}

Value indices(std::int64_t n, std::int64_t below) {
  Value result = Value::zeros(PrimType::i64, {n});
  for (std::int64_t i = 0; i < n; ++i) {
    result.set_element(i, values::PrimValue::of_int(PrimType::i64, i * 7 % (below + 2) - 1));
  }
  return result;
}

std::vector<std::string> kernels(const Program& program) {
  std::vector<std::string> names;
  for (const Kernel& kernel : program.entries.at(0).kernels) names.push_back(kernel.name);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fused_nest_of_reductions) {
  check_runs(ir::testing::nearest_cost(), {{wave({300, 3}, 0), wave({5, 3}, 1)},
                                           {wave({0, 3}, 0), wave({5, 3}, 1)},
                                           {wave({2, 0}, 0), wave({1, 0}, 1)},
                                           {wave({2, 3}, 0), wave({0, 3}, 1)}});
}

BOOST_AUTO_TEST_CASE(accumulator_over_a_nest) {
  check_runs(ir::testing::centres_adjoint(), {{wave({300, 3}, 0), wave({5, 3}, 1)},
                                              {wave({0, 3}, 0), wave({5, 3}, 1)},
                                              {wave({2, 0}, 0), wave({1, 0}, 1)},
                                              {wave({2, 3}, 0), wave({0, 3}, 1)}});
}

BOOST_AUTO_TEST_CASE(scans_by_the_library) {
  check_runs(ir::testing::prefix_products(), {{wave({300}, 2), wave({300}, 1)},
                                              {wave({1}, 2), wave({1}, 1)},
                                              {wave({0}, 2), wave({0}, 1)}});
}

namespace {

/// A map of the results of a scan of `xs` and of `ys`, and further results if `stores_sums`.
TestProgram map_of_scan(bool backwards, bool stores_sums) {
  using namespace ir;
  using namespace ir::testing;
  TestProgram p;
  FunctionMaker f = p.function("map_of_scan");
  const ir::Type reals = array(PrimType::f64, {f.size("n")});
  const Atom n = reals.shape[0];
  const Name xs = f.param("xs", reals), ys = f.param("ys", reals);
  const Name sums =
      f.let("sums", Scan{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {xs}});
  Name read = sums;
  if (backwards) {
    const Atom last = f.binop("last", BinOpKind::sub, n, i64(1));
    read = f.let("backwards", Index{sums, {Slice{last, n, i64(-1)}}, false});
  }
  const Name zs =
      f.let("zs", Map{n, binop_lambda(f, BinOpKind::mul, PrimType::f64), {read, ys}, {}});
  f.returns(stores_sums ? std::vector<Atom>{zs, sums} : std::vector<Atom>{zs});
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(scan_whose_results_one_map_takes_does_not_store_them) {
  for (const bool backwards : {false, true}) {
    const TestProgram test = map_of_scan(backwards, false);
    check_runs(test, {{wave({300}, 2), wave({300}, 1)}, {wave({0}, 2), wave({0}, 1)}});
    const Program program = planned(test.program, Target::gpu);
    BOOST_TEST(kernels(program).empty());
    BOOST_TEST(program.entries[0].scratch.pieces.empty());
    BOOST_TEST(kernels(planned(map_of_scan(backwards, true).program, Target::gpu)).size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(loop_inside_a_map_keeps_its_states_in_scratch_memory) {
  using ir::testing::i64_value;
  check_runs(ir::testing::growth_adjoint(), {{i64_value(17), wave({300}, 2), wave({300}, 1)},
                                             {i64_value(0), wave({3}, 2), wave({3}, 1)},
                                             {i64_value(-1), wave({3}, 2), wave({3}, 1)},
                                             {i64_value(1), wave({0}, 2), wave({0}, 1)}});
  BOOST_TEST(kernels(planned(ir::testing::growth_adjoint().program, Target::gpu)).size() == 1u);
}

BOOST_AUTO_TEST_CASE(loop_around_maps) {
  check_runs(ir::testing::recurrent(), {{wave({14}, 0), wave({14}, 1), wave({9, 14}, 2)},
                                        {wave({14}, 0), wave({14}, 1), wave({0, 14}, 2)},
                                        {wave({0}, 0), wave({0}, 1), wave({3, 0}, 2)}});
}

BOOST_AUTO_TEST_CASE(writes_by_index_ignore_what_is_outside) {
  check_runs(ir::testing::writes_by_index(), {{indices(9, 4), wave({9}, 0), wave({9, 4}, 1)},
                                              {indices(0, 4), wave({0}, 0), wave({0, 4}, 1)},
                                              {indices(3, 0), wave({3}, 0), wave({3, 0}, 1)}});
}

BOOST_AUTO_TEST_CASE(failed_index_check_is_reported) {
  const TestProgram test = ir::testing::gather();
  using ir::testing::i64s;
  check_runs(test, {{i64s({2, 0, 1}), wave({3}, 0)}, {i64s({}), wave({0}, 0)}});
  for (const Target target : {Target::cpu, Target::gpu}) {
    const run::CompiledProgram program = compiled(test.program, target);
    BOOST_CHECK_THROW(program.run("gather", {i64s({0, 3}), wave({3}, 0)}), run::RunFailure);
    BOOST_CHECK_THROW(program.run("gather", {i64s({-1}), wave({3}, 0)}), run::RunFailure);
  }
}

}  // namespace boustro::plan::planner_tests
