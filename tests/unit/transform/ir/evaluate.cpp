#include "transform/ir/evaluate.hpp"

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/ir/run_verified.hpp"

namespace evaluate_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::source::InternalError;
using boustro::values::Value;

namespace {

const Type int_type = scalar(PrimType::i64);

std::vector<Value> run_broken(const TestProgram& p, std::vector<Value> args) {
  return run_entry(p.program, "main", std::move(args));
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

}  // namespace evaluate_tests
