// Sums that leave out what is zero by construction, and symmetric matrices that are added up once: transform/parallel/triangles.
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "frontend/values/read.hpp"

namespace triangles_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

int bound_with_base(const ir::Body& body, const std::string& base) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    for (const ir::Param& param : stm.pattern) count += param.name.base == base;
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += bound_with_base(inner, base); });
  }
  return count;
}

/// How many sums are shorter, and how many matrices are added up by halves; numbers small enough that sums are exact have the same values.
struct Counts {
  int short_sums = 0, halves = 0;
};

Counts checked(const std::string& text, const std::string& input) {
  const ir::Program before = before_pass("triangles", text, parallel::Machine::cpu);
  const ir::Program after = parallel::shorten_to_triangles(before);
  check_verified(after);
  const auto args = values::read_values(input);
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)));
  Counts counts;
  for (const ir::Function& function : after.functions) {
    counts.halves += bound_with_base(function.body, "vectors");
    counts.short_sums += bound_with_base(function.body, "count");
  }
  for (const ir::Function& function : before.functions) counts.short_sums -= bound_with_base(function.body, "count");
  counts.short_sums -= counts.halves;
  return counts;
}

const std::string matrix_and_rows = "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] [[1.0, 2.0, -3.0], [2.0, 0.0, 5.0]]";

/// The squares of the products of a matrix with vectors; `element` is that of the matrix at i and j.
std::string products(const std::string& element, const std::string& sum = "f64.sum", const std::string& more = "") {
  return "entry main [n][d] (ass: [d][d]f64) (xss: [n][d]f64) : [n]f64 =\n"
         "  let qss = tabulate_2d d d (\\i j -> " + element + ")\n" + more +
         "  in map (\\xs -> f64.sum (map (\\qs -> let y = " + sum + " (map2 (*) qs xs) in y * y) qss)) xss\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(triangles)

BOOST_AUTO_TEST_CASE(sums_end_at_the_diagonal) {
  BOOST_TEST(checked(products("if i < j then 0 else ass[i, j]"), matrix_and_rows).short_sums == 1);
  BOOST_TEST(checked(products("if j <= i then ass[i, j] else 0"), matrix_and_rows).short_sums == 1);
}

BOOST_AUTO_TEST_CASE(sums_begin_at_the_diagonal) {
  BOOST_TEST(checked(products("if j < i then 0 else ass[i, j]"), matrix_and_rows).short_sums == 1);
}

BOOST_AUTO_TEST_CASE(a_transposed_triangle_is_one) {
  BOOST_TEST(checked(products("if i < j then 0 else ass[i, j]", "f64.sum", "  let qss = transpose qss\n"), matrix_and_rows).short_sums == 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_zero_is_added) {
  BOOST_TEST(checked(products("if i < j then 1 else ass[i, j]"), matrix_and_rows).short_sums == 0);
  BOOST_TEST(checked(products("if j <= i then ass[i, j] else 1"), matrix_and_rows).short_sums == 0);
  BOOST_TEST(checked(products("(if i < j then 0 else ass[i, j]) + ass[j, i]"), matrix_and_rows).short_sums == 0);
  BOOST_TEST(checked(products("if i != j then 0 else ass[i, j]"), matrix_and_rows).short_sums == 0);
  BOOST_TEST(checked(products("if ass[i, j] < ass[j, i] then 0 else ass[i, j]"), matrix_and_rows).short_sums == 0);
}

BOOST_AUTO_TEST_CASE(only_sums_need_no_zeros) {
  BOOST_TEST(checked(products("if i < j then 0 else ass[i, j]", "f64.maximum"), matrix_and_rows).short_sums == 0);
}

BOOST_AUTO_TEST_CASE(an_updated_matrix_is_no_triangle) {
  BOOST_TEST(checked(products("if i < j then 0 else ass[i, j]", "f64.sum", "  let qss = qss with [0, 2] = 3\n"), matrix_and_rows).short_sums == 0);
}

BOOST_AUTO_TEST_CASE(sums_that_points_compute_in_step_stay_equally_long) {
  BOOST_TEST(checked("entry main [d] (ass: [d][d]f64) (xss: [2][d]f64) : [d]f64 =\n"
                     "  let qss = tabulate_2d d d (\\i j -> if i < j then 0 else ass[i, j])\n"
                     "  in map (\\qs -> f64.sum (map2 (*) qs xss[0])) qss\n", matrix_and_rows).short_sums == 0);
}

BOOST_AUTO_TEST_CASE(sums_of_a_row_are_equally_long) {
  BOOST_TEST(checked("entry main [n][d] (ass: [d][d]f64) (xss: [n][d]f64) : [d][n]f64 =\n"
                     "  let qss = tabulate_2d d d (\\i j -> if i < j then 0 else ass[i, j])\n"
                     "  in map (\\qs -> map (\\xs -> f64.sum (map2 (*) qs xs)) xss) qss\n", matrix_and_rows).short_sums == 1);
}

BOOST_AUTO_TEST_CASE(the_end_may_be_nearer_than_the_diagonal) {
  BOOST_TEST(checked("entry main [n][d][e] (ass: [d][e]f64) (xss: [n][e]f64) : [n]f64 =\n"
                     "  let qss = tabulate_2d d e (\\i j -> if i < j then 0 else ass[i, j])\n"
                     "  in map (\\xs -> f64.sum (map (\\qs -> let y = f64.sum (map2 (*) qs xs) in y * y) qss)) xss\n",
                     "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 2.0], [3.0, 4.0]]").short_sums == 0);
}

namespace {

/// The gradient of the sum of xs[0] * x[s] * q[s, t] * y[t] for some vectors.
std::string gradient(const std::string& value, const std::string& more = "0") {
  return "entry main [n][d] (qss: [d][d]f64) (xss: [n][d]f64) : [d][d]f64 =\n"
         "  vjp (\\qss -> f64.sum (map (\\xs -> let ys = map (+ 1) xs in xs[0] * f64.sum (map3 (\\qs x y -> " + value + ") qss xs ys)) xss) + " + more + ") qss 1\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(symmetric_matrices_are_added_up_by_halves) {
  BOOST_TEST(checked(gradient("x * f64.sum (map2 (*) qs xs)"), matrix_and_rows).halves == 1);
}

BOOST_AUTO_TEST_CASE(other_matrices_are_added_up_as_a_whole) {
  BOOST_TEST(checked(gradient("y * f64.sum (map2 (*) qs xs)"), matrix_and_rows).halves == 0);
  BOOST_TEST(checked(gradient("x * x * f64.sum (map2 (*) qs xs)"), matrix_and_rows).halves == 0);
  BOOST_TEST(checked(gradient("x * f64.sum (map2 (\\q x -> q * (x + 1)) qs xs)"), matrix_and_rows).halves == 0);
}

BOOST_AUTO_TEST_CASE(a_matrix_that_was_there_before_is_added_to_as_a_whole) {
  BOOST_TEST(checked(gradient("x * f64.sum (map2 (*) qs xs)", "f64.sum (map (\\qs -> qs[0] * qs[1]) qss)"), matrix_and_rows).halves == 0);
  BOOST_TEST(checked(gradient("x * f64.sum (map2 (*) qs xs)", "f64.sum (flatten qss)"), matrix_and_rows).halves == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace triangles_tests
