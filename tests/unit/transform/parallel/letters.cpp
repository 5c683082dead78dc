// What indices are called.
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace letters_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

/// The letters of each nest, outer ones first: "i(j) j ".
std::string letters_in(const Body& body) {
  std::string result;
  for (const Stm& stm : body.stms) {
    std::string inside;
    for_each_body(stm.exp, [&](const Body& inner) { inside += letters_in(inner); });
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest) {
      result += inside;
      continue;
    }
    for (std::size_t d = 0; d < nest->space.size(); ++d) result += nest->point.params[nest->accumulators.size() + d].name.base;
    result += inside.empty() ? " " : "(" + inside.substr(0, inside.size() - 1) + ") ";
  }
  return result;
}

std::string letters(const std::string& text) {
  return letters_in(parallel::letter_indices(before_pass("letters", text)).functions.back().body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(letters_of_indices)

BOOST_AUTO_TEST_CASE(each_size_has_its_letter_everywhere) {
  BOOST_TEST(letters("entry main [n] [k] (xs: [n][k]f64) (ys: [k]f64) = (map f64.sum xs, map (+ 1) ys, map (\\x -> f64.sum (map2 (*) x ys)) xs)") == "i(j) j i(j) ");
  BOOST_TEST(letters("entry main [n] [k] (xs: [n]f64) (ys: [k]f64) = map (\\y -> f64.sum (map (* y) xs)) ys") == "i(j) ");
}

BOOST_AUTO_TEST_CASE(what_nests_begin_with_comes_first) {
  BOOST_TEST(letters("entry main [k] [n] (xs: [n][k]f64) = map f64.sum xs") == "i(j) ");
  BOOST_TEST(letters("entry main [k] (m: i64) (xs: [k]f64) = tabulate m (\\i -> f64.sum (map (* f64.i64 i) xs))") == "i(j) ");
}

BOOST_AUTO_TEST_CASE(sizes_without_indices_have_no_letter) {
  BOOST_TEST(letters("entry main [n] [k] (xs: [n]f64) (ys: [k]f64) = map (* f64.i64 n) ys") == "i ");
}

BOOST_AUTO_TEST_CASE(an_index_inside_of_one_of_the_same_size_has_another_letter) {
  BOOST_TEST(letters("entry main [n] (xs: [n]f64) = map (\\x -> f64.sum (map (* x) xs)) xs") == "i(j) ");
}

BOOST_AUTO_TEST_CASE(letters_that_mean_something_else_are_left_out) {
  BOOST_TEST(letters("entry main [n] [k] [m] [p] (xs: [n]f64) (ys: [k]f64) (zs: [m]f64) (ws: [p]f64) (t: f64) = (map (+ t) xs, map (* t) ys, map (t -) zs, map (t +) ws)") == "i j l s ");
}

BOOST_AUTO_TEST_CASE(loops_keep_the_letter_that_the_program_has) {
  BOOST_TEST(letters("entry main [n] [k] (xs: [n][k]f64) = loop ys = replicate k 0 for i < n do map2 (\\y x -> y * y + x) ys xs[i]") == "j ");
}

BOOST_AUTO_TEST_CASE(a_loop_inside_of_another_has_another_letter) {
  BOOST_TEST(letters("entry main [k] (n: i64) (xs: [k]f64) = loop ys = replicate n 0f64 for i < k do loop ys for i < n do map (\\y -> y * f64.i64 i + xs[0]) ys") == "j ");
}

BOOST_AUTO_TEST_CASE(sizes_that_are_not_negative_are_sizes) {
  BOOST_TEST(letters("entry main [n] (xs: [n]f64) (m: i64) = (map (+ 1) xs, tabulate (i64.max m 0) f64.i64, loop y = 0 for t < m do y * y + 1)") == "i t ");
}

BOOST_AUTO_TEST_CASE(sizes_that_only_a_point_knows_own_no_letter) {
  BOOST_TEST(letters("entry main [n] [k] (ns: [n]i64) (xs: [k]f64) = (map (\\n -> f64.sum (tabulate (n * n) (\\i -> f64.i64 i))) ns, map (+ 1) xs, map (\\n -> f64.sum (tabulate (n + 3) (\\i -> f64.i64 i))) ns)") == "i(j) j i(j) ");
}

BOOST_AUTO_TEST_CASE(the_parameter_of_a_conversion_is_no_letter_of_the_program) {
  BOOST_TEST(letters("entry main (n: i64) = map f64.i64 (iota n)") == "i ");
  BOOST_TEST(letters("entry main (n: i64) (m: i64) = (map (\\y -> y * y) (iota n), map (\\x -> 2 * x) (iota m))") == "y x ");
}

BOOST_AUTO_TEST_CASE(what_is_converted_goes_with_its_index) {
  const Program program = parallel::letter_indices(before_pass("letters", "entry main (n: i64) = let xs = map f64.i64 (iota n) in map2 (*) xs xs"));
  std::string names;
  std::function<void(const Body&)> look = [&](const Body& body) {
    for (const Stm& stm : body.stms) {
      if (std::holds_alternative<Convert>(stm.exp)) names += stm.pattern[0].name.base + " ";
      for_each_body(stm.exp, look);
    }
  };
  look(program.functions.back().body);
  BOOST_TEST(names == "i_real ");
}

BOOST_AUTO_TEST_CASE(names_of_the_program_stay) {
  BOOST_TEST(letters("entry main [n] [k] (xs: [n]f64) (ys: [k]f64) = (map (\\row -> xs[row / 2] * f64.i64 row) (iota n), map (+ 1) ys)") == "row j ");
}

BOOST_AUTO_TEST_CASE(there_may_be_more_sizes_than_letters) {
  std::string sizes, params, results;
  for (int k = 0; k < 12; ++k) {
    const std::string number = std::to_string(k);
    sizes += "[n" + number + "] ";
    params += "(xs" + number + ": [n" + number + "]f64) ";
    results += (k == 0 ? "map (+ 1) xs" : ", map (+ 1) xs") + number;
  }
  BOOST_TEST(letters("entry main " + sizes + params + "= (" + results + ")") == "i j t l s u r q v i i i ");
}

BOOST_AUTO_TEST_CASE(values_stay) {
  const Program program = before_pass("letters", "entry main [n] [k] (xs: [n]i64) (ys: [k]i64) = (map (\\x -> i64.sum (map (* x) ys)) xs, map (+ 1) ys)");
  after(parallel::letter_indices, program, {{i64s({1, 2, 3}), i64s({5, 6})}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace letters_tests
