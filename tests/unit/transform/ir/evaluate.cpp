#include "transform/ir/evaluate.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/verify.hpp"

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::source::InternalError;
using boustro::values::Value;

namespace {

const Type int_type = scalar(PrimType::i64);
const Type real_type = scalar(PrimType::f64);

std::vector<Value> run_broken(const TestProgram& p, std::vector<Value> args) {
  return run_entry(p.program, "main", std::move(args));
}

std::vector<Value> run(const TestProgram& p, std::vector<Value> args) {
  for (const std::string& violation : verify(p.program)) BOOST_ERROR(violation);
  return run_entry(p.program, "main", std::move(args));
}

/// map (\x -> x * x) xs
Lambda square(Builder& b) {
  return b.lambda({{"x", real_type}}, [](Builder& inner, const std::vector<Name>& p) {
    return std::vector<Atom>{inner.binop("square", BinOpKind::mul, p[0], p[0])};
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(evaluate_control)

BOOST_AUTO_TEST_CASE(if_takes_one_branch) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", int_type);
  const Atom small = f.cmp("small", CmpOpKind::lt, x, i64(10));
  Builder dividing(p.names);
  const Atom quotient = dividing.binop("quotient", BinOpKind::div, i64(1), i64(0));
  f.returns({f.let("y", If{small, {{}, {i64(7)}}, {dividing.stms, {quotient}}})});
  BOOST_TEST((run(p, {i64_value(3)})[0] == i64_value(7)));
  BOOST_CHECK_THROW(run(p, {i64_value(30)}), RuntimeFailure);
}

BOOST_AUTO_TEST_CASE(for_loop_assigns_parameters_at_once) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", int_type);
  const Param a = p.names.fresh_param("a", int_type), b = p.names.fresh_param("b", int_type);
  const Name i = p.names.bind_fresh("i", int_type);
  Builder body(p.names);
  const Atom next = body.binop("next", BinOpKind::add, a.name, b.name);
  const auto results = f.let_all({"fib", "after"}, Loop{{{a, i64(0)}, {b, i64(1)}},
                                                        ForLoop{i, PrimType::i64, n},
                                                        {body.stms, {b.name, next}}});
  f.returns({results[0], results[1]});
  BOOST_TEST((run(p, {i64_value(10)})[0] == i64_value(55)));
  BOOST_TEST((run(p, {i64_value(0)})[1] == i64_value(1)));
  BOOST_TEST((run(p, {i64_value(-5)})[0] == i64_value(0)));
}

BOOST_AUTO_TEST_CASE(while_loop_stops_when_its_parameter_is_false) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name limit = f.param("limit", int_type);
  const Param go = p.names.fresh_param("go", scalar(PrimType::boolean));
  const Param x = p.names.fresh_param("x", int_type);
  Builder body(p.names);
  const Atom doubled = body.binop("doubled", BinOpKind::mul, x.name, i64(2));
  const Atom again = body.cmp("again", CmpOpKind::lt, doubled, limit);
  const auto results =
      f.let_all({"stop", "power"}, Loop{{{go, PrimValue::of_bool(true)}, {x, i64(1)}},
                                        WhileLoop{go.name},
                                        {body.stms, {again, doubled}}});
  f.returns({results[1]});
  BOOST_TEST((run(p, {i64_value(100)})[0] == i64_value(128)));
}

BOOST_AUTO_TEST_CASE(calls_pass_arguments_and_sizes) {
  TestProgram p;
  FunctionMaker g = p.function("twice");
  const Name m = g.size("m");
  const Name ys = g.param("ys", array(PrimType::f64, {m}));
  const Atom width = g.binop("width", BinOpKind::add, m, m);
  const Name both = g.let("both", Concat{width, {ys, ys}});
  const Name twice = g.returns({width, both}, {int_type, p.names.type_of(both)}, 1);
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(PrimType::f64, {n}));
  const Param k = p.names.fresh_param("k", int_type);
  const Param zs = p.names.fresh_param("zs", array(PrimType::f64, {k.name}));
  f.let({k, zs}, Call{twice, {n, xs}});
  f.returns({k.name, zs.name}, 1);
  const auto results = run(p, {f64s({1, 2})});
  BOOST_TEST(results.size() == 1u);
  BOOST_TEST((results[0] == f64s({1, 2, 1, 2})));
}

BOOST_AUTO_TEST_CASE(assert_fails_with_its_arguments) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", int_type);
  const Atom positive = f.cmp("positive", CmpOpKind::lt, i64(0), n);
  f.assert_that(positive, "size {} is not positive", {n});
  f.returns({n});
  BOOST_TEST((run(p, {i64_value(1)})[0] == i64_value(1)));
  BOOST_CHECK_EXCEPTION(run(p, {i64_value(-4)}), RuntimeFailure, [](const RuntimeFailure& failure) {
    return std::string(failure.what()) == "size -4 is not positive";
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(evaluate_arrays)

BOOST_AUTO_TEST_CASE(makes_and_reshapes_arrays) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name numbers = f.let("numbers", Iota{i64(6)});
  const Name grid = f.let("grid", Reshape{{i64(2), i64(3)}, numbers});
  const Name flipped = f.let("flipped", Rearrange{{1, 0}, grid});
  const Name flat = f.let("flat", Reshape{{i64(6)}, flipped});
  const Name copies = f.let("copies", Replicate{{i64(2)}, flat});
  const Name literal = f.let("literal", ArrayLiteral{int_type, {i64(4), i64(5)}});
  f.returns({grid, flipped, flat, copies, literal});
  const auto results = run(p, {});
  BOOST_TEST((results[0] == i64s({0, 1, 2, 3, 4, 5}, {2, 3})));
  BOOST_TEST((results[1] == i64s({0, 3, 1, 4, 2, 5}, {3, 2})));
  BOOST_TEST((results[2] == i64s({0, 3, 1, 4, 2, 5})));
  BOOST_TEST((results[3] == i64s({0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5}, {2, 6})));
  BOOST_TEST((results[4] == i64s({4, 5})));
}

BOOST_AUTO_TEST_CASE(indexes_and_slices) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xss = f.param("xss", array(PrimType::f64, {i64(2), i64(3)}));
  const Name i = f.param("i", int_type);
  const Name row = f.index("row", xss, {i}, true);
  const Name cell = f.index("cell", xss, {i, i}, true);
  const Name column = f.let("column", Index{xss, {Slice{i64(0), i64(2), i64(1)}, i}, true});
  const Name reversed = f.let("reversed", Index{row, {Slice{i64(2), i64(3), i64(-1)}}, true});
  f.returns({row, cell, column, reversed});
  const Value matrix = f64s({1, 2, 3, 4, 5, 6}, {2, 3});
  const auto results = run(p, {matrix, i64_value(1)});
  BOOST_TEST((results[0] == f64s({4, 5, 6})));
  BOOST_TEST((results[1] == f64_value(5)));
  BOOST_TEST((results[2] == f64s({2, 5})));
  BOOST_TEST((results[3] == f64s({6, 5, 4})));
  BOOST_CHECK_EXCEPTION(run(p, {matrix, i64_value(2)}), RuntimeFailure, [](const auto& failure) {
    return std::string(failure.what()) == "index [2] out of bounds for array of shape [2][3]";
  });
  BOOST_CHECK_THROW(run(p, {matrix, i64_value(-1)}), RuntimeFailure);
}

BOOST_AUTO_TEST_CASE(an_unchecked_index_out_of_bounds_is_our_mistake) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xs = f.param("xs", array(PrimType::f64, {i64(2)}));
  f.returns({f.index("x", xs, {i64(2)}, false)});
  BOOST_CHECK_THROW(run(p, {f64s({1, 2})}), InternalError);
}

BOOST_AUTO_TEST_CASE(coerce_fails_where_sizes_differ) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xs = f.param("xs", array(PrimType::f64, {n}));
  f.returns({f.let("three", Coerce{{i64(3)}, xs})});
  BOOST_TEST((run(p, {f64s({1, 2, 3})})[0] == f64s({1, 2, 3})));
  BOOST_CHECK_THROW(run(p, {f64s({1, 2})}), RuntimeFailure);
}

BOOST_AUTO_TEST_CASE(updates_a_cell_a_row_and_a_slice) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xss = f.param("xss", array(PrimType::f64, {i64(2), i64(2)}), true);
  const Name a = f.let("a", Update{xss, {i64(0), i64(1)}, f64(9), true});
  const Name ones = f.let("ones", Replicate{{i64(2)}, f64(1)});
  const Name b = f.let("b", Update{a, {i64(1)}, ones, true});
  const Name sevens = f.let("sevens", Replicate{{i64(2)}, f64(7)});
  const Name c = f.let("c", Update{b, {Slice{i64(0), i64(2), i64(1)}, i64(0)}, sevens, true});
  f.returns({c});
  BOOST_TEST((run(p, {f64s({1, 2, 3, 4}, {2, 2})})[0] == f64s({7, 9, 7, 1}, {2, 2})));
}

BOOST_AUTO_TEST_CASE(an_update_writes_through_views_of_a_transpose) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name xss = f.param("xss", array(PrimType::f64, {i64(2), i64(2)}), true);
  const Name flipped = f.let("flipped", Rearrange{{1, 0}, xss});
  f.returns({f.let("changed", Update{flipped, {i64(0), i64(1)}, f64(9), true})});
  BOOST_TEST((run(p, {f64s({1, 2, 3, 4}, {2, 2})})[0] == f64s({1, 9, 2, 4}, {2, 2})));
}

// Were the array copied by each update, this would move 4e10 cells.
BOOST_AUTO_TEST_CASE(updates_in_a_loop_do_not_copy_the_array) {
  constexpr std::int64_t n = 200'000;
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name start = f.let("start", Replicate{{i64(n)}, i64(0)});
  const Param xs = p.names.fresh_param("xs", array(PrimType::i64, {i64(n)}), true);
  const Name i = p.names.bind_fresh("i", int_type);
  Builder body(p.names);
  const Name next = body.let("next", Update{xs.name, {i}, i, true});
  const Name last = f.let("last", Loop{{{xs, start}}, ForLoop{i, PrimType::i64, i64(n)},
                                       {body.stms, {next}}});
  f.returns({f.index("x", last, {i64(n - 1)}, true)});
  BOOST_TEST((run(p, {})[0] == i64_value(n - 1)));
}

BOOST_AUTO_TEST_CASE(using_a_consumed_array_or_its_alias_is_our_mistake) {
  for (const bool through_alias : {false, true}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name xs = f.param("xs", array(PrimType::f64, {i64(2)}), true);
    const Name alias = f.let("alias", Index{xs, {Slice{i64(0), i64(1), i64(1)}}, true});
    f.let("ys", Update{xs, {i64(0)}, f64(9), true});
    f.returns({f.index("x", through_alias ? alias : xs, {i64(0)}, true)});
    BOOST_CHECK_EXCEPTION(run_broken(p, {f64s({1, 2})}), InternalError, [](const InternalError& error) {
      return std::string(error.what()).find("binds `x_") != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

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

BOOST_AUTO_TEST_SUITE(binding_arguments)

namespace {

TestProgram dot_product() {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  f.param("xs", array(PrimType::f64, {n}));
  f.param("ys", array(PrimType::f64, {n}));
  f.returns({n});
  return p;
}

void rejects(std::vector<Value> args, const std::string& text) {
  BOOST_CHECK_EXCEPTION(run(dot_product(), std::move(args)), std::invalid_argument,
                        [&](const std::invalid_argument& error) {
                          BOOST_TEST(error.what() == text);
                          return true;
                        });
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_follow_from_shapes) {
  BOOST_TEST((run(dot_product(), {f64s({1, 2, 3}), f64s({1, 2, 3})})[0] == i64_value(3)));
}

BOOST_AUTO_TEST_CASE(misfits_are_told_in_words) {
  rejects({f64s({1, 2})}, "1 values are given, but 2 are expected");
  rejects({f64s({1, 2}), i64s({1, 2})}, "argument 2 (`ys`) is of type [2]i64, but [n]f64 is expected");
  rejects({f64s({1, 2}), f64s({1, 2, 3})},
          "argument 2 (`ys`) has size 3, but `n` is 2 by argument 1 (`xs`)");
}

BOOST_AUTO_TEST_SUITE_END()
