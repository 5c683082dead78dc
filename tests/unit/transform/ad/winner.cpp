// Which element a minimum or maximum comes from, in whatever order the operator is applied; neutral elements that win, and
// products of integers, which cannot be divided again.
#include "transform/ad/reverse/winner.hpp"

#include <cmath>

#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

BOOST_AUTO_TEST_CASE(winners) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const BinOpKind kind : {BinOpKind::min, BinOpKind::max}) {
    TestProgram p;
    FunctionMaker f = p.function("f");
    std::vector<Atom> args;
    for (const PrimType type : {PrimType::f64, PrimType::i64, PrimType::f64, PrimType::i64}) args.emplace_back(f.param("x", ir::scalar(type)));
    f.returns(inline_lambda(f, winner_operator(f, kind, PrimType::f64, f64(nan)), args));
    const auto winner = [&](double x, std::int64_t i, double y, std::int64_t j) {
      return run_entry(p.program, "f", {f64_value(x), i64_value(i), f64_value(y), i64_value(j)}).at(1).element(0).as_int();
    };
    const bool is_min = kind == BinOpKind::min;
    BOOST_TEST(winner(2, 0, 1, 1) == (is_min ? 1 : 0));
    BOOST_TEST(winner(1, 0, 2, 1) == (is_min ? 0 : 1));
    // The earlier one of equals, from both sides.
    BOOST_TEST(winner(1, 3, 1, 2) == 2);
    BOOST_TEST(winner(1, 2, 1, 3) == 2);
    // A number against a NaN, the earlier of two NaNs.
    BOOST_TEST(winner(nan, 0, 1, 1) == 1);
    BOOST_TEST(winner(1, 0, nan, 1) == 0);
    BOOST_TEST(winner(nan, 3, nan, 2) == 2);
    BOOST_TEST(winner(nan, 2, nan, 3) == 2);
  }
}

BOOST_AUTO_TEST_CASE(neutral_elements_that_win) {
  check_derivative(compiled("entry f [n] (x: f64) (ys: [n]f64): f64 = reduce f64.min x ys"), "f", {f64_value(0.1), some_f64s(4)});
  check_derivative(compiled("entry f [n] (x: f64) (ys: [n]f64): f64 = reduce f64.max x ys"), "f", {f64_value(7), some_f64s(4)});
}

BOOST_AUTO_TEST_CASE(products_of_integers_wrap_around) {
  const Program program = differentiated(compiled(
      "entry f [n] (xs: [n]i64) = vjp i64.product xs 1\n"
      "entry cells [n] (vs: [n]i64) = vjp (\\vs -> reduce_by_index [3] (*) 1 (map (const 0) vs) vs) vs [1]"));
  BOOST_TEST((run_entry(program, "f", {i64s({2, 0, 3})}).at(0) == i64s({0, 6, 0})));
  const std::int64_t large = std::int64_t{1} << 40;
  BOOST_TEST((run_entry(program, "f", {i64s({large, large, 3})}).at(0) == i64s({3 * large, 3 * large, 0})));
  BOOST_TEST((run_entry(program, "cells", {i64s({large, large, 3})}).at(0) == i64s({9 * large, 9 * large, 0})));
}

}  // namespace boustro::ad::testing
