#include "emit/plan/polish/signs.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::signs_tests {
namespace {

const Expr x = var("x", PrimType::f64), y = var("y", PrimType::f64), n = var("n", PrimType::i64);

Expr number(double value) { return lit_float(value, PrimType::f64); }

Expr signed_first(const Expr& value) {
  Entry entry;
  entry.body = {Let{.name = "result", .type = value.type, .value = value}};
  give_signs_to_first_factors(entry);
  return *std::get<Let>(entry.body[0].what).value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signs)

BOOST_AUTO_TEST_CASE(products_and_quotients_have_the_sign_of_their_first_factor) {
  BOOST_TEST((signed_first(-(number(2) * x)) == number(-2) * x));
  BOOST_TEST((signed_first(-(number(2) * x * y)) == number(-2) * x * y));
  BOOST_TEST((signed_first(-(number(1) / x)) == number(-1) / x));
  BOOST_TEST((signed_first(-(x / y)) == -x / y));
}

BOOST_AUTO_TEST_CASE(so_it_is_inside_of_expressions) {
  BOOST_TEST((signed_first(y - -(number(2) * x)) == y - number(-2) * x));
  BOOST_TEST((signed_first(-(x * -(number(2) * y))) == -x * (number(-2) * y)));
}

BOOST_AUTO_TEST_CASE(what_is_added_stays_to_be_subtracted) {
  BOOST_TEST((signed_first(y + -(number(2) * x)) == y + -(number(2) * x)));
  Entry entry;
  entry.body = {Assign{.target = y, .value = -(number(2) * x), .op = Op::add}, Assign{.target = y, .value = -(number(2) * x)}};
  give_signs_to_first_factors(entry);
  BOOST_TEST((std::get<Assign>(entry.body[0].what).value == -(number(2) * x)));
  BOOST_TEST((std::get<Assign>(entry.body[1].what).value == number(-2) * x));
}

BOOST_AUTO_TEST_CASE(sums_and_integers_are_left) {
  for (const Expr& value : {-(x + y), -x, -((x + y) * x), -(n * n)}) BOOST_TEST((signed_first(value) == value));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::signs_tests
