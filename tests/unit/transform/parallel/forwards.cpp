// Nests that go backwards through what they read: transform/parallel/forwards.
#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace forwards_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

int subtractions_in(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    const auto* op = std::get_if<ir::BinOp>(&stm.exp);
    count += op && op->kind == ir::BinOpKind::sub && op->type == values::PrimType::i64 && ir::name_in(op->rhs);
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += subtractions_in(inner); });
  }
  return count;
}

/// How many subtractions of an index from the last one are gone; the program has the same values. Of `xss: [n][m]f64`, `ws: [n]f64` and `k: i64`.
int removed(const std::string& body, const std::string& result, bool stays = false) {
  const std::string text = "entry main [n] [m] (xss: [n][m]f64) (ws: [n]f64) (k: i64) : " + result + " =\n  " + body + "\n";
  const ir::Program before = before_pass("forwards", text, parallel::Machine::gpu);
  const ir::Program after = parallel::number_forwards(before);
  check_verified(after);
  BOOST_TEST((before == after) == stays);
  for (const std::string input : {"[[1.0, 2.0], [4.0, 5.0], [3.0, 7.0]] [2.0, 3.0, 5.0] 1i64", "[[1.5]] [2.0] 0i64", "empty([0][2]f64) empty([0]f64) 0i64"}) {
    const auto args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), input);
  }
  int count = 0;
  for (const ir::Function& function : before.functions) count += subtractions_in(function.body);
  for (const ir::Function& function : after.functions) count -= subtractions_in(function.body);
  return count;
}

void check_stays(const std::string& body, const std::string& result) { BOOST_TEST(removed(body, result, true) == 0); }

/// Rows of ess, the last one first, of which each thread adds up a column.
std::string backwards(const std::string& rows) {
  return "let last = n - 1\n  let ess = tabulate n (\\s -> " + rows + ")\n  in ";
}
const std::string from_end = "let xs = #[unsafe] xss[last - s] in map (\\x -> f64.exp x * f64.sin x) xs";
/// A thread for each column, whose loop goes backwards.
std::string columns(const std::string& step) {
  return "tabulate m (\\j -> loop a = 0 for s < n do let i = last - s in " + step + ")";
}
const std::string read_backwards = "#[unsafe] (a * ws[i] + ess[s, j])";

}  // namespace

BOOST_AUTO_TEST_SUITE(forwards)

BOOST_AUTO_TEST_CASE(what_is_made_and_read_backwards_goes_forwards) { BOOST_TEST(removed(backwards(from_end) + columns(read_backwards), "[m]f64") >= 1); }

BOOST_AUTO_TEST_CASE(and_so_does_what_is_computed_of_it) {
  const std::string sums = "let ts = map (\\es -> f64.sum (map f64.sin es)) ess\n  in ";
  BOOST_TEST(removed(backwards(from_end) + sums + columns("#[unsafe] (a * ws[i] + ess[s, j] * ts[s])"), "[m]f64") >= 1);
}

BOOST_AUTO_TEST_CASE(results_stay_as_they_are) { check_stays(backwards(from_end) + "(ess, " + columns(read_backwards) + ")", "([n][m]f64, [m]f64)"); }

/// It would be read backwards then.
BOOST_AUTO_TEST_CASE(what_is_read_forwards_stays) {
  check_stays(backwards(from_end) + "tabulate m (\\j -> loop a = 0 for s < n do #[unsafe] (a * ws[s] + ess[s, j]))", "[m]f64");
}

BOOST_AUTO_TEST_CASE(what_uses_its_index_otherwise_stays) {
  check_stays(backwards("let xs = #[unsafe] xss[last - s] in map (\\x -> f64.exp x * f64.i64 s) xs") + columns(read_backwards), "[m]f64");
}

/// Points that do not end with the first row.
BOOST_AUTO_TEST_CASE(what_ends_somewhere_else_stays) {
  check_stays("let last = n - 1\n  let most = i64.max 0 last\n  let ess = tabulate most (\\s -> " + from_end + ")\n  in "
              "tabulate m (\\j -> loop a = 0 for s < most do let i = last - s in " + read_backwards + ")", "[m]f64");
}

/// Other numbers are subtracted from, too, and stay what they are.
BOOST_AUTO_TEST_CASE(of_two_numbers_each_is_itself) {
  BOOST_TEST(removed(backwards(from_end) + columns("let left = n - s in #[unsafe] (a * ws[i] + ess[s, j] * f64.i64 left)"), "[m]f64") >= 1);
}

BOOST_AUTO_TEST_CASE(updated_arrays_stay) {
  check_stays(backwards(from_end) + "let ts = " + columns(read_backwards) + "\n  in (ts, scatter (copy ess) [0i64] [ts])", "([m]f64, [n][m]f64)");
}

/// What a return sweep reads of the sweep before.
BOOST_AUTO_TEST_CASE(return_sweeps_of_loops) {
  const std::string f = "\\xss -> let (s, t) = loop (s, t) = (replicate m 0, 0) for i < n do let s = map2 (\\s x -> s * x + f64.sin x) s xss[i] in (s, t + ws[i] * f64.log (2 + f64.sum (map f64.exp s))) in t + f64.sum s";
  BOOST_TEST(removed("vjp (" + f + ") xss 1", "[n][m]f64") >= 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace forwards_tests
