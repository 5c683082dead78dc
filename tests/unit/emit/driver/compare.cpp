#include "emit/driver/compare.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/values/read.hpp"

namespace boustro::driver {
namespace {

std::string compare(const std::string& got, const std::string& expected,
                    Tolerance tolerance = Tolerance::futhark) {
  return difference(values::read_values(got), values::read_values(expected), tolerance);
}

}  // namespace

BOOST_AUTO_TEST_CASE(integers_and_bools_are_exact) {
  BOOST_TEST(compare("1 [true, false]", "1 [true, false]") == "");
  BOOST_TEST(compare("[1, 2, 3]", "[1, 2, 4]") == "value 0 at [2] is 3i32, expected 4i32");
  BOOST_TEST(compare("[[1i8, 2i8], [3i8, 9i8]]", "[[1i8, 2i8], [3i8, 4i8]]") ==
             "value 0 at [1][1] is 9i8, expected 4i8");
}

BOOST_AUTO_TEST_CASE(types_shapes_and_counts_must_agree) {
  BOOST_TEST(compare("1i64", "1") == "value 0 has type i64, expected i32");
  BOOST_TEST(compare("[1, 2]", "[1]") == "value 0 has type [2]i32, expected [1]i32");
  BOOST_TEST(compare("1 2", "1") == "2 values, expected 1");
}

BOOST_AUTO_TEST_CASE(futhark_tolerance_is_one_bound_for_the_array) {
  BOOST_TEST(compare("[1000.0, 1.9]", "[1000.0, 0.0]") == "");
  BOOST_TEST(compare("[1000.0, 2.1]", "[1000.0, 0.0]") ==
             "value 0 at [1] is 2.1f64, expected 0.0f64");
}

BOOST_AUTO_TEST_CASE(strict_tolerance_is_relative_to_the_element) {
  BOOST_TEST(compare("[1000.0, 1.9]", "[1000.0, 0.0]", Tolerance::strict) != "");
  BOOST_TEST(compare("1.00000000001", "1.0", Tolerance::strict) == "");
  BOOST_TEST(compare("1.000000001", "1.0", Tolerance::strict) != "");
  BOOST_TEST(compare("1.000001f32", "1.0f32", Tolerance::strict) == "");
  BOOST_TEST(compare("1.0001f32", "1.0f32", Tolerance::strict) != "");
}

BOOST_AUTO_TEST_CASE(nan_and_infinity) {
  BOOST_TEST(compare("f64.nan", "f64.nan") == "");
  BOOST_TEST(compare("1.0", "f64.nan") != "");
  BOOST_TEST(compare("f64.nan", "1.0") != "");
  BOOST_TEST(compare("f64.inf", "f64.inf", Tolerance::strict) == "");
  BOOST_TEST(compare("-f64.inf", "f64.inf", Tolerance::strict) != "");
  BOOST_TEST(compare("[f64.inf, 1.0]", "[f64.inf, 1.5]", Tolerance::strict) != "");
}

BOOST_AUTO_TEST_CASE(written_digits_may_be_rounded_or_cut_off) {
  const auto strictly = [](const std::string& got, const std::string& expected) {
    return difference(values::read_values(got), values::read_written_values(expected),
                      Tolerance::strict);
  };
  BOOST_TEST(strictly("[3.14159265, 2.0]", "[3.14159, 2.0]") == "");
  BOOST_TEST(strictly("[3.1417, 2.0]", "[3.14159, 2.0]") != "");
  BOOST_TEST(strictly("1.234567e-5", "1.23457e-5") == "");
  BOOST_TEST(strictly("0.142857142857", "0.14285") == "");
  BOOST_TEST(strictly("0.000085540756f32", "0.000086f32") == "");
  BOOST_TEST(strictly("1.234559e-5", "1.23457e-5") != "");
  BOOST_TEST(strictly("2.04", "2.0") != "");
}

}  // namespace boustro::driver
