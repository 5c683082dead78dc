// The order of keys.
#include "transform/reorder/order.hpp"

#include <limits>

#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace values = boustro::values;

namespace {


Program of_keys(PrimType type, const Atom& width) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name keys = f.param("keys", array(type, {name_in(width) ? Atom(n) : width}));
  f.returns({boustro::reorder::order_of(f, keys)});
  return p.program;
}

values::Value order(PrimType type, const std::vector<std::int64_t>& keys) {
  values::Value of_type = values::Value::zeros(type, {static_cast<std::int64_t>(keys.size())});
  for (std::size_t i = 0; i < keys.size(); ++i) of_type.set_element(static_cast<std::int64_t>(i), PrimValue::of_int(type, keys[i]));
  const Program program = of_keys(type, Name{"n", 0});
  check_verified(program);
  return run_entry(program, "main", {of_type}).at(0);
}

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();

}  // namespace

BOOST_AUTO_TEST_SUITE(order_of_keys)

BOOST_AUTO_TEST_CASE(equal_keys_keep_their_order) {
  for (const PrimType type : {PrimType::i8, PrimType::i16, PrimType::i32, PrimType::i64, PrimType::u8, PrimType::u16, PrimType::u32, PrimType::u64}) {
    BOOST_TEST((order(type, {3, 1, 3, 0, 1, 2, 3}) == i64s({3, 1, 4, 5, 0, 2, 6})));
    BOOST_TEST((order(type, {}) == i64s({})));
    BOOST_TEST((order(type, {7}) == i64s({0})));
  }
}

BOOST_AUTO_TEST_CASE(negative_keys_come_first) {
  BOOST_TEST((order(PrimType::i8, {0, -1, 127, -128, 5}) == i64s({3, 1, 0, 4, 2})));
  BOOST_TEST((order(PrimType::i16, {0, -1, 32767, -32768, 256}) == i64s({3, 1, 0, 4, 2})));
  BOOST_TEST((order(PrimType::i32, {0, -1, 2147483647, -2147483648, 65536}) == i64s({3, 1, 0, 4, 2})));
  BOOST_TEST((order(PrimType::i64, {1ll << 31, 0, (1ll << 31) + 1, 1}) == i64s({1, 3, 0, 2})));
  BOOST_TEST((order(PrimType::i64, {0, -1, most, least, 1ll << 32, -(1ll << 32), (1ll << 32) - 1, -(1ll << 32) - 1}) == i64s({3, 7, 5, 1, 0, 6, 4, 2})));
}

BOOST_AUTO_TEST_CASE(unsigned_keys_have_no_sign) {
  BOOST_TEST((order(PrimType::u8, {0, 255, 127, 128}) == i64s({0, 2, 3, 1})));
  BOOST_TEST((order(PrimType::u16, {0, 65535, 32767, 32768}) == i64s({0, 2, 3, 1})));
  BOOST_TEST((order(PrimType::u32, {0, 4294967295, 2147483647, 2147483648}) == i64s({0, 2, 3, 1})));
  BOOST_TEST((order(PrimType::u64, {0, -1, most, least, 1ll << 32, (1ll << 32) - 1}) == i64s({0, 5, 4, 2, 3, 1})));
}

BOOST_AUTO_TEST_CASE(small_keys_are_sorted_at_once) {
  const auto sorts = [](PrimType type) { return count<Sort>(of_keys(type, Name{"n", 0})); };
  for (const PrimType type : {PrimType::i8, PrimType::u16, PrimType::i32, PrimType::u32}) BOOST_TEST(sorts(type) == 1);
  for (const PrimType type : {PrimType::i64, PrimType::u64}) BOOST_TEST(sorts(type) == 2);
}

/// Whether so many points are too many, which is known where their number is.
BOOST_AUTO_TEST_CASE(the_number_of_a_point_fits_beside_its_key) {
  const auto asserts = [](PrimType type, std::int64_t points) { return count<Assert>(boustro::simplify::simplify(of_keys(type, int_atom(points)))); };
  BOOST_TEST(asserts(PrimType::i32, (1ll << 31) - 1) == 0);
  BOOST_TEST(asserts(PrimType::i32, 1ll << 31) == 1);
  BOOST_TEST(asserts(PrimType::u64, (1ll << 31) - 1) == 0);
  BOOST_TEST(asserts(PrimType::u64, 1ll << 31) == 1);
  BOOST_TEST(asserts(PrimType::i8, 1ll << 31) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
