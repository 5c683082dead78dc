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

BOOST_AUTO_TEST_CASE(fields_of_a_record_are_consumed_one_by_one) {
  BOOST_TEST(errors("def f (x: *([3]i32, [3]i32)) = (x with 0[0] = 0) with 1[0] = 0") == "");
  BOOST_TEST(errors("def f (x: *([3]i32, [3]i32)) = let y = x.0 with [0] = 1 in (y, x.0[1])").find("use-after-consumption") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(parts_of_a_result_may_share_memory_unless_said_otherwise) {
  const std::string twice = "def twice (n: i64) : ([n]i64, [n]i64) = let a = iota n in (a, a)\n";
  BOOST_TEST(errors(twice + "def f n = let (a, b) = twice n let a[0] = 1 in (a, b)") != "");
  BOOST_TEST(errors("def two (n: i64) = (iota n, iota n)\ndef f n = let (a, b) = two n let a[0] = 1 in (a, b)") == "");
}

BOOST_AUTO_TEST_CASE(what_a_loop_consumes_is_not_used_in_it) {
  BOOST_TEST(errors("def f [n] (xs: *[n]i64) = loop ys = xs for i < n do ys with [i] = xs[i]").find("use-after-consumption") !=
             std::string::npos);
  BOOST_TEST(errors("def f [n] (xs: *[n]i64) = loop ys = copy xs for i < n do ys with [i] = xs[i]") == "");
}

BOOST_AUTO_TEST_CASE(indices_are_evaluated_before_the_new_value) {
  BOOST_TEST(errors("def take_first (xs: *[]i64) : i64 = xs[0]\n"
                    "def f (xs: *[]i64) (ys: *[]i64) = ys with [xs[1]] = take_first xs") == "");
}

BOOST_AUTO_TEST_SUITE_END()
