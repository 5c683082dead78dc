// What steps keep for products of several steps at once: transform/parallel/steps.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace kept_for_steps_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

/// The largest rank of an array that steps fill for what comes behind them.
int most_kept(const ir::Body& body) {
  int most = 0;
  for (const ir::Stm& stm : body.stms) {
    if (std::holds_alternative<ir::Scratch>(stm.exp)) most = std::max(most, stm.pattern[0].type.rank());
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { most = std::max(most, most_kept(inner)); });
  }
  return most;
}

/// With steps together the program has the same value, of integers.
int most_kept(const std::string& text, const std::string& input) {
  const ir::Program before = before_pass("steps", text);
  const ir::Program after = parallel::compute_steps_together(before);
  check_verified(after);
  const auto args = values::read_values(input);
  BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)));
  int most = 0;
  for (const ir::Function& function : after.functions) most = std::max(most, most_kept(function.body));
  return most;
}

/// A loop that fills `past`, of rank 3, and adds up products of `operand`, a matrix.
std::string filling(const std::string& operand) {
  return "entry main (n: i64) (b: i64) (h: i64) : ([n][b][h]i32, [h][h]i32) =\n"
         "  let inputs = opaque (tabulate_3d n b h (\\i j k -> i32.i64 (i + j * 5 - k)))\n"
         "  in loop (past, sums) = (replicate n (replicate b (replicate h 1)), replicate h (replicate h 2)) for i < n do\n"
         "    let product = map (\\ps -> map (\\xs -> i32.sum (map2 (*) ps xs)) (transpose inputs[i])) (transpose (" +
         operand +
         "))\n"
         "    let past = past with [i] = map2 (map2 (\\x y -> x * 3 + y)) past[i / 2] inputs[i]\n"
         "    in (past, map2 (map2 (+)) sums product)\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_keep_the_rows_that_products_take) {
  BOOST_TEST(most_kept(filling("past[i]"), "10i64 2i64 3i64") == 3);
  BOOST_TEST(most_kept(filling("past[0]"), "10i64 2i64 3i64") == 3);
  BOOST_TEST(most_kept(filling("past[n - 1 - i]"), "9i64 2i64 3i64") == 3);
}

}  // namespace kept_for_steps_tests
