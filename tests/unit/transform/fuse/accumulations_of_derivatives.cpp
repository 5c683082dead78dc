// Accumulations that derivatives make into the same arrays: transform/fuse/join_accumulations.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"

namespace accumulations_of_derivatives_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

/// How many of two there are after the pass, which keeps the values: sums of integers.
int after_joining(const std::string& sums, const std::string& input) {
  const std::string text =
      "entry main [n] (is: [n]i64) (xs: [n]f64) (ws: [n]f64) : ([n]f64, [n]f64) =\n"
      "  vjp (\\(xs, ws) -> " + sums + ") (xs, ws) 1\n";
  const ir::Program before = before_pass("twins", text);
  BOOST_TEST(count<ir::WithAcc>(before) == 2);
  const ir::Program after = fuse::join_accumulations(before);
  check_verified(after);
  const auto args = values::read_values(input);
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)));
  return count<ir::WithAcc>(after);
}

const std::string input = "[1i64, 0i64, 1i64] [2.0, 3.0, 5.0] [1.0, -1.0, 2.0]";
const std::string gathered = "f64.sum (map (\\j -> ws[j] * xs[(j + 1) % n]) is)";

}  // namespace

BOOST_AUTO_TEST_CASE(accumulations_of_one_array_become_one) {
  BOOST_TEST(after_joining(gathered + " + f64.sum (map (\\j -> ws[j] * ws[(j + 2) % n]) is)", input) == 1);
}

BOOST_AUTO_TEST_CASE(accumulations_into_what_one_of_them_makes_stay) {
  BOOST_TEST(after_joining(gathered + " + f64.sum (map2 (\\x j -> x * ws[j]) xs is)", input) == 2);
}

}  // namespace accumulations_of_derivatives_tests
