// What `boustro gradcheck` says of wrong options.
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

}  // namespace boustro::driver
