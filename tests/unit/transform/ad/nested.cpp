// Derivatives of derivatives, which also differentiate the code that the rules make.
#include <numbers>

#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// The derivative of `f` in either mode, checked as a function of its own.
void check_second(const std::string& f, const std::vector<Value>& args, const CheckOptions& options = {}) {
  const auto derivative = [&](const std::string& by) {
    return differentiated(compiled("def g " + f + "\nentry f [n] (xs: [n]f64): [n]f64 = " + by));
  };
  BOOST_TEST_CONTEXT("of vjp") check_derivative(derivative("vjp g xs 1"), "f", args, options);
  BOOST_TEST_CONTEXT("of jvp") check_derivative(derivative("map (\\x -> x * jvp g xs xs) xs"), "f", args, options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(second_derivatives) {
  check_second("[n] (xs: [n]f64): f64 = f64.sum (map (\\x -> x * x * f64.sin x) xs)", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = f64.sum (map (\\i -> xs[i] * xs[i] * xs[0]) (iota n))", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = loop y = 1 for x in xs do y * x + x", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = f64.product xs", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = f64.minimum (map (\\x -> x * x) xs)", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = f64.sum (scan (*) 1 xs)", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = reduce (\\x y -> x + y + x * y) 0 xs", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = f64.sum (reduce_by_index (replicate 2 0) (\\x y -> x + y + x * y) 0 [0, 1, 0] (xs :> [3]f64))",
               {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = let (as, bs) = unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs xs))\n"
               "in f64.sum (map2 (*) as bs)", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = if xs[0] < xs[1] then xs[0] * xs[1] * xs[1] else xs[1]", {some_f64s(3)});
  check_second("[n] (xs: [n]f64): f64 = f64.sum (map (\\x -> x * x) (scatter (copy xs) [0, 1] (map (\\x -> x * x) xs[0:2])))",
               {some_f64s(3)});
}

BOOST_AUTO_TEST_CASE(derivatives_written_nested) {
  const Program program = compiled(
      "def g (x: f64) = x * x * x * x\n"
      "entry a (x: f64) = vjp (\\x -> vjp g x 1) x 1\n"
      "entry b (x: f64) = jvp (\\x -> vjp g x 1) x 1\n"
      "entry c (x: f64) = vjp (\\x -> jvp g x 1) x 1\n"
      "entry d (x: f64) = vjp (\\x -> vjp (\\x -> vjp g x 1) x 1) x 1");
  const Program derived = differentiated(program);
  for (const char* name : {"a", "b", "c"})
    BOOST_TEST(run_entry(derived, name, {f64_value(2)}).at(0).element(0).as_float() == 48);
  BOOST_TEST(run_entry(derived, "d", {f64_value(2)}).at(0).element(0).as_float() == 48);
}

/// The trigamma function at -1/2 is pi^2 / 2 + 4: the tangent of pi x, of which its formula is often made, is infinite there.
BOOST_AUTO_TEST_CASE(second_derivative_of_lgamma_at_half_integers) {
  const Program derived = differentiated(compiled("entry f (x: f64) = vjp (\\x -> vjp f64.lgamma x 1) x 1"));
  const double expected = std::numbers::pi * std::numbers::pi / 2 + 4;
  BOOST_TEST(std::abs(run_entry(derived, "f", {f64_value(-0.5)}).at(0).element(0).as_float() - expected) < 1e-11);
}

BOOST_AUTO_TEST_CASE(perturbations_are_not_confused) {
  const Program derived = differentiated(compiled("entry f (x: f64) = jvp (\\x -> x * jvp (\\y -> x + y) 1 1) x 1"));
  BOOST_TEST(run_entry(derived, "f", {f64_value(3)}).at(0).element(0).as_float() == 1);
}

BOOST_AUTO_TEST_CASE(custom_derivatives) {
  const Program derived = differentiated(compiled(
      "def g (x: f64) = with_vjp (\\x -> x * x) (\\_ y_adj -> 100 * y_adj) x\n"
      "entry f (x: f64) = vjp g x 1\nentry p (x: f64) = g x"));
  BOOST_TEST(run_entry(derived, "f", {f64_value(3)}).at(0).element(0).as_float() == 100);
  BOOST_TEST(run_entry(derived, "p", {f64_value(3)}).at(0).element(0).as_float() == 9);
}

/// Several arguments and results; several seeds, of matrices too.
BOOST_AUTO_TEST_CASE(custom_derivatives_of_tuples_and_matrices) {
  const Program derived = differentiated(compiled(
      "def g (x: f64, y: f64) = with_vjp (\\(x, y) -> (x * y, x + y)) (\\_ (a, b) -> (100 * a + b, 10 * a + 1000 * b)) (x, y)\n"
      "entry f (x: f64) (y: f64) = vjp g (x, y) (1, 2)\n"
      "entry seeds (x: f64) (y: f64) = unzip (mjp g (x, y) [(1, 0), (0, 1)])\n"
      "def h [n][m] (xss: [n][m]f64) = with_vjp (map (map (* 2))) (\\_ yss_adj -> map (map (* 100)) yss_adj) xss\n"
      "entry matrices [k][n][m] (xss: [n][m]f64) (seeds: [k][n][m]f64) = mjp h xss seeds"));
  const auto f = run_entry(derived, "f", {f64_value(3), f64_value(4)});
  BOOST_TEST((f.at(0) == f64_value(102)));
  BOOST_TEST((f.at(1) == f64_value(2010)));
  const auto seeds = run_entry(derived, "seeds", {f64_value(3), f64_value(4)});
  BOOST_TEST((seeds.at(0) == f64s({100, 1})));
  BOOST_TEST((seeds.at(1) == f64s({10, 1000})));
  const auto matrices = run_entry(derived, "matrices", {f64s({0, 0, 0, 0, 0, 0}, {2, 3}), f64s({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {2, 2, 3})});
  BOOST_TEST((matrices.at(0) == f64s({100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200}, {2, 2, 3})));
}

}  // namespace boustro::ad::testing
