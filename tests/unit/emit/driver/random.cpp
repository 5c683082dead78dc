#include "emit/driver/random.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/values/read.hpp"
#include "frontend/values/write.hpp"

namespace boustro::driver {

BOOST_AUTO_TEST_CASE(same_seed_same_values) {
  RandomValues a(7), b(7), c(8);
  const auto from = [](RandomValues& random) {
    return values::to_text(random.uniform(values::PrimType::f64, {2, 3}));
  };
  const std::string first = from(a);
  BOOST_TEST(first == from(b));
  BOOST_TEST(first != from(c));
}

// The first numbers that the documentation of Haskell's package splitmix lists for seed 42.
BOOST_AUTO_TEST_CASE(splitmix_as_published) {
  SplitMix generator(42);
  BOOST_TEST(generator.next() == 1275548033995301424u);
}

// The words that the generator makes, as signed and unsigned numbers and as floats.
BOOST_AUTO_TEST_CASE(values_follow_the_words) {
  using values::PrimType;
  const std::uint64_t word = 1275548033995301424u;
  const auto first = [](PrimType type) { return RandomValues(42).uniform(type, {}).element(0); };
  BOOST_TEST(first(PrimType::u64).bits == word);
  BOOST_TEST(first(PrimType::i64).bits == word + (1ull << 63));
  BOOST_TEST(first(PrimType::u8).as_int() == static_cast<std::uint8_t>(word));
  BOOST_TEST(first(PrimType::i8).as_int() == static_cast<std::uint8_t>(word) - 128);
  BOOST_TEST(first(PrimType::f64).as_float() ==
             1 - static_cast<double>(word) / 18446744073709551615.0);
}

BOOST_AUTO_TEST_CASE(items_are_types_or_values) {
  RandomValues random(1);
  BOOST_TEST(values::type_string(random_item(random, "[10][2]f32")) == "[10][2]f32");
  BOOST_TEST(values::type_string(random_item(random, "u8")) == "u8");
  BOOST_TEST(values::to_text(random_item(random, "3i64")) == "3i64");
  BOOST_CHECK_THROW(random_item(random, "[n]f32"), values::ReadError);
}

BOOST_AUTO_TEST_CASE(values_stay_in_their_range) {
  RandomValues random(1);
  const values::Value floats = random.between(values::PrimType::f32, {1000}, -1, 1);
  double low = 1, high = -1;
  for (std::int64_t i = 0; i < floats.size(); ++i) {
    low = std::min(low, floats.element(i).as_float());
    high = std::max(high, floats.element(i).as_float());
  }
  BOOST_TEST((-1 <= low && low < -0.9 && 0.9 < high && high <= 1));
}

}  // namespace boustro::driver
