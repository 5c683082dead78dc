// EvaluateOptions::limit.
#include <boost/test/unit_test.hpp>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/evaluate.hpp"

namespace evaluate_limit_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

BOOST_AUTO_TEST_SUITE(evaluate_limit)

BOOST_AUTO_TEST_CASE(statements_count) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", scalar(PrimType::i64));
  const Param x = p.names.fresh_param("x", scalar(PrimType::i64));
  const Name i = p.names.bind_fresh("i", scalar(PrimType::i64));
  Builder body(p.names);
  const Atom next = body.binop("next", BinOpKind::add, x.name, i);
  f.returns({f.let("sum", Loop{{{x, i64(0)}}, ForLoop{i, PrimType::i64, n}, {body.stms, {next}}})});
  BOOST_TEST((run_entry(p.program, "main", {i64_value(100)}, {.limit = 1000})[0] == i64_value(4950)));
  BOOST_CHECK_THROW(run_entry(p.program, "main", {i64_value(1000)}, {.limit = 1000}), LimitReached);
  BOOST_TEST((run_entry(p.program, "main", {i64_value(1000)})[0] == i64_value(499500)));  // the limit is gone
}

BOOST_AUTO_TEST_CASE(elements_count) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", scalar(PrimType::i64));
  const Name xs = f.let("xs", Replicate{{n}, i64(7)});
  f.returns({f.index("x", xs, {i64(3)})});
  BOOST_TEST((run_entry(p.program, "main", {i64_value(900)}, {.limit = 1000})[0] == i64_value(7)));
  BOOST_CHECK_THROW(run_entry(p.program, "main", {i64_value(int64_t{1} << 50)}, {.limit = 1000}), LimitReached);
}

BOOST_AUTO_TEST_CASE(arrays_larger_than_any_memory_run_out_of_it) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", scalar(PrimType::i64)), m = f.param("m", scalar(PrimType::i64));
  const Name xs = f.let("xs", Replicate{{n, m}, i64(7)});
  f.returns({f.index("x", xs, {i64(3), i64(3)})});
  const std::vector<boustro::values::Value> products_overflow = {i64_value(int64_t{1} << 40), i64_value(int64_t{1} << 40)};
  const std::vector<boustro::values::Value> bytes_overflow = {i64_value(int64_t{1} << 31), i64_value(int64_t{1} << 31)};
  for (const auto& sizes : {products_overflow, bytes_overflow}) {
    BOOST_CHECK_THROW(run_entry(p.program, "main", sizes), std::bad_alloc);
    BOOST_CHECK_THROW(run_entry(p.program, "main", sizes, {.limit = 1000}), LimitReached);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace evaluate_limit_tests
