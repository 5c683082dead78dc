// Reductions of rows that a point makes.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/lower/inline.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/simplify/simplify.hpp"

namespace rows_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace fuse = boustro::fuse;
namespace simplify = boustro::simplify;

namespace {

Program fused(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(fuse::fuse(simplify::simplify(boustro::lower::inline_functions(std::move(*program))), true));
}

Program combined(Program program) {
  return simplify::simplify(fuse::fuse(simplify::simplify(boustro::parallel::combine_rows(std::move(program))), true));
}

/// For each point a sum of rows that are made for it.
std::string sums_of(const std::string& width, const std::string& row = "map (* w) row") {
  return "entry main [n] [k] [m] (wss: [n][" + width + "]f64) (rowss: [n][" + width + "][m]f64) (zs: [k]f64) : [n][m]f64 =\n"
         "  map2 (\\ws rows -> reduce (map2 (+)) (replicate m 0) (map2 (\\w row -> " + row + ") ws rows)) wss rowss\n";
}

std::vector<Arguments> runs(std::int64_t width) {
  return {{some_f64s({2, width}), some_f64s({2, width, 4}), some_f64s({width})},
          {some_f64s({2, width}), some_f64s({2, width, 0}), some_f64s({width})},
          {some_f64s({0, width}), some_f64s({0, width, 4}), some_f64s({width})}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_AUTO_TEST_CASE(rows_of_any_number_are_added_up_by_a_loop) {
  const Program before = fused(sums_of("k"));
  std::vector<Arguments> arguments = runs(3);
  for (Arguments& none : runs(0)) arguments.push_back(none);
  const Program q = after(combined, before, arguments);
  BOOST_TEST(count<MapReduce>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 1);
  BOOST_TEST(count<Map>(q) == 2);  // over the points, and over a row: product and sum in one
}

BOOST_AUTO_TEST_CASE(few_rows_are_added_up_element_by_element) {
  const Program q = after(combined, fused(sums_of("3")), runs(3));
  BOOST_TEST(count<MapReduce>(q) == 0);
  BOOST_TEST(count<Loop>(q) == 0);
  BOOST_TEST(count<Map>(q) == 2);
}

BOOST_AUTO_TEST_CASE(one_row_is_that_row) {
  const Program q = after(combined, fused(sums_of("1")), runs(1));
  BOOST_TEST(count<Loop>(q) == 0);
}

BOOST_AUTO_TEST_CASE(many_rows_of_a_known_number_are_not_repeated) {
  const Program q = after(combined, fused(sums_of("100")), runs(100));
  BOOST_TEST(count<Loop>(q) == 1);
}

BOOST_AUTO_TEST_CASE(rows_that_are_there_stay_in_a_reduction) {
  const Program before = fused(sums_of("k", "row"));
  BOOST_TEST((combined(before) == before));
}

BOOST_AUTO_TEST_CASE(rows_of_all_points_stay_in_a_reduction) {
  const Program before = fused(
      "entry main [n] [m] (ws: [n]f64) (rows: [n][m]f64) : [m]f64 =\n"
      "  reduce (map2 (+)) (replicate m 0) (map2 (\\w row -> map (* w) row) ws rows)\n");
  BOOST_TEST((combined(before) == before));
}

BOOST_AUTO_TEST_CASE(other_operators_stay) {
  const Program before = fused(
      "def multiply (a: [2][2]f64) (b: [2][2]f64) : [2][2]f64 = map (\\row -> map (\\c -> f64.sum (map2 (*) row c)) (transpose b)) a\n"
      "entry main [n] [k] (xss: [n][k][2][2]f64) : [n][2][2]f64 =\n"
      "  map (\\xs -> reduce multiply [[1, 0], [0, 1]] (map (map (map (* 2))) xs)) xss\n");
  BOOST_TEST((boustro::parallel::combine_rows(before) == before));
}

BOOST_AUTO_TEST_CASE(what_else_is_combined_and_made_comes_along) {
  const std::string text =
      "entry main [n] [k] [m] (wss: [n][k]f64) (rowss: [n][k][m]f64) : [n]([m]f64, f64, [k]f64) =\n"
      "  map2 (\\ws rows ->\n"
      "          let (products, squares, ys) = unzip3 (map2 (\\w row -> (map (* w) row, w * w, w + 1)) ws rows)\n"
      "          in (reduce (map2 f64.max) (replicate m 0) products, f64.sum squares, ys)) wss rowss\n";
  const Program q = after(combined, fused(text),
                          {{some_f64s({2, 3}), some_f64s({2, 3, 4})}, {some_f64s({2, 0}), some_f64s({2, 0, 4})}});
  BOOST_TEST(count<Loop>(q) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rows_tests
