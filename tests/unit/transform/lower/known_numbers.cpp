// Which constants are literals after lowering. What all of them are worth is said by programs/known_numbers.fut.
#include "transform/lower/known_numbers.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/modules/check_program.hpp"
#include "transform/ir/print.hpp"
#include "transform/lower/inline.hpp"
#include "transform/lower/lower.hpp"

namespace known_numbers_tests {

using namespace boustro;

namespace {

std::string lowered(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto tree = imports::read_program("test.fut", sources.add("test.fut", text), {}, sources, diagnostics);
  const auto typed = modules::check_program(tree, sources, diagnostics);
  BOOST_REQUIRE(!diagnostics.has_errors());
  return ir::to_string(lower::inline_functions(lower::lower_program(*typed, diagnostics)));
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(known_numbers)

BOOST_AUTO_TEST_CASE(what_is_computed_from_nothing_is_a_literal) {
  const std::string text = lowered(
      "def k = loop s = 1i64 for i < 5 do s * 7 + i\n"
      "entry main (x: i64) = x * k");
  BOOST_TEST(holds(text, "17273i64"));
  BOOST_TEST(!holds(text, "loop"));
}

BOOST_AUTO_TEST_CASE(functions_take_no_parameters_for_literals) {
  const std::string text = lowered(
      "def table = [3i64, 5, 7]\n"
      "def k = loop s = 0i64 for x in table do s * 10 + x\n"
      "def f (x: i64) = if x > k then x % k else k % (x + 1)\n"
      "entry main [n] (xs: [n]i64) = map (\\x -> f x + f (x + 1)) xs");
  BOOST_TEST(holds(text, "def f (x: i64)"));
  BOOST_TEST(holds(text, "357i64"));
}

BOOST_AUTO_TEST_CASE(floats_are_left_to_the_target) {
  BOOST_TEST(holds(lowered("def y = loop s = 1f64 for i < 5 do f64.sin s\nentry main (x: f64) = x * y"), "loop"));
}

BOOST_AUTO_TEST_CASE(what_takes_too_long_is_left) {
  const std::string before = "def k = loop s = 1i64 for i < ", after = " do s * 7 + i\nentry main (x: i64) = x * k";
  BOOST_TEST(!holds(lowered(before + "1000" + after), "loop"));
  BOOST_TEST(holds(lowered(before + "1000000" + after), "loop"));
}

BOOST_AUTO_TEST_CASE(what_takes_too_much_memory_is_left) {
  BOOST_TEST(holds(lowered("def k = i64.sum (reverse (iota 1000000000000)) entry main (x: i64) = x * k"), "iota"));
}

BOOST_AUTO_TEST_CASE(failures_are_left_to_the_program) {
  BOOST_TEST(holds(lowered("def k = (reverse (iota 4))[i64.sum (iota 5)]\nentry main (x: i64) = x * k"), "["));
  BOOST_TEST(holds(lowered("def k = assert (i64.sum (iota 5) > 10) 7i64\nentry main (x: i64) = x * k"), "assert"));
  BOOST_TEST(!holds(lowered("def k = assert (i64.sum (iota 5) == 10) 7i64\nentry main (x: i64) = x * k"), "assert"));
}

BOOST_AUTO_TEST_CASE(what_depends_on_failures_is_left_and_nothing_else) {
  const std::string text = lowered(
      "def low = i64.sum (iota 5)\n"
      "def checked = assert (low > 10) (low + 1)\n"
      "def behind = i64.sum (iota 3) + checked\n"
      "def other = i64.product (map (+ 1) (iota 5))\n"
      "entry main (x: i64) = (x * behind, x * other)");
  BOOST_TEST(holds(text, "assert"));
  BOOST_TEST(holds(text, "120i64"));
}

BOOST_AUTO_TEST_CASE(derivatives_are_left) {
  BOOST_TEST(holds(lowered("def k = i64.f64 (vjp (\\x -> x * x * x) 2.0 1f64)\nentry main (x: i64) = x * k"), "vjp"));
}

BOOST_AUTO_TEST_CASE(numbers_among_other_values_are_literals) {
  const std::string text = lowered(
      "def scale = let k = (loop s = 1i64 for i < 3 do s * 7 + i) in map (* k) (iota 4)\n"
      "entry main (x: i64) = scale[x]");
  BOOST_TEST(holds(text, "352i64"));
  BOOST_TEST(!holds(text, "loop"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace known_numbers_tests
