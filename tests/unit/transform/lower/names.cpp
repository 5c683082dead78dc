// What lowering calls values that the source does not name, or names in the prelude and in the program.
#include <boost/test/unit_test.hpp>

#include "frontend/modules/check_program.hpp"
#include "transform/ir/print.hpp"
#include "transform/lower/inline.hpp"
#include "transform/lower/lower.hpp"

namespace names_tests {

using namespace boustro;

namespace {

std::string lowered(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto tree = imports::read_program("test.fut", sources.add("test.fut", text), {}, sources, diagnostics);
  const auto typed = modules::check_program(tree, sources, diagnostics);
  BOOST_REQUIRE(!diagnostics.has_errors());
  return ir::to_string(lower::inline_functions(lower::lower_program(*typed, diagnostics, {.sources = &sources})));
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(an_element_is_called_as_the_array_that_it_becomes) {
  const std::string text = lowered("entry main [n] (xs: [n]f64) = let squares = map (\\x -> x * x + 1) xs in squares");
  BOOST_TEST(holds(text, "let square = product + 1.0f64"));
}

BOOST_AUTO_TEST_CASE(a_branch_is_called_as_what_it_decides) {
  const std::string text = lowered("entry main (x: f64) = let step = if x > 0 then x * x + 1 else x in step");
  BOOST_TEST(holds(text, "let step = product + 1.0f64"));
}

const std::string gates =
    "entry main [n] (xs: [n]f64) (ys: [n]f64) =\n"
    "  let gate f xs = map (\\x -> f (x + 1)) xs\n"
    "  let doors = gate sigmoid xs\n"
    "  let windows = gate sigmoid ys\n"
    "  in (doors, windows)";

BOOST_AUTO_TEST_CASE(a_call_is_called_as_what_it_is_for) {
  const std::string text = lowered("def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))\n" + gates);
  BOOST_TEST(holds(text, "let door = sigmoid "));
  BOOST_TEST(holds(text, "let window = sigmoid "));
  BOOST_TEST(holds(text, "let result = "));  // in the function
}

BOOST_AUTO_TEST_CASE(but_not_where_the_function_names_its_result) {
  const std::string text = lowered("def sigmoid (x: f64) = let activation = 1 / (1 + f64.exp (-x)) in activation\n" + gates);
  BOOST_TEST(holds(text, "let activation = sigmoid "));
}

BOOST_AUTO_TEST_CASE(a_short_function_stays_where_what_calls_it_is_inlined_twice) {
  BOOST_TEST(holds(lowered("def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))\n" + gates), "def sigmoid"));
  // Of one with a loop, calls would share nothing with its derivative.
  BOOST_TEST(!holds(lowered("def sigmoid (x: f64) = loop y = x for i < 3 do y * y + x\n" + gates), "def sigmoid"));
  BOOST_TEST(!holds(lowered("def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))\nentry main (x: f64) = sigmoid x"), "def sigmoid"));
}

BOOST_AUTO_TEST_CASE(where_a_histogram_begins_is_called_as_what_it_makes) {
  BOOST_TEST(holds(lowered("entry main [n] (is: [n]i64) (vs: [n]f64) = let sums = reduce_by_index (replicate 7 0) (+) 0 is vs in map (* 2) sums"), "let sums = replicate 7"));
  BOOST_TEST(holds(lowered("entry main [n] (is: [n]i64) (vs: [n]f64) = let zeros = replicate 7 0 let sums = reduce_by_index zeros (+) 0 is vs in map (* 2) sums"), "let zeros = replicate 7"));
}

BOOST_AUTO_TEST_CASE(names_of_the_user_come_before_those_of_the_prelude) {
  const std::string text = lowered("entry main [n] (ws: [n]f64) (bs: [n]f64) = map2 (\\weight bias -> weight * 2 + bias) ws bs");
  BOOST_TEST(holds(text, "weight: f64"));
  BOOST_TEST(holds(text, "bias: f64"));
}

BOOST_AUTO_TEST_CASE(a_component_is_called_as_the_program_takes_it_apart) {
  const std::string make = "def make (x: f64) = let pair = if x > 0 then (x + 1, x * 2) else (x, x - 3) in pair\n";
  const std::string apart = lowered(make + "entry main [n] (xs: [n]f64) = map (\\x -> let (height, width) = make x in height * width) xs");
  BOOST_TEST(holds(apart, "in (height, width)"));
  // As a parameter is, unless that is a letter.
  const std::string argument = lowered(make + "def area (height: f64) (w: f64) = height * w * height\nentry main [n] (xs: [n]f64) = map (\\x -> let pair = make x in area pair.0 pair.1) xs");
  BOOST_TEST(holds(argument, "in (height, pair_1)"));
}

BOOST_AUTO_TEST_CASE(an_element_that_only_an_operator_sees_is_called_after_its_array) {
  const std::string text = lowered("entry main [n] (weights: [n]f64) = map i64.f64 weights");
  BOOST_TEST(holds(text, "i64.f64 weight"));
}

BOOST_AUTO_TEST_CASE(an_argument_without_a_name_is_called_as_the_parameter) {
  const std::string text = lowered(
      "def f (cell: f64) (n: i64) = cell * cell + f64.i64 n\n"
      "entry main [n] (xs: [n]f64) = f (xs[0] + 1) n");
  BOOST_TEST(holds(text, "let cell = "));
}

BOOST_AUTO_TEST_CASE(a_part_of_a_record_is_called_as_its_field) {
  const std::string text = lowered(
      "def scale (s: f64) (v: {east: f64, north: f64}) = {east = s * v.east, north = s * v.north}\n"
      "entry main [n] (vs: [n]{east: f64, north: f64}) = map (scale 2) vs");
  BOOST_TEST(holds(text, "let east = 2.0f64 * v_east"));
  BOOST_TEST(holds(text, "let north = 2.0f64 * v_north"));
}

BOOST_AUTO_TEST_CASE(sizes_of_an_entry_keep_their_names) {
  const std::string text = lowered(
      "def sum_of (grid: {rows: i64, columns: i64}) (xs: []f64) = f64.i64 (grid.rows * grid.columns) + f64.sum xs\n"
      "entry main [n][m] (xss: [n][m]f64) = sum_of {rows = n, columns = m} xss[0]");
  BOOST_TEST(holds(text, "(xss: [n][m]f64)"));
}

BOOST_AUTO_TEST_CASE(a_name_comes_before_that_of_a_field) {
  const std::string text = lowered(
      "entry main (x: f64) = let area = x * x in {size = area, other = x}");
  BOOST_TEST(holds(text, "let area = x * x"));
}

BOOST_AUTO_TEST_CASE(an_array_without_a_name_is_called_as_its_elements) {
  const std::string text = lowered("entry main [n] (xss: [3][n]f64) = map2 (\\weight bias -> weight * 2 + bias) xss[1] xss[2]");
  BOOST_TEST(holds(text, "let weights = xss[1]"));
  BOOST_TEST(holds(text, "let biases = xss[2]"));
}

BOOST_AUTO_TEST_CASE(what_is_only_copied_is_called_as_its_copy) {
  const std::string text = lowered(
      "def f [m] (row: *[m]f64) = row with [0] = 1\n"
      "entry main [n] [m] (xss: [n][m]f64) = f (copy xss[0])");
  BOOST_TEST(holds(text, "let row = xss[0]"));
}

BOOST_AUTO_TEST_CASE(what_a_scatter_makes_is_called_as_the_program_says) {
  BOOST_TEST(holds(lowered("entry main [n] (is: [n]i64) = let counts = reduce_by_index (replicate 5 0) (+) 0 is (map (+ 1) is) in map (* 2) counts"),
                   "let counts_1 = reduce_by_index counts"));
  // ... or else as what it changes.
  BOOST_TEST(holds(lowered("entry main [n] (sums: *[5]i64) (is: [n]i64) = scatter sums is is"), "let sums_1 = scatter"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace names_tests
