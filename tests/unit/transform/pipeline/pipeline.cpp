#include "transform/pipeline.hpp"

#include <sstream>

#include "tests/unit/transform/inspect.hpp"

namespace pipeline_tests {

using namespace boustro;
using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// main xs = vjp (\xs -> sum (map (\x -> x * x) xs)) xs 1
Program squares_gradient() {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", reals({n}));
  const Lambda fn = f.lambda({{"xs", reals({n})}}, [&](Builder& b, const std::vector<Name>& q) {
    const Name squares =
        b.let("squares", Map{n, binop_lambda(b, BinOpKind::mul, PrimType::f64), {q[0], q[0]}, {}});
    return std::vector<Atom>{b.let(
        "sum",
        Reduce{n, binop_lambda(b, BinOpKind::add, PrimType::f64), {f64(0)}, {squares}, true})};
  });
  f.returns({f.let_all({"sum", "xs_adj"}, Vjp{fn, {xs}, {f64(1)}, {}})[1]});
  return p.program;
}

PipelineOptions verified() {
  PipelineOptions options;
  options.verify_each = true;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pipeline)

BOOST_AUTO_TEST_CASE(differentiates_and_simplifies_to_what_one_would_write) {
  const Program q = run_pipeline(translate_passes(), squares_gradient(), verified());
  const auto xs = f64s({1, -2, 3});
  BOOST_TEST((run_entry(q, "main", {xs})[0] == f64s({2, -4, 6})));
  BOOST_TEST(count<Nest>(q) == 1);  // \x -> x + x, and no sum that nobody wants
  BOOST_TEST(count<Vjp>(q) + count<Reduce>(q) + count<WithAcc>(q) + count<Replicate>(q) == 0);
}

BOOST_AUTO_TEST_CASE(stops_after_a_pass) {
  PipelineOptions options = verified();
  options.stop_after = "simplify";
  const Program q = run_pipeline(translate_passes(options), squares_gradient(), options);
  BOOST_TEST(count<Vjp>(q) == 1);
}

BOOST_AUTO_TEST_CASE(dumps_say_when_nothing_changed) {
  std::ostringstream log;
  PipelineOptions options = verified();
  options.dump_after = {"all"};
  options.log = &log;
  const std::vector<boustro::Pass> passes = {{"first", "", [](Program p) { return p; }},
                                             {"second", "", [](Program) { return Program{}; }}};
  run_pipeline(passes, squares_gradient(), options);
  BOOST_TEST(log.str().find("-- after first\n-- (unchanged)\n-- after second\n") == 0u);
}

BOOST_AUTO_TEST_CASE(an_internal_error_names_its_pass) {
  const std::vector<boustro::Pass> passes = {
      {"breaking", "", [](Program) -> Program { source::internal_error("a rule is wrong"); }}};
  Program broken;
  BOOST_CHECK_EXCEPTION(run_pipeline(passes, squares_gradient(), {}, &broken),
                        source::InternalError, [](const source::InternalError& e) {
                          return std::string(e.what()).find("breaking") != std::string::npos;
                        });
  BOOST_TEST((broken == squares_gradient()));
}

BOOST_AUTO_TEST_CASE(traces_rules) {
  std::ostringstream log;
  PipelineOptions options;
  options.trace_rules = true;
  options.log = &log;
  run_pipeline(translate_passes(options), squares_gradient(), options);
  BOOST_TEST(log.str().find("map_over_equal_arrays") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace pipeline_tests
