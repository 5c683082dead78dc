// What `boustro gradcheck` says of wrong options, and which derivatives it takes.
#include <boost/test/unit_test.hpp>

#include "workplace.hpp"

namespace boustro::driver {
namespace {

struct Attempt {
  int exit_code;
  std::string printed;
};

Attempt with_size(const std::string& name, std::int64_t value) {
  Workplace place(
      "def f [n] (xs: [n]f64) (k: i8) (b: bool) (x: f64) =\n"
      "  if b then x else x * f64.i8 k * f64.sum xs\n");
  GradcheckOptions options;
  options.file = "program.fut";
  options.entry = "f";
  options.sizes = {{name, value}};
  const int code = place.gradcheck(options);
  return {code, place.printed()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_and_integers_can_be_given) {
  for (const char* name : {"n", "k"}) {
    const Attempt attempt = with_size(name, 2);
    BOOST_TEST(attempt.exit_code == 0, attempt.printed);
  }
}

BOOST_AUTO_TEST_CASE(only_values_that_a_parameter_can_have_are_taken) {
  const std::tuple<const char*, int, const char*> refused[] = {
      {"n", -1, "`n`, a size, cannot be -1"},
      {"k", 300, "`k`, of type `i8`, cannot be 300"},
      {"q", 3, "`f` has no size and no integer parameter `q`"},
      {"xs", 3, "no integer parameter `xs`"},
      {"x", 3, "no integer parameter `x`"},
      {"b", 1, "no integer parameter `b`"}};
  for (const auto& [name, value, message] : refused) {
    const Attempt attempt = with_size(name, value);
    BOOST_TEST(attempt.exit_code == 1);
    BOOST_TEST(attempt.printed.find(message) != std::string::npos, attempt.printed);
  }
}

namespace {

Attempt of(const std::string& program) {
  Workplace place(program);
  GradcheckOptions options;
  options.file = "program.fut";
  options.entry = "f";
  const int code = place.gradcheck(options);
  return {code, place.printed()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(derivatives_that_are_zero_are_taken) {
  // Exactly, by cancellation, and where the function is flat to second order.
  for (const char* body : {"xs[0] * 0 + 3", "f64.sin xs[0] ** 2 + f64.cos xs[0] ** 2",
                           "f64.sum xs - f64.sum (reverse xs)",
                           "f64.exp (f64.sum (map2 (-) xs xs)) + 1e6",
                           "(xs[0] - xs[0] + f64.product (map (\\x -> x - x) xs)) ** 3"}) {
    const Attempt attempt = of(std::string("def f [n] (xs: [n]f64) : f64 = ") + body + "\n");
    BOOST_TEST(attempt.exit_code == 0, body << ": " << attempt.printed);
  }
  const Attempt narrow =
      of("def f [n] (xs: [n]f32) : f32 = f32.sum (map (\\x -> f32.sin x ** 2 + f32.cos x ** 2) xs)\n");
  BOOST_TEST(narrow.exit_code == 0, narrow.printed);
}

BOOST_AUTO_TEST_CASE(as_exact_as_the_narrowest_floats) {
  const Attempt attempt = of("def f [n] (xs: [n]f16) (y: f64) : f64 = y * f64.f16 (f16.sum (map f16.sin xs))\n");
  BOOST_TEST(attempt.exit_code == 0, attempt.printed);
  const Attempt wrong = of("def f (x: f16) : f64 = f64.f16 (with_vjp f16.sin (\\_ y_adj -> y_adj * 2) x)\n");
  BOOST_TEST(wrong.exit_code != 0, wrong.printed);
}

BOOST_AUTO_TEST_CASE(derivatives_that_are_zero_by_mistake_are_not_taken) {
  for (const char* wrong : {"0", "y_adj * 1e-3", "2 * y_adj"}) {
    const Attempt attempt =
        of(std::string("def f (x: f64) : f64 = with_vjp f64.sin (\\_ y_adj -> ") + wrong +
           ") x\n");
    BOOST_TEST(attempt.exit_code == 1, wrong << ": " << attempt.printed);
  }
}

BOOST_AUTO_TEST_CASE(results_of_computed_sizes_are_taken) {
  const Attempt attempt =
      of("def f [p] (xs: [p]f64) : [p - 1]f64 = map2 (*) (take (p - 1) xs) (drop 1 xs :> [p - 1]f64)\n");
  BOOST_TEST(attempt.exit_code == 0, attempt.printed);
}

}  // namespace boustro::driver
