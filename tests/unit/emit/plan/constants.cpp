// Numbers that have a name.
#include "emit/plan/formula/constants.hpp"

#include <cmath>

#include <boost/test/unit_test.hpp>

namespace constants_tests {

using boustro::plan::formula::name_of_constant;
using boustro::values::PrimType;
using boustro::values::PrimValue;

namespace {

std::string name(double value, PrimType type = PrimType::f64) { return name_of_constant(PrimValue::of_float(type, value)).value_or("none"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(names_of_constants)

BOOST_AUTO_TEST_CASE(well_known_numbers_have_a_name) {
  BOOST_TEST(name(std::log(2 * std::acos(-1.0))) == "log(2 * pi)");
  BOOST_TEST(name(-0.5 * std::log(2.0)) == "-0.5 * log(2)");
  BOOST_TEST(name(std::sqrt(0.5)) == "1 / sqrt(2)");
  BOOST_TEST(name(std::acos(-1.0) / 180) == "pi / 180");
  BOOST_TEST(name(std::acos(-1.0), PrimType::f32) == "pi");
}

BOOST_AUTO_TEST_CASE(others_have_none) {
  for (const double value : {0.0, 1.0, 2.5, 3.14159265, 0.693147, 1e300, -1e-300, HUGE_VAL, -HUGE_VAL, std::nan("")}) BOOST_TEST(name(value) == "none");
  BOOST_TEST(name(3.14159, PrimType::f32) == "none");
  BOOST_TEST(name(3.140625, PrimType::f16) == "none");
  BOOST_TEST(!name_of_constant(PrimValue::of_int(PrimType::i64, 3)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace constants_tests
