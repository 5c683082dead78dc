// Arrays that are computed where they are read: transform/parallel/recompute.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/nest.hpp"

namespace recompute_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

int nests_in(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    count += std::holds_alternative<ir::Nest>(stm.exp);
    if (!std::holds_alternative<ir::Nest>(stm.exp)) ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += nests_in(inner); });
  }
  return count;
}

/// How many nests of the host are gone; the program has the same values. Reads of `xss: [n][m]f64`, `ys: [m]f64` and `zs: [n]f64`.
int removed(const std::string& body, const std::string& result = "[n][n]f64") {
  const std::string text = "entry main [n] [m] (xss: [n][m]f64) (ys: [m]f64) (zs: [n]f64) : " + result + " =\n  " + body + "\n";
  const ir::Program before = before_pass("recompute", text, parallel::Machine::gpu);
  const ir::Program after = parallel::compute_where_read(before);
  check_verified(after);
  for (const std::string input : {"[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]] [2.0, 3.0, 5.0] [3.0, 8.0]", "[[1.5]] [2.0] [4.0]", "empty([0][2]f64) [1.0, 2.0] empty([0]f64)"}) {
    const auto args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), input);
  }
  int count = 0;
  for (const ir::Function& function : before.functions) count += nests_in(function.body);
  for (const ir::Function& function : after.functions) count -= nests_in(function.body);
  return count;
}

/// All rows with all rows: what is read stays an array of its own otherwise.
const std::string products = "map (\\as -> map (\\bs -> f64.sum (map2 (*) as bs)) dss) dss";
std::string differences(const std::string& element) { return "let dss = map2 (\\xs z -> map2 (\\x y -> " + element + ") xs ys) xss zs\n  in "; }

}  // namespace

BOOST_AUTO_TEST_SUITE(recompute)

BOOST_AUTO_TEST_CASE(differences_of_all_pairs) {
  BOOST_TEST(removed(differences("x - y") + products) == 1);
  BOOST_TEST(removed(differences("y - z") + products) == 1);
  BOOST_TEST(removed(differences("(x - y) * z + 2") + products) == 1);
}

BOOST_AUTO_TEST_CASE(columns_are_seen_through) {
  const std::string columns = "map (\\as -> map (\\bs -> f64.sum (map2 (*) as bs)) (transpose dss)) (transpose dss)";
  BOOST_TEST(removed(differences("x - 2 * y") + columns, "[m][m]f64") == 1);
  const std::string cubes = "let dsss = map2 (\\xs z -> map (\\x -> map (\\y -> x - y * z) ys) xs) xss zs\n  in ";
  BOOST_TEST(removed(cubes + "map (\\dss -> map (\\d -> f64.sum d) (transpose dss)) dsss", "[n][m]f64") == 1);
}

BOOST_AUTO_TEST_CASE(what_takes_more_than_a_read_stays) {
  BOOST_TEST(removed(differences("f64.exp (x - y)") + products) == 0);
  BOOST_TEST(removed(differences("x / y") + products) == 0);
  BOOST_TEST(removed(differences("(x + y) * (x - y) * (x + z) - z") + products) == 0);
}

BOOST_AUTO_TEST_CASE(two_arrays_as_large_stay) {
  const std::string two = "let wss = map (scan (+) 0) xss\n  let dss = map2 (map2 (\\x w -> 2 * (x - w))) xss wss\n  in ";
  BOOST_TEST(removed(two + products) == 0);
}

BOOST_AUTO_TEST_CASE(results_stay) {
  BOOST_TEST(removed("let dss = map2 (\\xs z -> map2 (\\x y -> x - y) xs ys) xss zs\n  in (dss, " + products + ")", "([n][m]f64, [n][n]f64)") == 0);
}

/// Not only read: the array is updated.
BOOST_AUTO_TEST_CASE(updated_arrays_stay) {
  BOOST_TEST(removed("let dss = map2 (\\xs z -> map2 (\\x y -> x - y) xs ys) xss zs\n  let p = " + products + "\n  in (p, scatter (copy dss) [0i64] [ys])",
                     "([n][n]f64, [n][m]f64)") == 0);
}

/// What is read is overwritten later.
BOOST_AUTO_TEST_CASE(operands_that_are_updated_keep_the_array) {
  const std::string text =
      "entry main [n] [m] (xss: *[n][m]f64) (ys: [m]f64) : ([n][n]f64, *[n][m]f64) =\n"
      "  let dss = map (\\xs -> map2 (-) xs ys) xss\n"
      "  let yss = scatter xss (iota n) (replicate n ys)\n  in (" + products + ", yss)\n";
  const ir::Program before = before_pass("recompute", text, parallel::Machine::gpu);
  const ir::Program after = parallel::compute_where_read(before);
  const auto args = values::read_values("[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]] [2.0, 3.0, 5.0]");
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace recompute_tests
