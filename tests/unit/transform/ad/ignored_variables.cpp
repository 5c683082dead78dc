// Custom derivatives take what their functions use, but do not take as arguments, for constants. That deserves a warning where a
// derivative with respect to it is asked for.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

std::vector<std::string> warnings(const std::string& text) {
  std::vector<std::string> result;
  Options options;
  options.warn = [&](const source::Diagnostic& warning) { result.push_back(warning.text); };
  differentiate(compiled(text), options);
  return result;
}

const std::string scaled =
    "def scaled (a: f64) (x: f64) : f64 = with_vjp (\\x -> a * x) (\\_ y_adj -> a * y_adj) x\n";
const std::string taped =
    "def taped (a: f64) (x: f64) : f64 = with_vjp_tape (\\x -> (x, a * x * x)) (\\(x, y_adj) -> 2 * a * x * y_adj) x\n";

}  // namespace

BOOST_AUTO_TEST_CASE(ignored_variables_are_named) {
  const std::string both = "entry f (a: f64) (x: f64) = vjp (\\(a, x) -> ";
  BOOST_TEST(warnings(scaled + both + "scaled a x) (a, x) 1") ==
                 std::vector<std::string>{"the derivative of this function ignores `a`, which the function uses"},
             boost::test_tools::per_element());
  BOOST_TEST(warnings(taped + both + "taped a x) (a, x) 1").size() == 1U);
  BOOST_TEST(warnings(scaled + "entry f (a: f64) (x: f64) = mjp (\\(a, x) -> scaled a x) (a, x) [1, 2]").size() == 1U);
}

BOOST_AUTO_TEST_CASE(constants_are_not_ignored) {
  BOOST_TEST(warnings(scaled + "entry f (a: f64) (x: f64) = vjp (scaled a) x 1").empty());
  BOOST_TEST(warnings(taped + "entry f (a: f64) (x: f64) = vjp (taped a) x 1").empty());
  // Forward mode looks into the function.
  BOOST_TEST(warnings(scaled + "entry f (a: f64) (x: f64) = jvp (\\(a, x) -> scaled a x) (a, x) (1, 1)").empty());
}

}  // namespace boustro::ad::testing
