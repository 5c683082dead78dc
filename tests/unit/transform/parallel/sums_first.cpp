// Sums that are only summed up again: transform/parallel/recompute/sums_first.cpp.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/nest.hpp"

namespace sums_first_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

/// Points times summands, of all nests of the host with a sum in them, in the order of the program: how many dimensions each has.
std::vector<std::size_t> dimensions(const ir::Program& program) {
  std::vector<std::size_t> result;
  for (const ir::Function& function : program.functions)
    for (const ir::Stm& stm : function.body.stms) {
      const auto* nest = std::get_if<ir::Nest>(&stm.exp);
      if (!nest) continue;
      std::size_t count = nest->space.size();
      for (const ir::Stm& inner : nest->point.body.stms)
        if (const auto* sum = std::get_if<ir::Nest>(&inner.exp)) count += sum->space.size();
      result.push_back(count);
    }
  return result;
}

using Dimensions = std::vector<std::size_t>;

/// What is left of `cs: [k][m]f64`, `ts: [n][k]f64` and `ws: [n]f64`; values stay, of numbers whose sums are exact.
Dimensions checked(const std::string& body, const std::string& result = "[m]f64") {
  const std::string text = "entry main [k] [m] [n] (cs: [k][m]f64) (ts: [n][k]f64) (ws: [n]f64) : " + result + " =\n  " + body + "\n";
  const ir::Program before = parallel::compute_where_read(before_pass("recompute", text, parallel::Machine::gpu));
  const ir::Program after = parallel::sum_first(before);
  check_verified(after);
  for (const std::string input : {"[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]] [[2.0, 3.0], [5.0, 1.0], [8.0, 4.0], [6.0, 9.0]] [3.0, 8.0, 1.0, 2.0]",
                                  "[[1.5]] [[2.0]] [4.0]", "empty([0][2]f64) empty([2][0]f64) [1.0, 2.0]", "[[1.0], [2.0]] empty([0][2]f64) empty([0]f64)"}) {
    const auto args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), input);
  }
  return dimensions(after);
}

/// All products of rows of ts with columns of cs, and what is made of them.
std::string products(const std::string& summand, const std::string& behind) {
  return "let zss = map2 (\\t w -> map (\\c -> f64.sum (map2 (\\x y -> " + summand + ") c t)) (transpose cs)) ts ws\n  in " + behind;
}
const std::string columns = "map (\\zs -> f64.sum zs) (transpose zss)";

}  // namespace

BOOST_AUTO_TEST_SUITE(sums_first)

BOOST_AUTO_TEST_CASE(what_varies_is_summed_first) {
  BOOST_TEST(checked(products("x * y", columns)) == (Dimensions{2, 2}));
  BOOST_TEST(checked(products("x * (y * w)", columns)) == (Dimensions{2, 2}));
  BOOST_TEST(checked(products("-(x * (y * -w))", "map (\\zs -> f64.sum (map (\\z -> -z) zs)) (transpose zss)")) == (Dimensions{2, 2}));
}

/// The sum has factors of its own, some with its index.
BOOST_AUTO_TEST_CASE(factors_of_the_outer_sum) {
  BOOST_TEST(checked(products("x * y", "map2 (\\zs i -> f64.sum (map2 (\\z w -> 2 * w * z * f64.i64 i) zs ws)) (transpose zss) (iota m)")) == (Dimensions{2, 2}));
}

BOOST_AUTO_TEST_CASE(numbers_are_factors) {
  BOOST_TEST(checked(products("x * y", "map (\\zs -> f64.sum (map (\\z -> z + z) zs)) (transpose zss)")) == (Dimensions{2, 2}));
  BOOST_TEST(checked(products("x * y", "map (\\zs -> f64.sum (map (\\z -> -0.5 * z) zs)) (transpose zss)")) == (Dimensions{2, 2}));
}

BOOST_AUTO_TEST_CASE(what_comes_of_the_sum_stays) {
  BOOST_TEST(checked(products("x * y", "map (\\zs -> 1 + f64.sqrt (f64.sum zs)) (transpose zss)")) == (Dimensions{2, 2}));
}

/// Sums of rows are of products in which nothing lacks a dimension that is kept.
BOOST_AUTO_TEST_CASE(what_would_not_get_smaller_stays) {
  BOOST_TEST(checked(products("x * y + y", columns)) == (Dimensions{3, 2}));
  BOOST_TEST(checked(products("(x - w) * y", columns)) == (Dimensions{3, 2}));
}

/// One sum goes through all, and computes what it reads; or all of them sum first.
BOOST_AUTO_TEST_CASE(sums_that_several_read) {
  BOOST_TEST(checked(products("x * y", "(" + columns + ", map (\\zs -> f64.sum (map f64.sqrt zs)) zss)"), "([m]f64, [n]f64)") == (Dimensions{2, 2, 2}));
  BOOST_TEST(checked(products("x * y", "(map (\\zs -> f64.sum (map (\\z -> z * z) zs)) zss, " + columns + ")"), "([n]f64, [m]f64)") == (Dimensions{2, 2, 2}));
  BOOST_TEST(checked(products("x * y", "(" + columns + ", map (\\zs -> f64.sum (map2 (*) zs ws)) (transpose zss))"), "([m]f64, [m]f64)") ==
             (Dimensions{2, 2, 2, 2}));
  const std::string squares = "f64.sum (map (\\z -> z * z) zs)";
  // As many summands as there are of what is lacking; with others the first sums would not be smaller.
  const std::string square = "let zss = map (\\t -> map (\\l -> f64.sum (map2 (\\s x -> f64.i64 (s * k + l) * x) (iota k) t)) (iota k)) ts\n  in ";
  const std::string weighed = "map (\\zs -> map (\\vs -> f64.sum (map2 (\\z v -> z * v) zs vs)) (transpose ts)) (transpose zss)";
  BOOST_TEST(checked(square + "(map (\\zs -> " + squares + ") zss, " + weighed + ")", "([n]f64, [k][k]f64)") == (Dimensions{2, 3, 3}));
  BOOST_TEST(checked(products("x * y", "(map (\\zs -> " + squares + ") zss, " + weighed + ")"), "([n]f64, [m][k]f64)") == (Dimensions{3, 2, 3}));
}

/// Or several do, or one that reads elements more than once, or not in a sum.
BOOST_AUTO_TEST_CASE(sums_that_others_read_stay) {
  const std::string twice = "map (\\zs -> f64.sum (map f64.sqrt zs)) zss";
  BOOST_TEST(checked(products("x * y", "(" + columns + ", " + twice + ", map (\\zs -> f64.sum (map f64.exp zs)) zss)"), "([m]f64, [n]f64, [n]f64)") ==
             (Dimensions{3, 2, 2}));
  const std::string across = "map (\\zs -> f64.sum (map f64.exp zs)) (transpose zss)";
  BOOST_TEST(checked(products("x * y", "(" + twice + ", " + across + ")"), "([n]f64, [m]f64)") == (Dimensions{3, 2, 2}));
  BOOST_TEST(checked(products("x * y", "(" + columns + ", map (\\w -> map (\\zs -> f64.sum (map (\\z -> f64.sqrt (z * w)) zs)) zss) ws)"), "([m]f64, [n][n]f64)") ==
             (Dimensions{3, 2, 3}));
  BOOST_TEST(checked(products("x * y", "(" + columns + ", map (\\zs -> f64.sum (map f64.sqrt zs[:1])) zss)"), "([m]f64, [n]f64)") == (Dimensions{3, 2, 2}));
  BOOST_TEST(checked(products("x * y", "(zss, " + columns + ")"), "([n][m]f64, [m]f64)") == (Dimensions{3, 2}));
}

BOOST_AUTO_TEST_CASE(other_sums_stay) {
  BOOST_TEST(checked(products("x * y", "map (\\zs -> reduce f64.max 0 zs) (transpose zss)")) == (Dimensions{3, 2}));
  BOOST_TEST(checked(products("x * y", "map (\\zs -> f64.sum (map (\\z -> z * z) zs)) (transpose zss)")) == (Dimensions{3, 2}));
  BOOST_TEST(checked(products("x * y", "map (\\zs -> f64.sum (map (\\z -> z * (z + 1)) zs)) (transpose zss)")) == (Dimensions{3, 2}));
  BOOST_TEST(checked(products("x * y", "map (\\zs -> f64.maximum zs) (transpose zss)")) == (Dimensions{3, 2}));
  BOOST_TEST(checked(products("x * y", "map (\\zs -> f64.sum (map f64.sqrt zs)) (transpose zss)")) == (Dimensions{3, 2}));
}

/// What is summed up is overwritten before the sums are.
BOOST_AUTO_TEST_CASE(operands_that_are_updated_are_not_read_later) {
  const std::string text =
      "entry main [k] [m] [n] (cs: [k][m]f64) (ts: *[n][k]f64) : ([m]f64, *[n][k]f64) =\n"
      "  let zss = map (\\t -> map (\\c -> f64.sum (map2 (*) c t)) (transpose cs)) ts\n"
      "  let us = scatter ts (iota n) (replicate n (replicate k 7))\n"
      "  in (" + columns + ", us)\n";
  const ir::Program before = parallel::compute_where_read(before_pass("recompute", text, parallel::Machine::gpu));
  const ir::Program after = parallel::sum_first(before);
  const auto args = values::read_values("[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]] [[2.0, 3.0], [5.0, 1.0], [8.0, 4.0]]");
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sums_first_tests
