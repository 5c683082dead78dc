#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "frontend/values/read.hpp"
#include "frontend/values/write.hpp"

namespace boustro::values {
namespace {

/// What the text reads as, written again.
std::string rewritten(std::string_view text) {
  std::string out;
  for (const Value& value : read_values(text)) out += (out.empty() ? "" : " ") + to_text(value);
  return out;
}

std::string error_of(std::string_view text) {
  try {
    read_values(text);
    return "";
  } catch (const ReadError& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(text_scalars) {
  BOOST_TEST(rewritten("1 -2i8 0xffu8 0b101i64 1_000 +3") == "1i32 -2i8 255u8 5i64 1000i32 3i32");
  BOOST_TEST(rewritten("1.5 1e3f32 2f64 0x1.8p1f32 true false") == "1.5f64 1000.0f32 2.0f64 3.0f32 true false");
  BOOST_TEST(rewritten("f32.nan -f64.inf f16.inf") == "f32.nan -f64.inf f16.inf");
  BOOST_TEST(rewritten("-9223372036854775808i64 0xffffffffi32") == "-9223372036854775808i64 -1i32");
}

BOOST_AUTO_TEST_CASE(integers_wrap_around) {
  BOOST_TEST(rewritten("300u8 128i8 255i8 -1u16 32767u8") == "44u8 -128i8 -1i8 65535u16 255u8");
  BOOST_TEST(rewritten("18446744073709551615i64 4294967295i32") == "-1i64 -1i32");
}

BOOST_AUTO_TEST_CASE(text_arrays) {
  BOOST_TEST(rewritten("[1, 2,\n--comment\n 3,]") == "[1i32, 2i32, 3i32]");
  BOOST_TEST(rewritten("[[1.0, 2.0], [3.0, 4.0]] 7i64") == "[[1.0f64, 2.0f64], [3.0f64, 4.0f64]] 7i64");
  BOOST_TEST(rewritten("[0xd4u8, 0x1d] [[1.0f32], [2]]") == "[212u8, 29u8] [[1.0f32], [2.0f32]]");
  BOOST_TEST(rewritten("empty([0][3]i32) [empty([0]f32)]") == "empty([0][3]i32) empty([1][0]f32)");
  BOOST_TEST(rewritten(R"("ab\n" ["x", "y"])") == "[97u8, 98u8, 10u8] [[120u8], [121u8]]");
}

BOOST_AUTO_TEST_CASE(text_errors_say_what_is_wrong) {
  BOOST_TEST(error_of("[1, [2]]") == "elements of an array differ in type");
  BOOST_TEST(error_of("[[1], [2, 3]]") == "array is not regular: its rows differ in size");
  BOOST_TEST(error_of("foo") == "`foo` is no value, or out of the range of 64 bits");
  BOOST_TEST(error_of("18446744073709551616u64") ==
             "`18446744073709551616u64` is no value, or out of the range of 64 bits");
  BOOST_TEST(error_of("[1, 2") == "expected a value");
  BOOST_TEST(error_of("[]") == "array `[]` has no element type; write `empty([0]i32)`");
  BOOST_TEST(error_of("empty([2]i32)") == "`empty` needs a dimension of size 0");
  BOOST_TEST(error_of(std::string(1000, '[')) == "value is nested deeper than 64 arrays");
}

BOOST_AUTO_TEST_CASE(floats_survive_text) {
  for (const double x : {0.1, 1e-300, 5e-324, 1.7976931348623157e308, -0.0, 1.0 / 3.0}) {
    const Value value = Value::of(PrimValue::of_float(PrimType::f64, x));
    BOOST_TEST((read_values(to_text(value)).at(0) == value), to_text(value));
    const Value single = Value::of(PrimValue::of_float(PrimType::f32, x));
    BOOST_TEST((read_values(to_text(single)).at(0) == single), to_text(single));
  }
}

BOOST_AUTO_TEST_CASE(binary_round_trip_and_mixture) {
  const Value matrix = read_values("[[1i16, 2i16], [3i16, 4i16], [5i16, 6i16]]").at(0);
  BOOST_TEST((read_values(to_binary(matrix)).at(0) == matrix));
  const auto both = read_values(" " + to_binary(matrix) + "\n7i64 " + to_binary(Value::of(PrimValue::of_bool(true))));
  BOOST_REQUIRE(both.size() == 3);
  BOOST_TEST(to_text(both[1]) == "7i64");
  BOOST_TEST(to_text(both[2]) == "true");
}

BOOST_AUTO_TEST_CASE(binary_errors) {
  const std::string good = to_binary(read_values("[1.0, 2.0]").at(0));
  BOOST_TEST(error_of(good.substr(0, good.size() - 1)) == "binary value ends too early");
  std::string huge = good;
  huge.replace(7, 8, "\xff\xff\xff\xff\xff\xff\xff\x7f");
  BOOST_TEST(error_of(huge) == "binary value has an impossible size");
  std::string version = good;
  version[1] = '\1';
  BOOST_TEST(error_of(version) == "binary value has version 1, only 2 is known");
}

}  // namespace boustro::values
