#include "transform/ir/unnamed.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::ir::unnamed_tests {
namespace {

const Atom x = Name{"x", 1}, y = Name{"y", 2};
const Exp product = BinOp{BinOpKind::mul, PrimType::f64, x, y};
const Exp call = Call{Name{"f", 3}, {x}};
const Exp element = Index{Name{"xs", 4}, {x}};

}  // namespace

BOOST_AUTO_TEST_CASE(what_says_how_a_value_is_computed_is_no_name_for_it) {
  BOOST_TEST(is_unnamed(product, "product"));
  BOOST_TEST(is_unnamed(product, "term"));
  BOOST_TEST(is_unnamed(call, "result"));
  BOOST_TEST(is_unnamed(product, ""));
}

BOOST_AUTO_TEST_CASE(nor_is_that_of_its_derivative) {
  BOOST_TEST(is_unnamed(call, "product_adj"));
  BOOST_TEST(is_unnamed(call, "sum_tan_adj"));
  BOOST_TEST(!is_unnamed(call, "forget_adj"));
}

BOOST_AUTO_TEST_CASE(names_of_operations_are_those_of_operators_and_of_terms) {
  for (const char* name : {"product", "sum_adj", "neg", "abs_tan_adj", "term", "result"}) BOOST_TEST(names_an_operation(name), name);
  for (const char* name : {"total", "total_adj", "forget", "x", ""}) BOOST_TEST(!names_an_operation(name), name);
  BOOST_TEST(is_unnamed(call, "total_adj"));
}

BOOST_AUTO_TEST_CASE(words_of_the_source_are_names) {
  for (const char* word : {"forget", "x", "products", "product_of_rows"}) BOOST_TEST(!is_unnamed(product, word));
  BOOST_TEST(!is_unnamed(element, "weight"));
}

BOOST_AUTO_TEST_CASE(an_element_has_the_letter_of_a_parameter) {
  BOOST_TEST(is_unnamed(element, "x"));
  BOOST_TEST(is_unnamed(element, "y_adj"));
}

}  // namespace boustro::ir::unnamed_tests
