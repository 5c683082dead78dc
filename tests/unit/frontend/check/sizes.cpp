#include <boost/test/unit_test.hpp>

#include "checking.hpp"

using namespace boustro::check;

BOOST_AUTO_TEST_SUITE(sizes)

BOOST_AUTO_TEST_CASE(arguments_become_sizes) {
  BOOST_TEST(type_of_f("def f (n: i64) = iota n") == "i64 -> *[n]i64");
  BOOST_TEST(type_of_f("def f (n: i64) = replicate (n + 1) true") == "i64 -> *[n + 1]bool");
  BOOST_TEST(type_of_f("def f (n: i64) = let m = 2 * n in iota m") == "i64 -> *[2 * n]i64");
}

BOOST_AUTO_TEST_CASE(other_arguments_make_existential_sizes) {
  BOOST_TEST(type_of_f("def f (ns: [3]i64) = iota (if ns[0] < 0 then 0 else ns[0])") ==
             "[3]i64 -> ?[n].*[n]i64");
  BOOST_TEST(type_of_f("def f (xs: []f64) = filter (> 0) xs") == "[d0] [d0]f64 -> ?[k].*[k]f64");
}

BOOST_AUTO_TEST_CASE(open_sizes_become_parameters) {
  BOOST_TEST(type_of_f("def f (xs: []f64) (ys: []f64) = map2 (*) xs ys") ==
             "[d0] [d0]f64 -> [d0]f64 -> *[d0]f64");
  BOOST_TEST(type_of_f("def f xss = map f64.sum (transpose xss)") ==
             "[n] [n1] [n][n1]f64 -> *[n1]f64");
}

BOOST_AUTO_TEST_CASE(arithmetic) {
  BOOST_TEST(type_of_f("def f [n] [m] (xs: [n]i32) (ys: [m]i32) = concat xs ys") ==
             "[n] [m] [n]i32 -> [m]i32 -> *[n + m]i32");
  BOOST_TEST(type_of_f("def f [n] [m] (xss: [n][m]i32) : [n][m]i32 = unflatten (flatten xss)") ==
             "[n] [m] [n][m]i32 -> [n][m]i32");
  BOOST_TEST(type_of_f("def f (xs: [12]i32) : [3][4]i32 = unflatten (xs :> [3 * 4]i32)") ==
             "[12]i32 -> [3][4]i32");
  BOOST_TEST(type_of_f("def f (xs: [2 + 3]i32) : [5]i32 = xs") == "[2 + 3]i32 -> [5]i32");
}

BOOST_AUTO_TEST_CASE(slices_and_ranges) {
  BOOST_TEST(type_of_f("def f [n] (xs: [n]i32) = (xs[:2], xs[1:], xs[::-1])") ==
             "[n] [n]i32 -> ([2]i32, [n - 1]i32, [n]i32)");
  BOOST_TEST(type_of_f("def f [n] (xs: [n]i32) = xs[::2]") == "[n] [n]i32 -> ?[d].[d]i32");
  BOOST_TEST(type_of_f("def f (n: i64) : [n]i64 = 1...n") == "i64 -> [n]i64");
  BOOST_TEST(type_of_f("def f (n: i64) : [n]i64 = 0..1..<n") == "i64 -> [n]i64");
}

BOOST_AUTO_TEST_CASE(branches_of_different_sizes) {
  BOOST_TEST(type_of_f("def f (c: bool) = if c then [1, 2] else [3]") == "bool -> ?[d].*[d]i32");
  BOOST_TEST(type_of_f("def f (c: bool) = if c then [1, 2] else [3, 4]") == "bool -> *[2]i32");
}

BOOST_AUTO_TEST_CASE(loops_keep_the_sizes_that_their_body_keeps) {
  BOOST_TEST(
      type_of_f("def f [n] (xs: [n]f64) : [n]f64 = loop ys = xs for i < 3 do map (* 2) ys") ==
      "[n] [n]f64 -> [n]f64");
  BOOST_TEST(type_of_f("def f (k: i32) = loop xs = [1] for i < k do xs ++ xs").find("?[d") !=
             std::string::npos);
  BOOST_TEST(type_of_f("def f [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64) =\n"
                       "  loop (a, b) = (xs, ys) for i < 3 do (b, a)") ==
             "[n] [n]f64 -> [n]f64 -> ([n]f64, [n]f64)");
}

BOOST_AUTO_TEST_CASE(patterns_name_sizes) {
  BOOST_TEST(type_of_f("def f (xs: []i32) = let [k] (ys: [k]i32) = filter (> 0) xs in k") ==
             "[d0] [d0]i32 -> i64");
}

BOOST_AUTO_TEST_CASE(existential_results_are_opened_at_each_call) {
  BOOST_TEST(
      type_of_f("def f (n: i64) : ?[k].([k]i64, [k]bool) =\n"
                "  let k = (if n < 9 then n else 9) in (iota k, replicate k true)\n"
                "def g (n: i64) = let (a, b) = f n in map2 (\\x y -> if y then x else 0) a b") ==
      "i64 -> ?[k].([k]i64, [k]bool)");
}

BOOST_AUTO_TEST_CASE(sizes_are_equal_by_the_laws_of_arithmetic) {
  BOOST_TEST(
      type_of_f("def f [n] [m] (xs: [n * (m + 1)]i32) : [n + m * n]i32 = xs").find("error") ==
      std::string::npos);
  BOOST_TEST(type_of_f("def f [n] (xs: [n + 1 - 1]i32) : [n]i32 = xs").find("error") ==
             std::string::npos);
  BOOST_TEST(type_of_f("def f [n] (xs: [n / 2 * 2]i32) : [n]i32 = xs").find("type-mismatch") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(declared_results_have_the_sizes_of_their_bodies) {
  BOOST_TEST(type_of_f("def f [n] (xs: [n]i32) : []i32 = map (+ 1) xs") == "[n] [n]i32 -> [n]i32");
}

BOOST_AUTO_TEST_CASE(lifted_types_have_sizes_that_differ_from_call_to_call) {
  BOOST_TEST(
      type_of_f("def apply '^a '~b (g: a -> b) (x: a) : b = g x\ndef f (n: i64) = apply iota n") ==
      "i64 -> ?[n].*[n]i64");
  BOOST_TEST(
      type_of_f("def apply '^a 'b (g: a -> b) (x: a) : b = g x\ndef f (n: i64) = apply iota n")
          .find("type-mismatch") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_outer_size_is_no_inner_name) {
  BOOST_TEST(type_of_f("def f xs = let n = length (filter (> 0) xs) in zip (iota n) xs")
                 .find("type-mismatch") != std::string::npos);
  BOOST_TEST(type_of_f("def f xs n = zip xs (iota n)").find("type-mismatch") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
