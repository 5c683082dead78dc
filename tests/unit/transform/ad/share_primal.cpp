// Maps of derivatives at one point: the results are those of each seed, and the primal is computed once. Expected values are
// Jacobians made by hand.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

/// f x y = (x * y, sin x): its Jacobian at (2, 3), column by column.
const char* const pair = "def f (x: f64, y: f64) : (f64, f64) = (x * y, f64.sin x)\n";

std::vector<double> elements(const std::vector<Value>& values) {
  std::vector<double> all;
  for (const Value& value : values)
    for (std::int64_t i = 0; i < value.size(); ++i) all.push_back(value.element(i).as_float());
  return all;
}

std::vector<double> results(const std::string& text, const std::vector<Value>& args = {}) {
  return elements(run_entry(differentiated(compiled(text)), "main", args));
}

void check_near(const std::vector<double>& got, const std::vector<double>& expected) {
  BOOST_TEST(got == expected, boost::test_tools::tolerance(1e-14) << boost::test_tools::per_element());
}

/// Operations on five numbers.
int operations_of(const std::string& text) {
  const Program derived = differentiated(compiled(text));
  Counts counts;
  run_entry(derived, "main", {some_f64s(5)}, {.counts = &counts});
  return static_cast<int>(counts.operations);
}

}  // namespace

BOOST_AUTO_TEST_CASE(jacobians_by_seeds) {
  const double c = std::cos(2.0);
  check_near(results(std::string(pair) +
                     "entry main : ([2]f64, [2]f64) = unzip (map (\\s -> jvp f (2, 3) s) [(1, 0), (0, 1)])"),
             {3, 2, c, 0});
  check_near(results(std::string(pair) +
                     "entry main : ([2]f64, [2]f64) = unzip (map (\\s -> vjp f (2, 3) s) [(1, 0), (0, 1)])"),
             {3, c, 2, 0});
  // Seeds made of indices; results that are used further, with primal results and other elements.
  check_near(results(std::string(pair) +
                     "entry main : [2]f64 = map (\\i -> let s = f64.i64 i let ((a, _), (t, u)) = jvp2 f (2, 3) (s, 1 - s)\n"
                     "in a + t * 10 + u + s) (iota 2)"),
             {6 + 20, 6 + 30 + c + 1});
  // One component of the seed is the same for all.
  check_near(results(std::string(pair) + "entry main : [2]f64 = map (\\s -> (jvp f (2, 3) (s, 1)).0) [5, 7]"), {17, 23});
  // Two dimensions of seeds.
  check_near(results(std::string(pair) +
                     "entry main : [2][2]f64 = tabulate_2d 2 2 (\\i j -> (jvp f (2, 3) (f64.i64 i, f64.i64 j)).0)"),
             {0, 2, 3, 5});
  // The second derivative is one of a map of first ones.
  check_near(results("entry main : [2]f64 = map (\\s -> jvp (\\x -> f64.sum (map (\\t -> vjp (\\y -> y * y * y) x t) [1, 2])) 2 s) "
                     "[1, 10]"),
             {36, 360});
}

BOOST_AUTO_TEST_CASE(other_maps_stay) {
  // The point, or the function, differs from element to element.
  check_near(results(std::string(pair) + "entry main : [2]f64 = map (\\x -> (jvp f (x, 3) (1, 0)).0) [5, 7]"), {3, 3});
  check_near(results(std::string(pair) + "entry main : [2]f64 = map (\\x -> (jvp f (x, 3) (x, 0)).0) [5, 7]"), {15, 21});
  check_near(results("entry main : [2]f64 = map (\\a -> jvp (\\x -> a * x * x) 2 a) [1, 3]"), {4, 36});
  // Sizes of seeds differ, where the derivative does not.
  check_near(results(std::string(pair) +
                     "entry main : [3]f64 = map (\\i -> let xs = map f64.i64 (iota i) in (jvp f (2, 3) (f64.sum xs, 0)).0) (iota 3)"),
             {0, 0, 3});
  // Arrays that differ in size are used behind it.
  check_near(results(std::string(pair) +
                     "entry main : [3]f64 = map (\\i -> let xs = map f64.i64 (iota i) in (jvp f (2, 3) (f64.sum xs, 0)).0 + f64.sum xs) (iota 3)"),
             {0, 0, 4});
  // What follows updates in place what stands before.
  check_near(results(std::string(pair) +
                     "entry main : [2][2]f64 = map (\\i -> let s = replicate 2 (f64.i64 i) let (t, _) = jvp f (2, 3) (s[0], s[1])\n"
                     "in s with [0] = t) (iota 2)"),
             {0, 0, 5, 1});
}

// Without seeds, the function is not called, and so does not fail.
BOOST_AUTO_TEST_CASE(no_seeds) {
  const char* const text =
      "entry main [n][k] (xs: [n]f64) (ss: [k]f64) : [k]f64 = let x = xs[2] in map (\\s -> jvp (\\x -> x * xs[3]) x s) ss";
  check_near(results(text, {f64s({1, 2, 3, 4}), f64s({1, 2})}), {4, 8});
  check_near(results(text, {f64s({1, 2, 3}), f64s({})}), {});
}

BOOST_AUTO_TEST_CASE(the_primal_is_computed_once) {
  const auto text = [](const std::string& mode, int seeds) {
    return "def f [n] (xs: [n]f64) : [n]f64 = map (\\x -> f64.exp (f64.sin (f64.sin x))) xs\n"
           "entry main [n] (xs: [n]f64) = map (\\i -> " + mode + " f xs (map (const (f64.i64 i)) xs)) (iota " +
           std::to_string(seeds) + ")";
  };
  for (const char* const mode : {"jvp", "vjp"}) {
    const int one = operations_of(text(mode, 1)), ten = operations_of(text(mode, 10)), twenty = operations_of(text(mode, 20));
    // A seed more costs three products for each element; sines, cosines and exponentials are shared.
    BOOST_TEST(twenty - ten == 10 * 5 * 3);
    BOOST_TEST(ten - one == 9 * 5 * 3);
  }
}

}  // namespace boustro::ad::testing
