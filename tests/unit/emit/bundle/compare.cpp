// What a bundle reads and how it compares, beside what `boustro test` does with the same values.
#include "templates/bundle/compare.hpp"

#include <cmath>
#include <fstream>
#include <random>

#include <boost/test/unit_test.hpp>

#include "emit/driver/compare.hpp"
#include "emit/run/process.hpp"
#include "frontend/values/write.hpp"

namespace boustro::bundle {
namespace {

using values::PrimType;
using values::PrimValue;
using values::Value;

std::vector<::bundle::Value> as_read_by_a_bundle(const std::vector<Value>& all) {
  const run::TemporaryFolder folder;
  const std::string path = (folder.path() / "values").string();
  std::string bytes;
  for (const Value& value : all) bytes += values::to_binary(value);
  std::ofstream(path, std::ios::binary) << bytes;
  return ::bundle::read_values(path);
}

std::vector<char> bytes_of(const Value& value) {
  const char* const begin = value.as<char>();
  return {begin, begin + value.data.size()};
}

/// Magnitudes from 1e-3 to 1e6, and now and then something that is no number.
double random_number(std::mt19937& random) {
  const int kind = std::uniform_int_distribution(0, 20)(random);
  if (kind == 0) return NAN;
  if (kind == 1) return HUGE_VAL;
  if (kind == 2) return -HUGE_VAL;
  const double magnitude = std::pow(10, std::uniform_real_distribution(-3.0, 6.0)(random));
  return kind % 2 == 0 ? magnitude : -magnitude;
}

PrimValue random_element(std::mt19937& random, PrimType type) {
  if (values::is_float(type)) return PrimValue::of_float(type, random_number(random));
  return PrimValue::of_int(type, std::uniform_int_distribution(-3, 3)(random));
}

/// Often the same, else a little or very different.
PrimValue near(std::mt19937& random, PrimValue element) {
  const int kind = std::uniform_int_distribution(0, 9)(random);
  if (kind < 6) return element;
  if (kind == 9 || !values::is_float(element.type)) return random_element(random, element.type);
  const double distance = std::pow(10, std::uniform_real_distribution(-5.0, 4.0)(random));
  return PrimValue::of_float(element.type, element.as_float() + (kind == 7 ? distance : -distance));
}

const std::vector<PrimType> all_types = {PrimType::i8,  PrimType::i16, PrimType::i32, PrimType::i64, PrimType::u8,  PrimType::u16,
                                         PrimType::u32, PrimType::u64, PrimType::f16, PrimType::f32, PrimType::f64, PrimType::boolean};

}  // namespace

BOOST_AUTO_TEST_CASE(values_of_all_types_are_read) {
  std::vector<Value> all;
  for (const PrimType type : all_types) {
    all.push_back(Value::of(PrimValue::one(type)));
    all.push_back(Value::zeros(type, {2, 3}));
    all.back().set_element(5, PrimValue::one(type));
    all.push_back(Value::zeros(type, {0, 4}));
  }
  const auto read = as_read_by_a_bundle(all);
  BOOST_REQUIRE(read.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    BOOST_TEST(read[i].type == values::name_of(all[i].type));
    BOOST_TEST(read[i].shape == all[i].shape, boost::test_tools::per_element());
    BOOST_TEST((read[i].data == bytes_of(all[i])));
    BOOST_TEST(read[i].element_bytes() == static_cast<std::size_t>(values::byte_size(all[i].type)));
  }
}

BOOST_AUTO_TEST_CASE(results_are_judged_as_by_boustro_test) {
  std::mt19937 random(1);
  int good = 0;
  constexpr int rounds = 4000;
  for (int round = 0; round < rounds; ++round) {
    const PrimType type = all_types[static_cast<std::size_t>(round) % all_types.size()];
    const std::int64_t size = 1 + round % 3;
    Value expected = Value::zeros(type, {size}), got = expected, digits = Value::zeros(PrimType::f64, {size});
    values::WrittenValues written{{}, {{}}};
    for (std::int64_t i = 0; i < size; ++i) {
      expected.set_element(i, random_element(random, type));
      got.set_element(i, near(random, expected.element(i)));
      const double digit = round % 5 == 0 ? 0.01 : 0;
      digits.set_element(i, PrimValue::of_float(PrimType::f64, digit));
      written.last_digits[0].push_back(digit);
    }
    written.values = {expected};
    const std::string by_test = driver::difference({got}, written, driver::Tolerance::futhark);
    const ::bundle::Comparison by_bundle =
        ::bundle::compare({bytes_of(got)}, as_read_by_a_bundle({expected}), as_read_by_a_bundle({digits}));
    BOOST_TEST(by_bundle.difference.empty() == by_test.empty(), by_test + " / " + by_bundle.difference);
    good += by_test.empty() ? 1 : 0;
  }
  BOOST_TEST(good > rounds / 4);
  BOOST_TEST(good < rounds * 3 / 4);
}

BOOST_AUTO_TEST_CASE(errors_are_relative_to_the_largest_magnitude) {
  Value expected = Value::zeros(PrimType::f64, {3}), got = expected;
  expected.set_element(0, PrimValue::of_float(PrimType::f64, -50));
  expected.set_element(1, PrimValue::of_float(PrimType::f64, 1));
  got.set_element(0, PrimValue::of_float(PrimType::f64, -50));
  got.set_element(1, PrimValue::of_float(PrimType::f64, 1.001));
  const auto comparison = ::bundle::compare({bytes_of(got)}, as_read_by_a_bundle({expected}), {});
  BOOST_TEST(comparison.difference == "");
  BOOST_TEST(comparison.relative_error == 0.001 / 50, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(::bundle::compare({}, as_read_by_a_bundle({expected}), {}).difference == "0 results, expected 1");
}

}  // namespace boustro::bundle
