// Quotients by 1 + exp w: transform/ad/logistic.hpp.
#include <cmath>

#include "tests/unit/transform/ad/rule_cases.hpp"

namespace boustro::ad::testing::logistic_tests {
namespace {

/// f's derivative at x in both modes: the closed formula, relative to its own size, or absolutely.
void check_slope(const std::string& f, double x, double expected, double least = 0) {
  for (const std::string mode : {"vjp", "jvp"}) {
    const Program program = differentiated(compiled("entry f (x: f64): f64 = " + mode + " (\\x -> " + f + ") x 1"));
    const double slope = run_entry(program, "f", {f64_value(x)})[0].element(0).as_float();
    BOOST_TEST(std::abs(slope - expected) <= 1e-14 * std::max(std::abs(expected), least), mode << " of " << f << " at " << x << " is " << slope << ", expected " << expected);
  }
}

/// z (1 - z) for z = 1 / (1 + exp (-x)), without cancellation.
double slope_of_logistic(double x) {
  const double e = std::exp(-std::abs(x));
  return e / ((1 + e) * (1 + e));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(logistic)

/// Where the logistic function is small; where it is near 1, as many digits as it has.
BOOST_AUTO_TEST_CASE(all_digits_of_the_function) {
  for (const double x : {-700.0, -400.0, -30.0, -1.0, 0.0, 0.5, 30.0, 700.0}) {
    const double least = x > 0 ? 1 : 0;
    check_slope("1 / (1 + f64.exp (-x))", x, slope_of_logistic(x), least);
    check_slope("1 / (f64.exp x + 1)", -x, -slope_of_logistic(x), least);
    check_slope("3 / (1 + f64.exp (2 * x))", -x / 2, -6 * slope_of_logistic(x), least);
  }
}

BOOST_AUTO_TEST_CASE(zero_where_the_exponential_overflows) {
  check_slope("vjp (\\x -> 1 / (1 + f64.exp (-x))) x 1", -750, 0);
  check_slope("1 / (1 + f64.exp (-x))", -750, 0);
  check_slope("x / (1 + f64.exp x)", 1000, 0);
}

/// Whatever stands where: the derivative is that of the function.
BOOST_AUTO_TEST_CASE(in_other_scopes) {
  for (const char* f : {"let e = f64.exp (-x) in if x > 0 then 2 / (1 + e) else 3 / (1 + e)", "let s = 1 + f64.exp (-x) in loop z = x for i < 3 do z / s",
                        "let s = 1 + f64.exp x in x / s + f64.log s", "let e = f64.exp x in (x + e) / (1 + e) * e", "(2 + f64.exp x) / (1 + f64.exp (x / (1 + f64.exp x)))"})
    check_sizes(fmt::format("entry f [n] (xs: [n]f64): [n]f64 = map (\\x -> {}) xs", f), {1, 3});
}

BOOST_AUTO_TEST_CASE(other_sums_are_divided_by_step_by_step) {
  for (const char* f : {"1 / (2 + f64.exp x)", "1 / (1 - f64.exp (x - 9))", "1 / (f64.exp (x * x + 1) - 1)", "1 / (1 + f64.cosh x)", "(1 + f64.exp x) / 3"})
    check_sizes(fmt::format("entry f [n] (xs: [n]f64): [n]f64 = map (\\x -> {}) xs", f), {1, 3});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::ad::testing::logistic_tests
