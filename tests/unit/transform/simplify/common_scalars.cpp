// Calls that become calls of one function, and branches that keep what later ones compute again.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/branch_values.hpp"
#include "transform/simplify/join_calls.hpp"
#include "transform/simplify/simplify.hpp"

namespace common_scalars_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(std::move(*program));
}

const std::vector<Arguments> runs = {
    {f64_value(3), f64_value(4)}, {f64_value(0), f64_value(2)}, {f64_value(-2), f64_value(0)}};

Program joined(const Program& program) {
  return after(
      [](Program p) {
        simplify::join_calls(p);
        check_verified(p);
        return simplify::simplify(std::move(p));
      },
      program, runs);
}

Program shared(const Program& program) {
  return after(
      [](Program p) {
        simplify::share_branch_values(p);
        check_verified(p);
        return simplify::simplify(std::move(p));
      },
      program, runs);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(joined_calls)

/// f and g, which begin alike, and a use of each that shares nothing with others, so that they stay functions.
Program calling(const std::string& body, const std::string& attributes = "") {
  const std::string begin =
      "let s = f64.sin (x + 1) let c = f64.cos s "
      "let t = if x < 1 then f64.exp c + 1 else f64.log (2 + c * c) let u = t * t ";
  return program_of(
      attributes + "def f (x: f64) (y: f64) : f64 = " + begin +
      "in u * t * y * 3 + (t - y) * (u + y) * t + s * y + u\n" + attributes +
      "def g (x: f64) (z: f64) (y: f64) : f64 = " + begin + "in t - z * y * u + (t + z) * (u - z) * y + s * z - t\n" +
      "def h (x: f64) : f64 = "
      "let s = f64.sin x * f64.cos x in s * s + (s - x) * (s + 2) * (s + x) * x - s * x * s + x\n" +
      "entry main (x: f64) (y: f64) = " + body);
}

std::size_t helpers(const Program& program) { return program.functions.size() - 1; }

BOOST_AUTO_TEST_CASE(functions_that_begin_alike_become_one) {
  const Program program = calling("f x y + g x (y + 1) y + f y 2 * g y (x * x) x - h x * h y");
  BOOST_REQUIRE(helpers(program) == 3);
  BOOST_REQUIRE(count<MathOp>(program) == 10);
  const Program result = joined(program);
  BOOST_TEST(helpers(result) == 3);  // one of x, y + 1 and y, one of y, 2, x * x and x, and h
  BOOST_TEST(count<Call>(result) == 4);
  BOOST_TEST(count<MathOp>(result) == 10);
}

BOOST_AUTO_TEST_CASE(equal_pairs_of_calls_share_a_function) {
  const Program result = joined(calling("f x y + g x (x + y) y + f y x * g y (x * y) x"));
  BOOST_TEST(helpers(result) == 1);
  BOOST_TEST(count<Call>(result) == 2);
  BOOST_TEST(count<MathOp>(result) == 4);
}

BOOST_AUTO_TEST_CASE(three_calls_become_one) {
  const Program result = joined(calling("f x y + f x (y + 1) * g x y 2"));
  BOOST_TEST(count<Call>(result) == 1);
  BOOST_TEST(count<MathOp>(result) == 4);
}

BOOST_AUTO_TEST_CASE(other_calls_stay) {
  for (const char* body : {"f x y + g y (x + 1) x",           // of different numbers
                           "let a = f x y in g x a y + h y",   // one after the other
                           "h x + h y"}) {
    const Program program = calling(body);
    BOOST_TEST(count<Call>(joined(program)) == count<Call>(program), body);
  }
  const Program program = calling("f x y + g x (x + y) y + f y x", "#[noinline] ");
  BOOST_TEST(count<Call>(joined(program)) == count<Call>(program));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(branch_values)

Program branching(const std::string& yes, const std::string& no, const std::string& condition = "c") {
  return program_of(
      "entry main (x: f64) (y: f64) = let c = x < 1 "
      "let a = if c then (let s = f64.sin (x + y) let e = f64.exp s in s + e * f64.tan s) "
      "else (let q = f64.log (y * y + 2) let r = f64.sqrt q in q / r) "
      "let b = f64.cos a in if " + condition + " then (" + yes + ") else (" + no + ")");
}

BOOST_AUTO_TEST_CASE(what_a_branch_has_computed_is_kept) {
  const Program program = branching("let s = f64.sin (x + y) let e = f64.exp s in s * e * b * f64.tan s", "b");
  const Program result = shared(program);
  BOOST_TEST(count<MathOp>(result) == count<MathOp>(program) - 3);
}

BOOST_AUTO_TEST_CASE(both_sides_keep_their_own) {
  const Program program = branching("let e = f64.exp (f64.sin (y + x)) in e * b * f64.tan (f64.sin (x + y))",
                                    "b - f64.sqrt (f64.log (y * y + 2))");
  BOOST_TEST(count<MathOp>(shared(program)) == count<MathOp>(program) - 3);  // log and sqrt take no longer than a load
}

BOOST_AUTO_TEST_CASE(other_branches_stay) {
  const std::string again = "f64.exp (f64.sin (x + y)) * b * f64.tan (f64.sin (x + y))";
  const std::string of_another = "f64.exp (f64.sin (x - y)) * b * f64.tan (f64.sin (x - y))";
  for (const Program& program : {branching(again, "b", "y < 1"),    // on another condition
                                 branching("b", again),             // on the other side
                                 branching(of_another, "b"),        // of another number
                                 branching("b * (x + y)", "b")})    // soon computed
    BOOST_TEST(statements(shared(program)) == statements(program));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace common_scalars_tests
