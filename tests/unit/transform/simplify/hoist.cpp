// Sums over arrays that are made inside of maps and loops, and that leave them where no size can be negative.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/simplify/simplify.hpp"

namespace hoist_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::values::Value;

namespace {

Program inlined(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return boustro::lower::inline_functions(std::move(*program));
}

Program simplified(const std::string& text, const std::vector<Arguments>& runs) {
  return after([](Program p) { return boustro::simplify::simplify(std::move(p)); }, inlined(text), runs);
}

Value i64_number(std::int64_t n) { return Value::of(PrimValue::of_int(PrimType::i64, n)); }

/// How many maps and loops are around the sum.
int depth_of_sum(const Body& body) {
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Reduce>(stm.exp) || std::holds_alternative<MapReduce>(stm.exp)) return 0;
    int inside = -1;
    for_each_body(stm.exp, [&](const Body& inner) { inside = std::max(inside, depth_of_sum(inner)); });
    if (inside >= 0) return inside + 1;
  }
  return -1;
}

int depth_of_sum(const std::string& text, const std::vector<Arguments>& runs) {
  return depth_of_sum(simplified(text, runs).functions.back().body);
}

const std::string sum = "def sum_below (n: i64) : f64 = f64.sum (map f64.i64 (iota n))\n";
const std::string main_of_three = sum + "entry main [n][m] (xs: [n]f64) (ys: [m]f64) (k: i64) = ";

/// The arguments of `main_of_three`, without points and with them.
std::vector<Arguments> arguments() {
  std::vector<Arguments> runs;
  for (const std::int64_t n : {0, 3}) runs.push_back({some_f64s({n}), some_f64s({2}), i64_number(n == 0 ? -5 : 4)});
  return runs;
}

bool leaves_map(const std::string& size) {
  return depth_of_sum(main_of_three + "(map (\\x -> x + sum_below (" + size + ")) xs, f64.sum ys)", {}) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hoist)

BOOST_AUTO_TEST_CASE(sums_over_arrays_of_sizes_that_are_not_negative_leave_maps) {
  for (const std::string size : {"n", "m", "n + m", "n * m + 2", "3", "i64.max 0 k", "i64.min n m", "m / 2", "n + i64.max k 1"})
    BOOST_TEST_CONTEXT(size) { BOOST_TEST(leaves_map(size)); }
}

BOOST_AUTO_TEST_CASE(sizes_that_may_be_negative_stay_in_maps) {
  for (const std::string size : {"n - 1", "k", "k + n", "n - m", "i64.min n k", "k * k", "i64.max k (0 - k)"})
    BOOST_TEST_CONTEXT(size) { BOOST_TEST(!leaves_map(size)); }
}

BOOST_AUTO_TEST_CASE(a_map_without_points_and_a_loop_without_iterations_make_no_array) {
  BOOST_TEST(depth_of_sum(main_of_three + "map (\\x -> x + sum_below k + ys[0]) xs", arguments()) == 1);
  BOOST_TEST(depth_of_sum(main_of_three + "ys[0] + (loop a = 0 for i < n do a + f64.i64 i * sum_below (n + k))", arguments()) == 1);
  // As a whole, with what is inside.
  const std::string sums = "(loop a = 0 for j < m do a + f64.i64 j * sum_below k)";
  BOOST_TEST(depth_of_sum(main_of_three + "map (\\x -> x * ys[0] + " + sums + ") xs", arguments()) == 2);
}

BOOST_AUTO_TEST_CASE(an_iteration_tells_of_the_bound) {
  const auto inside = [](const std::string& size) {
    return main_of_three + "ys[0] + f64.i64 k + (loop a = 0 for i < n do loop b = a for j < m do b * 2 + sum_below (" + size + "))";
  };
  // They leave the inner loop alone.
  for (const std::string size : {"n - 1", "n - i", "n - i - 1", "i"})
    BOOST_TEST_CONTEXT(size) { BOOST_TEST(depth_of_sum(inside(size), arguments()) == 1); }
  BOOST_TEST(depth_of_sum(inside("m - 1"), arguments()) == 2);
  BOOST_TEST(depth_of_sum(inside("n - 2"), arguments()) == 2);
}

BOOST_AUTO_TEST_CASE(arrays_that_exist_tell_of_sizes) {
  const std::string map = "map (\\x -> x + sum_below k) xs";
  BOOST_TEST(depth_of_sum(main_of_three + "let zs = rotate 1 (replicate k ys[0]) in (zs, " + map + ")", {}) == 0);
  // Not so those that a branch or another map makes.
  BOOST_TEST(depth_of_sum(main_of_three + "let z = if n > 3 then last (scan (+) 0 (replicate k ys[0])) else 0 in (z, " + map + ")", arguments()) == 1);
}

BOOST_AUTO_TEST_CASE(rows_that_do_not_exist_tell_of_no_size) {
  const std::string text =
      sum + "def main_ [n][m] (rows: [n][m]f64) (count: i64) : f64 = loop a = 0 for i < count do a * 2 + sum_below m + f64.i64 (length rows)\n"
            "entry main (n: i64) (m: i64) (count: i64) = main_ (map (\\i -> map (\\j -> f64.i64 (i * j)) (iota m)) (iota n)) count";
  simplified(text, {{i64_number(0), i64_number(-2), i64_number(0)}, {i64_number(2), i64_number(3), i64_number(2)}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace hoist_tests
