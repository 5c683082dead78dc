#include "emit/plan/planner/quotation.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::plan::planner {

BOOST_AUTO_TEST_CASE(quotation_ends_with_a_word) {
  BOOST_TEST(quotation("loop (state, total) = (copy start, 0)\n  for i < t - 1 do let\n next = f state") ==
             "loop (state, total) = (copy start, 0) for i < t - 1 do ...");
  const std::string whole = "scan (+) 0 (map2 (\\x y -> x * y) the_first_ones the_others_)";
  BOOST_REQUIRE(whole.size() == 60);
  BOOST_TEST(quotation(whole) == whole);
  BOOST_TEST(quotation(whole + "s") == "scan (+) 0 (map2 (\\x y -> x * y) the_first_ones ...");
  BOOST_TEST(quotation(whole, 40) == "scan (+) 0 (map2 (\\x y -> x * y) ...");
  BOOST_TEST(quotation(std::string(61, 'x')) == std::string(56, 'x') + " ...");
}

BOOST_AUTO_TEST_CASE(quotation_has_no_parentheses_around_all_of_it) {
  BOOST_TEST(quotation("(map2 (grow steps) rs y0s)") == "map2 (grow steps) rs y0s");
  BOOST_TEST(quotation("( f\n x )") == "f x");
  BOOST_TEST(quotation("(f (g, h)[0, 1] {a, b})") == "f (g, h)[0, 1] {a, b}");
}

BOOST_AUTO_TEST_CASE(quotation_keeps_parentheses_that_mean_something) {
  for (const std::string text : {"(a + b) * (c + d)", "(x, y)", "()", "(+)", "(x +)", "(+ x)", "(x `f`)", "(.part)",
                                 "(f ')') + (g '(')", "(f \")\") + (g \"(\")"})
    BOOST_TEST(quotation(text) == text);
}

}  // namespace boustro::plan::planner
