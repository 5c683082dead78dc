// What uniqueness allows; tests/errors has what it forbids.
#include <boost/test/unit_test.hpp>

#include "checking.hpp"

using namespace boustro::check;

namespace {
std::string errors(const std::string& text) { return Checked(text).errors(); }
}  // namespace

BOOST_AUTO_TEST_SUITE(unique)

BOOST_AUTO_TEST_CASE(fresh_values_can_be_consumed) {
  BOOST_TEST(errors("def f (n: i64) = let xs = replicate n 0 let xs[0] = 1 in xs") == "");
  BOOST_TEST(errors("def f (xs: []i32) = let ys = copy xs with [0] = 1 in xs[0] + ys[0]") == "");
}

BOOST_AUTO_TEST_CASE(components_of_tuples_are_separate) {
  BOOST_TEST(errors("def f (a: *[3]i32, b: [3]i32) = (a with [0] = 1, b)") == "");
  BOOST_TEST(errors("def g (xs: *[3]i32) (ys: [3]i32) : (*[3]i32, [3]i32) = (xs, ys)\n"
                    "def f (ys: [3]i32) = let (a, b) = g (copy ys) ys let a[0] = 1 in (a, b, ys)") == "");
}

BOOST_AUTO_TEST_CASE(loops_consume_their_parameters) {
  BOOST_TEST(errors("def f (n: i64) = loop xs = replicate n 0 for i < n do xs with [i] = i") == "");
  BOOST_TEST(errors("def f (n: i64) (xs: *[n]i64) = loop xs for i < n do xs with [i] = i") == "");
}

BOOST_AUTO_TEST_CASE(branches_consume_separately) {
  BOOST_TEST(errors("def f (c: bool) (xs: *[3]i32) =\n"
                    "  if c then xs with [0] = 1 else xs with [1] = 2") == "");
}

BOOST_AUTO_TEST_CASE(a_loop_that_consumes_a_parameter_that_is_not_unique_is_refused) {
  BOOST_TEST(errors("def f (n: i64) (xs: [n]i64) = loop xs for i < n do xs with [i] = i")
                 .find("consumes-parameter") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(inferred_results_are_unique_if_they_share_nothing) {
  BOOST_TEST(errors("def g (xs: []i32) = map (+ 1) xs\ndef f (xs: []i32) = g xs with [0] = 1") == "");
  BOOST_TEST(errors("def g (xs: []i32) = xs[1:]\ndef f (xs: []i32) = g xs with [0] = 1") != "");
}

BOOST_AUTO_TEST_SUITE_END()
