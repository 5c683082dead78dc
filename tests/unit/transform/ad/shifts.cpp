#include "transform/ad/shifts.hpp"

#include <cmath>

#include "tests/unit/transform/ad/rule_cases.hpp"
#include "transform/simplify/simplify.hpp"

namespace boustro::ad::testing::shifts_tests {
namespace {

/// Largest and smallest elements in the entry f, and how many of them cancel.
std::size_t cancelling(const std::string& text, bool simplified = false) {
  const Program program = simplified ? simplify::simplify(compiled(text)) : compiled(text);
  for (const Function& function : program.functions)
    if (function.entry && function.entry->name == "f") return cancelling_shifts(function.body).size();
  return 0;
}

void check_vector(const std::string& text) { check_sizes(text, {1, 2, 7}); }

std::string of_vector(const std::string& body) { return "entry f [n] (xs: [n]f64): f64 = let m = f64.maximum xs in " + body; }

const std::string sum = "f64.sum (map (\\x -> f64.exp (x - m)) xs)";

/// One shift cancels, and derivatives are right.
void cancels(const std::string& text) {
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(cancelling(text) == 1u);
    check_vector(text);
  }
}
/// None does, and derivatives are right.
void matters(const std::string& text) {
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(cancelling(text) == 0u);
    check_vector(text);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shifts)

BOOST_AUTO_TEST_CASE(log_of_sums_of_exponentials) {
  cancels(of_vector("m + f64.log (" + sum + ")"));
  cancels(of_vector("f64.log (" + sum + ") + m"));
  cancels(of_vector("f64.log (" + sum + ") - (-m)"));
  cancels(of_vector("3 * (m + f64.log (" + sum + "))"));
  // What has nothing to do with it does not matter.
  cancels(of_vector("let y = m + f64.log (" + sum + ") in y + f64.cos y + f64.sum (map f64.sin (map (+ y) xs))"));
  // ... of their inverse and of their opposite.
  cancels(of_vector("m - f64.log (1 / " + sum + ")"));
  cancels(of_vector("m + f64.log (f64.abs (-(" + sum + ")))"));
  cancels("entry f [n] (xs: [n]f64): f64 = let m = f64.minimum xs in m - f64.log (f64.sum (map (\\x -> f64.exp (m - x)) xs))");
}

BOOST_AUTO_TEST_CASE(softmax) {
  const std::string weights = "let ys = map (\\x -> f64.exp (x - m)) xs let s = f64.sum ys in ";
  cancels("entry f [n] (xs: [n]f64): [n]f64 = let m = f64.maximum xs " + weights + "map (/ s) ys");
  cancels("entry f [n] (xs: [n]f64): [n]f64 = let m = f64.maximum xs " + weights + "map (\\x -> x - m - f64.log s) xs");
  // Weighted sums, as of attention: the shift is that of the numerator and of the denominator.
  cancels(of_vector(weights + "f64.sum (map2 (*) ys xs) / s"));
  // The largest of an empty array is a literal once it has been simplified.
  BOOST_TEST(cancelling(of_vector(weights + "f64.maximum ys / s"), true) == 1u);
  BOOST_TEST(cancelling(of_vector(weights + "reduce f64.max 7 ys / s"), true) == 0u);
  cancels(of_vector(weights + "ys[0] / (scan (+) 0 ys)[n - 1]"));
}

BOOST_AUTO_TEST_CASE(in_loops_and_branches) {
  cancels(of_vector("m + f64.log (loop s = 0 for x in xs do s + f64.exp (x - m))"));
  cancels(of_vector("m + f64.log (f64.sum (map (\\x -> if x < 0 then f64.exp (x - m) else 2 * f64.exp (x - m)) xs))"));
  cancels(of_vector("if m < 0 then m + f64.log (" + sum + ") else 2 * (m + f64.log (" + sum + "))"));
  cancels(of_vector("m + f64.log (f64.sum (map (\\x -> if x == m then 0 else f64.exp (x - m)) xs) + f64.exp (xs[0] - m))"));
  cancels(of_vector("m + f64.log (f64.sum (loop ys = replicate n 0 for i < n do copy ys with [i] = f64.exp (xs[i] - m)))"));
}

BOOST_AUTO_TEST_CASE(of_two_numbers) {
  const std::string text = "entry f (x: f64) (y: f64): f64 = let m = f64.max x y in m + f64.log (f64.exp (x - m) + f64.exp (y - m))";
  BOOST_TEST(cancelling(text) == 1u);
  check(text, {f64_value(0.7), f64_value(-0.3)});
  check(text, {f64_value(-0.7), f64_value(0.3)});
}

BOOST_AUTO_TEST_CASE(of_each_row) {
  const std::string text =
      "entry f [n] [m] (xss: [n][m]f64): f64 =\n"
      "  f64.sum (map (\\xs -> let m = f64.maximum xs in m + f64.log (" + sum + ")) xss)";
  BOOST_TEST(cancelling(text) == 1u);
  check(text, {matrix(3, 4)});
  check(text, {matrix(1, 1)});
}

BOOST_AUTO_TEST_CASE(what_leaves_the_scope_with_the_shift_matters) {
  matters(of_vector("m + 2 * f64.log (" + sum + ")"));
  matters(of_vector("f64.log (" + sum + ")"));
  matters(of_vector(sum));
  matters(of_vector("m - f64.log (" + sum + ")"));
  matters(of_vector("m * f64.log (" + sum + ")"));
  matters(of_vector("m + f64.log (1 + " + sum + ")"));
  matters(of_vector("m + f64.log (" + sum + " + f64.exp m)"));
  matters(of_vector("m + f64.log (f64.sum (map (\\x -> f64.exp (x - 2 * m)) xs))"));
  matters(of_vector("m + f64.sqrt (" + sum + ")"));
  matters(of_vector("m + f64.log (f64.exp (" + sum + "))"));
  matters(of_vector("f64.log (" + sum + ") + (-m)"));
  matters(of_vector("f64.log (" + sum + ") + f64.abs m"));
  matters(of_vector("f64.exp (f64.log (m + 10) - m)"));
  matters(of_vector("m + m + f64.log (f64.sum [f64.exp (xs[0] - m), f64.exp (xs[0] - m - m)])"));
  matters(of_vector("m + m + f64.log (f64.sum (map (\\x -> f64.exp (x - m)) xs with [0] = f64.exp (xs[0] - m - m)))"));
  matters(of_vector("f64.sum (scatter (replicate n 0) (iota n) (map (\\x -> f64.exp (x - m)) xs))"));
  matters(of_vector("(loop (a, b) = (0, 0) for x in xs do (b, f64.exp (x - m))).0"));
  matters(of_vector("m + f64.log (f64.sum (map (\\x -> 1 + f64.exp (x - m)) xs))"));
  matters(of_vector("m + f64.log (f64.sum (map (\\x -> if x < 0 then f64.exp (x - m) else 2) xs))"));
  matters(of_vector("m + f64.log (loop s = 1 for x in xs do s + f64.exp (x - m))"));
  matters(of_vector("m + f64.log (reduce (\\a b -> a * b) 1 (map (\\x -> f64.exp (x - m)) xs))"));
  matters("entry f [n] (xs: [n]f64): (f64, f64) = let m = f64.maximum xs in (m + f64.log (" + sum + "), m)");
}

BOOST_AUTO_TEST_CASE(operators_that_make_something_else_matter) {
  BOOST_TEST(cancelling(of_vector("m + f64.log (reduce (+) 1 (map (\\x -> f64.exp (x - m)) xs))")) == 0u);
  BOOST_TEST(cancelling(of_vector("m + m + f64.log (reduce (*) 0 (map (\\x -> f64.exp (x - m)) xs))")) == 0u);
}

BOOST_AUTO_TEST_CASE(derivatives_of_derivatives) {
  const std::string g = "def g [n] (xs: [n]f64): f64 = let m = f64.maximum xs in m + f64.log (" + sum + ")\n";
  for (const char* f : {"vjp g xs 1", "map (+ f64.maximum xs) (vjp g xs 1)", "map (* g (vjp g xs 1)) xs"})
    for (const std::int64_t n : {1, 2, 7})
      BOOST_TEST_CONTEXT(f << ", size " << n) {
        check_derivative(differentiated(compiled(g + "entry f [n] (xs: [n]f64): [n]f64 = " + f)), "f", {some_f64s(n)});
      }
}

/// ... which is what is left of the derivative: nothing is added to the largest element that would have to be zero.
BOOST_AUTO_TEST_CASE(the_derivative_is_softmax_to_the_last_bit) {
  const Program program = differentiated(compiled(
      "def g [n] (xs: [n]f64): f64 = let m = f64.maximum xs in m + f64.log (" + sum + ")\n"
      "entry f [n] (xs: [n]f64): [n]f64 = vjp g xs 1"));
  const Value adjoint = run_entry(program, "f", {f64s({0.1, 0.7, -0.4, 0.3})}).at(0);
  double total = 0;
  for (const double x : {0.1, 0.7, -0.4, 0.3}) total += std::exp(x - 0.7);
  const double weight = 1 / total;
  std::int64_t i = 0;
  for (const double x : {0.1, 0.7, -0.4, 0.3}) BOOST_TEST(adjoint.element(i++).as_float() == weight * std::exp(x - 0.7));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::ad::testing::shifts_tests
