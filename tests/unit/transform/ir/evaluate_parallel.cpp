// Operators on arrays, and accumulators.
#include "tests/unit/transform/ir/run_verified.hpp"
#include "transform/ir/evaluate.hpp"

namespace evaluate_parallel_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::values::Value;

namespace {

const Type int_type = scalar(PrimType::i64);
const Type real_type = scalar(PrimType::f64);

/// map (\x -> x * x) xs
Lambda square(Builder& b) {
  return b.lambda({{"x", real_type}}, [](Builder& inner, const std::vector<Name>& p) {
    return std::vector<Atom>{inner.binop("square", BinOpKind::mul, p[0], p[0])};
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(evaluate_parallel)

BOOST_AUTO_TEST_CASE(map_yields_an_array_a_result) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xss = f.param("xss", array(PrimType::f64, {n, i64(2)}));
  const Lambda fn = f.lambda({{"xs", array(PrimType::f64, {i64(2)})}},
                             [&](Builder& b, const std::vector<Name>& params) {
                               const Name squares = b.let("squares", Map{i64(2), square(b), {params[0]}, {}});
                               return std::vector<Atom>{b.index("x", params[0], {i64(1)}), squares};
                             });
  const auto results = f.let_all({"lasts", "squares"}, Map{n, fn, {xss}, {}});
  f.returns({results[0], results[1]});
  const auto values = run(p, {f64s({1, 2, 3, 4, 5, 6}, {3, 2})});
  BOOST_TEST((values[0] == f64s({2, 4, 6})));
  BOOST_TEST((values[1] == f64s({1, 4, 9, 16, 25, 36}, {3, 2})));
  BOOST_TEST((run(p, {f64s({}, {0, 2})})[1] == f64s({}, {0, 2})));
}

BOOST_AUTO_TEST_CASE(map_may_consume_its_rows) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xss = f.param("xss", array(PrimType::f64, {i64(2), i64(2)}), true);
  Lambda fn = f.lambda({{"xs", array(PrimType::f64, {i64(2)})}},
                       [&](Builder& b, const std::vector<Name>& params) {
                         return std::vector<Atom>{b.let("ys", Update{params[0], {i64(0)}, f64(9), true})};
                       });
  fn.params[0].unique = true;
  f.returns({f.let("yss", Map{i64(2), fn, {xss}, {}})});
  BOOST_TEST((run(p, {f64s({1, 2, 3, 4}, {2, 2})})[0] == f64s({9, 2, 9, 4}, {2, 2})));
}

BOOST_AUTO_TEST_CASE(reduce_and_scan_start_from_the_neutral_element) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(PrimType::f64, {n}));
  const Name sum = f.let("sum", Reduce{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(100)}, {xs}});
  const Name sums = f.let("sums", Scan{n, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, {xs}});
  f.returns({sum, sums});
  const auto values = run(p, {f64s({1, 2, 3})});
  BOOST_TEST((values[0] == f64_value(106)));
  BOOST_TEST((values[1] == f64s({1, 3, 6})));
  BOOST_TEST((run(p, {f64s({}, {0})})[0] == f64_value(100)));
}

// (a1, b1) op (a2, b2) = (a2 * a1, a2 * b1 + b2): composition of linear functions, which does not commute.
BOOST_AUTO_TEST_CASE(scan_of_tuples_keeps_the_order_of_operands) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name as = f.param("as", array(PrimType::f64, {i64(3)}));
  const Name bs = f.param("bs", array(PrimType::f64, {i64(3)}));
  const Lambda op = f.lambda({{"a1", real_type}, {"b1", real_type}, {"a2", real_type}, {"b2", real_type}},
                             [](Builder& b, const std::vector<Name>& q) {
                               const Atom a = b.binop("a", BinOpKind::mul, q[2], q[0]);
                               const Atom scaled = b.binop("scaled", BinOpKind::mul, q[2], q[1]);
                               return std::vector<Atom>{a, b.binop("b", BinOpKind::add, scaled, q[3])};
                             });
  const auto results = f.let_all({"r", "s"}, Scan{i64(3), op, {f64(1), f64(0)}, {as, bs}});
  f.returns({results[0], results[1]});
  const auto values = run(p, {f64s({2, 3, 5}), f64s({1, 1, 1})});
  BOOST_TEST((values[0] == f64s({2, 6, 30})));
  BOOST_TEST((values[1] == f64s({1, 4, 21})));
}

/// Applies a scalar operator to rows of n, element by element.
Lambda row_operator(FunctionMaker& f, BinOpKind kind, Atom n) {
  const Type row = array(PrimType::f64, {n});
  return f.lambda({{"xs", row}, {"ys", row}}, [&](Builder& b, const std::vector<Name>& q) {
    return std::vector<Atom>{b.let("zs", Map{n, binop_lambda(b, kind, PrimType::f64), {q[0], q[1]}, {}})};
  });
}

// x op y = x - y is not associative: (((0 - 1) - 2) - 3) - 4, and (0 - ((0 - 1) - 2)) - ((0 - 3) - 4).
BOOST_AUTO_TEST_CASE(chunks_are_combined_by_themselves_first) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", array(PrimType::f64, {i64(4)}));
  const auto op = [&] { return binop_lambda(f, BinOpKind::sub, PrimType::f64); };
  const Name rows = f.let("rows", Reshape{{i64(4), i64(1)}, xs});
  const Name zeros = f.let("zeros", Replicate{{i64(1)}, f64(0)});
  f.returns({f.let("scanned", Scan{i64(4), op(), {f64(0)}, {xs}}), f.let("reduced", Reduce{i64(4), op(), {f64(0)}, {xs}}),
             f.let("scanned_rows", Scan{i64(4), row_operator(f, BinOpKind::sub, i64(1)), {zeros}, {rows}})});
  const auto in_turn = run_entry(p.program, "main", {f64s({1, 2, 3, 4})});
  BOOST_TEST((in_turn[0] == f64s({-1, -3, -6, -10})));
  const auto in_pairs = run_entry(p.program, "main", {f64s({1, 2, 3, 4})}, {.chunk = 2});
  BOOST_TEST((in_pairs[0] == f64s({1, 3, 6, 10})));
  BOOST_TEST((in_pairs[1] == f64_value(10)));
  BOOST_TEST((in_pairs[2] == f64s({1, 3, 6, 10}, {4, 1})));
}

BOOST_AUTO_TEST_CASE(vectorised_reduce_adds_rows) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xss = f.param("xss", array(PrimType::f64, {i64(3), i64(2)}));
  const Name zeros = f.let("zeros", Replicate{{i64(2)}, f64(0)});
  f.returns({f.let("sums", Reduce{i64(3), row_operator(f, BinOpKind::add, i64(2)), {zeros}, {xss}})});
  BOOST_TEST((run(p, {f64s({1, 2, 3, 4, 5, 6}, {3, 2})})[0] == f64s({9, 12})));
}

BOOST_AUTO_TEST_CASE(map_reduce_and_map_scan_yield_reductions_then_arrays) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", array(PrimType::f64, {i64(3)}));
  const auto make = [&] {
    return f.lambda({{"x", real_type}}, [](Builder& b, const std::vector<Name>& q) {
      const Atom square = b.binop("square", BinOpKind::mul, q[0], q[0]);
      return std::vector<Atom>{square, q[0], b.unop("minus", UnOpKind::neg, q[0])};
    });
  };
  const auto operators = [&] {
    return std::vector<Operator>{{binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}, false},
                                 {binop_lambda(f, BinOpKind::mul, PrimType::f64), {f64(1)}, false}};
  };
  auto results = f.let_all({"r"}, MapReduce{i64(3), operators(), make(), {xs}, {}});
  const auto scans = f.let_all({"s"}, MapScan{i64(3), operators(), make(), {xs}});
  results.insert(results.end(), scans.begin(), scans.end());
  f.returns({results.begin(), results.end()});
  const auto values = run(p, {f64s({2, 3, 4})});
  BOOST_TEST((values[0] == f64_value(29)));
  BOOST_TEST((values[1] == f64_value(24)));
  BOOST_TEST((values[2] == f64s({-2, -3, -4})));
  BOOST_TEST((values[3] == f64s({4, 13, 29})));
  BOOST_TEST((values[4] == f64s({2, 6, 24})));
  BOOST_TEST((values[5] == f64s({-2, -3, -4})));
}

BOOST_AUTO_TEST_CASE(reduce_by_index_ignores_what_is_out_of_bounds) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name dest = f.param("dest", array(PrimType::f64, {i64(3)}), true);
  const Name is = f.param("is", array(PrimType::i64, {i64(5)}));
  const Name xs = f.param("xs", array(PrimType::f64, {i64(5)}));
  const Lambda fn = f.lambda({{"i", int_type}, {"x", real_type}}, [](Builder&, const std::vector<Name>& q) {
    return std::vector<Atom>{q[0], q[1]};
  });
  f.returns({f.let("sums", ReduceByIndex{i64(5),
                                         {{{i64(3)}, {dest}, binop_lambda(f, BinOpKind::add, PrimType::f64), {f64(0)}}},
                                         fn,
                                         {is, xs}})});
  BOOST_TEST((run(p, {f64s({1, 1, 1}), i64s({0, 2, -1, 2, 3}), f64s({10, 20, 30, 40, 50})})[0] ==
              f64s({11, 1, 61})));
}

BOOST_AUTO_TEST_CASE(scatter_writes_rows_in_bounds) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name dest = f.param("dest", array(PrimType::f64, {i64(2), i64(2)}), true);
  const Name is = f.param("is", array(PrimType::i64, {i64(2)}));
  const Name vs = f.param("vs", array(PrimType::f64, {i64(2), i64(2)}));
  f.returns({f.let("out", Scatter{i64(2), {is}, {dest}, {vs}})});
  BOOST_TEST((run(p, {f64s({1, 2, 3, 4}, {2, 2}), i64s({1, 5}), f64s({7, 8, 9, 9}, {2, 2})})[0] ==
              f64s({1, 2, 7, 8}, {2, 2})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(evaluate_accumulators)

namespace {

/// with_acc on dest; each x of xs goes to the cell of its index in is.
void accumulate_into(TestProgram& p, AccumulatorKind kind) {
  FunctionMaker f = p.function("main");
  const Name dest = f.param("dest", array(PrimType::f64, {i64(3)}), true);
  const Name is = f.param("is", array(PrimType::i64, {i64(4)}));
  const Name xs = f.param("xs", array(PrimType::f64, {i64(4)}));
  Type acc_type = array(PrimType::f64, {i64(3)});
  acc_type.accumulator = true;
  const Lambda fn = f.lambda({{"acc", acc_type}}, [&](Builder& b, const std::vector<Name>& outer) {
    const Lambda inner = b.lambda(
        {{"acc", acc_type}, {"i", int_type}, {"x", real_type}}, [](Builder& c, const std::vector<Name>& q) {
          return std::vector<Atom>{c.let("acc", UpdateAcc{q[0], {q[1]}, q[2], false})};
        });
    return std::vector<Atom>{b.let("acc", Map{i64(4), inner, {is, xs}, {outer[0]}}), f64(5)};
  });
  const auto results = f.let_all({"sums", "extra"}, WithAcc{{{dest, std::move(kind)}}, fn});
  f.returns({results[0], results[1]});
}

std::vector<Value> accumulated(const TestProgram& p) {
  return run(p, {f64s({1, 1, 1}), i64s({0, 2, 2, 9}), f64s({10, 20, 30, 40})});
}

}  // namespace

BOOST_AUTO_TEST_CASE(adding) {
  TestProgram p;
  accumulate_into(p, AddUp{});
  BOOST_TEST((accumulated(p)[0] == f64s({11, 1, 51})));
  BOOST_TEST((accumulated(p)[1] == f64_value(5)));
}

BOOST_AUTO_TEST_CASE(overwriting) {
  TestProgram p;
  accumulate_into(p, Overwrite{});
  BOOST_TEST((accumulated(p)[0] == f64s({10, 1, 30})));
}

BOOST_AUTO_TEST_CASE(combining) {
  TestProgram p;
  Builder b(p.names);
  accumulate_into(p, Combine{binop_lambda(b, BinOpKind::max, PrimType::f64), f64(0)});
  BOOST_TEST((accumulated(p)[0] == f64s({10, 1, 30})));
}

BOOST_AUTO_TEST_CASE(rows_are_added_elementwise) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name dest = f.param("dest", array(PrimType::f64, {i64(2), i64(2)}), true);
  const Name row = f.param("row", array(PrimType::f64, {i64(2)}));
  Type acc_type = array(PrimType::f64, {i64(2), i64(2)});
  acc_type.accumulator = true;
  const Lambda fn = f.lambda({{"acc", acc_type}}, [&](Builder& b, const std::vector<Name>& q) {
    const Name once = b.let("acc", UpdateAcc{q[0], {i64(1)}, row, true});
    return std::vector<Atom>{b.let("acc", UpdateAcc{once, {i64(1)}, row, true})};
  });
  f.returns({f.let("sums", WithAcc{{{dest, AddUp{}}}, fn})});
  BOOST_TEST((run(p, {f64s({1, 2, 3, 4}, {2, 2}), f64s({10, 20})})[0] == f64s({1, 2, 23, 44}, {2, 2})));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace evaluate_parallel_tests
