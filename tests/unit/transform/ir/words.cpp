#include "transform/ir/words.hpp"

#include <boost/test/unit_test.hpp>

#include "transform/ir/builder.hpp"

namespace boustro::ir::words_tests {

BOOST_AUTO_TEST_CASE(an_element_of_an_adjoint_is_one) {
  BOOST_TEST(element_of("weights") == "weight");
  BOOST_TEST(element_of("weights_adj") == "weight_adj");
  BOOST_TEST(element_of("weights_adj_tan") == "weight_adj_tan");
}

BOOST_AUTO_TEST_CASE(an_element_is_called_in_the_singular) {
  BOOST_TEST(singular("terms") == "term");
  BOOST_TEST(singular("biases") == "bias");
  BOOST_TEST(singular("boxes") == "box");
  BOOST_TEST(singular("entries") == "entry");
  BOOST_TEST(singular("xs") == "x");
  BOOST_TEST(singular("xss") == "xs");
}

BOOST_AUTO_TEST_CASE(what_is_no_plural_stays) {
  for (const char* word : {"loss", "radius", "axis", "pos", "gas", "x", "s", "hidden", "series"}) BOOST_TEST(singular(word) == word);
}

BOOST_AUTO_TEST_CASE(many_are_called_in_the_plural) {
  BOOST_TEST(plural("weight") == "weights");
  for (const char* word : {"weight", "bias", "box", "entry", "key", "match", "x"}) BOOST_TEST(singular(plural(word)) == word);
}

BOOST_AUTO_TEST_CASE(an_ending_stands_once) {
  BOOST_TEST(with_ending("state", "_kept") == "state_kept");
  BOOST_TEST(with_ending("state_kept", "_kept") == "state_kept");
}

}  // namespace boustro::ir::words_tests
