// What maps and loops keep for the return sweep rather than compute again, by themselves and where attributes ask for it.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// The rules that fire in the derivative of a function, which is right in any case.
Fired rules_of(const std::string& text, const std::vector<Value>& args) {
  const Program program = compiled(text);
  check_derivative(program, "f", args);
  Fired fired;
  differentiated(DerivativeOf(program, "f").with_vjp("derivative", false), fired);
  return fired;
}

/// How often the derivative of `f [n][m] (xss: [n][m]f64)` keeps something.
int kept_by(const std::string& body) {
  return rules_of("entry f [n][m] (xss: [n][m]f64): [n]f64 = " + body, {some_f64s(6, 0, {2, 3})})["keep"];
}

int states_kept_by(const std::string& body) {
  return rules_of("entry f [n] (xs: [n]f64): f64 = " + body, {some_f64s(4)})["keep_states"];
}

}  // namespace

BOOST_AUTO_TEST_CASE(reductions_are_kept) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.sum (map f64.exp xs) in s * s) xss") == 1);
  BOOST_TEST(kept_by("map (\\xs -> let s = #[recompute] f64.sum (map f64.exp xs) in s * s) xss") == 0);
}

BOOST_AUTO_TEST_CASE(loops_keep_what_their_return_sweep_reads) {
  BOOST_TEST(states_kept_by("loop y = 0 for x in xs do y + x * x") == 0);
  BOOST_TEST(states_kept_by("loop y = 0 for x in xs do f64.sin y + x * x") == 1);
  BOOST_TEST(states_kept_by("let (y, z) = loop (y, z) = (1, 0) for x in xs do (y * x, z + x) in y * z") == 1);
}

BOOST_AUTO_TEST_CASE(scalars_are_computed_again) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.exp (xs[0] * xs[1]) in s * s) xss") == 0);
  BOOST_TEST(kept_by("map (\\xs -> let s = #[keep] f64.exp (xs[0] * xs[1]) in s * s) xss") == 1);
}

}  // namespace boustro::ad::testing
