// What maps and loops keep for the return sweep rather than compute again, by themselves and where attributes ask for it.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// How often the derivative of `f [n][m] (xss: [n][m]f64)` keeps something, which it yields right in either case.
int kept_by(const std::string& body) {
  const Program program = compiled("entry f [n][m] (xss: [n][m]f64): [n]f64 = " + body);
  check_derivative(program, "f", {some_f64s(6, 0, {2, 3})});
  Fired fired;
  differentiated(DerivativeOf(program, "f").with_vjp("derivative", false), fired);
  return fired["keep"];
}

}  // namespace

BOOST_AUTO_TEST_CASE(reductions_are_kept) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.sum (map f64.exp xs) in s * s) xss") == 1);
  BOOST_TEST(kept_by("map (\\xs -> let s = #[recompute] f64.sum (map f64.exp xs) in s * s) xss") == 0);
}

BOOST_AUTO_TEST_CASE(scalars_are_computed_again) {
  BOOST_TEST(kept_by("map (\\xs -> let s = f64.exp (xs[0] * xs[1]) in s * s) xss") == 0);
  BOOST_TEST(kept_by("map (\\xs -> let s = #[keep] f64.exp (xs[0] * xs[1]) in s * s) xss") == 1);
}

}  // namespace boustro::ad::testing
