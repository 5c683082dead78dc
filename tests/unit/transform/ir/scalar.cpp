#include "transform/ir/scalar.hpp"

#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "frontend/source/diagnostics.hpp"

namespace scalar_tests {

using namespace boustro::ir;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

PrimValue integer(PrimType type, std::int64_t value) { return PrimValue::of_int(type, value); }
PrimValue real(double value, PrimType type = PrimType::f64) { return PrimValue::of_float(type, value); }

void check(std::optional<PrimValue> found, std::optional<PrimValue> wanted) {
  const auto shown = [](const std::optional<PrimValue>& value) {
    return value ? boustro::values::to_string(*value) : "nothing";
  };
  BOOST_TEST(shown(found) == shown(wanted));
}

struct IntegerCase {
  BinOpKind kind;
  PrimType type;
  std::int64_t x, y;
  std::optional<std::int64_t> result;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(scalar_operators)

BOOST_AUTO_TEST_CASE(integers) {
  using enum BinOpKind;
  using enum PrimType;
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const IntegerCase cases[] = {
      {add, i8, 127, 1, -128},   {add, u8, 255, 1, 0},      {sub, u16, 0, 1, 65535},
      {mul, i32, 65536, 65536, 0}, {mul, i64, least, -1, least},
      {div, i32, 7, 2, 3},       {div, i32, -7, 2, -4},     {div, i32, 7, -2, -4},
      {div, i32, -7, -2, 3},     {div, i64, least, -1, least}, {div, u8, 200, 3, 66},
      {div, i32, 1, 0, {}},      {mod, i32, 7, 3, 1},       {mod, i32, -7, 3, 2},
      {mod, i32, 7, -3, -2},     {mod, i32, -7, -3, -1},    {mod, i64, least, -1, 0},
      {mod, u8, 1, 0, {}},       {quot, i32, -7, 2, -3},    {quot, i8, -128, -1, -128},
      {quot, i32, 1, 0, {}},     {rem, i32, -7, 3, -1},     {rem, i32, 7, -3, 1},
      {rem, i32, 1, 0, {}},      {pow, i32, 3, 4, 81},      {pow, i32, 2, 32, 0},
      {pow, i32, 0, 0, 1},       {pow, i32, 2, -1, {}},     {pow, u8, 2, 255, 0},
      {min, i8, -1, 1, -1},      {min, u8, 255, 1, 1},      {max, i8, -1, 1, 1},
      {shl, i8, 1, 7, -128},     {shl, i8, 1, 8, 0},        {shl, i32, 1, -1, 0},
      {shr, i8, -128, 7, -1},    {shr, i8, -128, 9, -1},    {shr, u8, 128, 7, 1},
      {ushr, i8, -128, 7, 1},    {ushr, i8, -1, 8, 0},      {bit_and, i8, -1, 12, 12},
      {bit_or, u8, 5, 10, 15},   {bit_xor, i32, 6, 3, 5},
  };
  for (const IntegerCase& c : cases) {
    BOOST_TEST_CONTEXT(name_of(c.kind) << " " << c.x << " " << c.y) {
      const auto wanted = c.result ? std::optional(integer(c.type, *c.result)) : std::nullopt;
      check(apply(c.kind, integer(c.type, c.x), integer(c.type, c.y)), wanted);
    }
  }
}

BOOST_AUTO_TEST_CASE(floats) {
  using enum BinOpKind;
  check(apply(div, real(1), real(0)), real(inf));
  check(apply(mod, real(-7), real(3)), real(2));
  check(apply(mod, real(7), real(-3)), real(-2));
  check(apply(min, real(not_a_number), real(1)), real(1));
  check(apply(max, real(1), real(not_a_number)), real(1));
  check(apply(max, real(not_a_number), real(not_a_number)), real(not_a_number));
  check(apply(pow, real(2), real(-1)), real(0.5));
  // 2048 + 1 is half-way between two neighbours in f16, and the even one is 2048.
  check(apply(add, real(2048, PrimType::f16), real(1, PrimType::f16)), real(2048, PrimType::f16));
  check(apply(mul, real(60000, PrimType::f16), real(2, PrimType::f16)), real(inf, PrimType::f16));
  check(apply(add, real(16777216, PrimType::f32), real(1, PrimType::f32)), real(16777216, PrimType::f32));
}

BOOST_AUTO_TEST_CASE(one_operand) {
  check(apply(UnOpKind::neg, integer(PrimType::i8, -128)), integer(PrimType::i8, -128));
  check(apply(UnOpKind::neg, integer(PrimType::u8, 1)), integer(PrimType::u8, 255));
  check(apply(UnOpKind::neg, real(0)), real(-0.0));
  check(apply(UnOpKind::complement, integer(PrimType::i32, 0)), integer(PrimType::i32, -1));
  check(apply(UnOpKind::complement, PrimValue::of_bool(true)), PrimValue::of_bool(false));
  check(apply(UnOpKind::abs, integer(PrimType::i32, -5)), integer(PrimType::i32, 5));
  check(apply(UnOpKind::abs, integer(PrimType::u8, 200)), integer(PrimType::u8, 200));
  check(apply(UnOpKind::abs, real(-0.0)), real(0));
  check(apply(UnOpKind::sgn, integer(PrimType::i64, -9)), integer(PrimType::i64, -1));
  check(apply(UnOpKind::sgn, real(-2.5)), real(-1));
  check(apply(UnOpKind::sgn, real(not_a_number)), real(not_a_number));
}

BOOST_AUTO_TEST_CASE(comparisons) {
  const auto holds = [](CmpOpKind kind, PrimValue x, PrimValue y) { return apply(kind, x, y)->as_bool(); };
  BOOST_TEST(holds(CmpOpKind::lt, integer(PrimType::i8, -1), integer(PrimType::i8, 0)));
  BOOST_TEST(!holds(CmpOpKind::lt, integer(PrimType::u8, 255), integer(PrimType::u8, 0)));
  BOOST_TEST(holds(CmpOpKind::eq, real(0.0), real(-0.0)));
  BOOST_TEST(!holds(CmpOpKind::eq, real(not_a_number), real(not_a_number)));
  BOOST_TEST(holds(CmpOpKind::ne, real(not_a_number), real(not_a_number)));
  BOOST_TEST(!holds(CmpOpKind::le, real(not_a_number), real(1)));
  BOOST_TEST(holds(CmpOpKind::lt, PrimValue::of_bool(false), PrimValue::of_bool(true)));
}

BOOST_AUTO_TEST_CASE(conversions) {
  using enum PrimType;
  check(convert(i8, integer(i32, 300)), integer(i8, 44));
  check(convert(i32, integer(u8, 255)), integer(i32, 255));
  check(convert(u32, integer(i8, -1)), integer(u32, 4294967295));
  check(convert(i32, real(2.9)), integer(i32, 2));
  check(convert(i32, real(-2.9)), integer(i32, -2));
  check(convert(i32, real(not_a_number)), integer(i32, 0));
  check(convert(i64, real(inf)), integer(i64, 0));
  check(convert(i64, real(1e30)), integer(i64, std::numeric_limits<std::int64_t>::max()));
  check(convert(u64, real(0x1p63)), PrimValue{u64, std::uint64_t{1} << 63});
  check(convert(u8, real(257.9)), integer(u8, 1));
  check(convert(f32, PrimValue{u64, ~std::uint64_t{0}}), real(0x1p64, f32));
  check(convert(f16, real(65520)), real(inf, f16));
  check(convert(f16, real(65519)), real(65504, f16));
  check(convert(f64, real(0x1p-24, f16)), real(0x1p-24));
  check(convert(boolean, real(not_a_number)), PrimValue::of_bool(true));
  check(convert(boolean, real(-0.0)), PrimValue::of_bool(false));
  check(convert(f32, PrimValue::of_bool(true)), real(1, f32));
}

BOOST_AUTO_TEST_CASE(functions_of_floats) {
  const auto math = [](MathFn fn, std::vector<double> args) {
    std::vector<PrimValue> values;
    for (const double x : args) values.push_back(real(x));
    return apply(fn, PrimType::f64, values);
  };
  check(math(MathFn::round, {2.5}), real(2));
  check(math(MathFn::round, {3.5}), real(4));
  check(math(MathFn::round, {-0.5}), real(-0.0));
  check(math(MathFn::trunc, {-2.7}), real(-2));
  check(math(MathFn::sqrt, {2.25}), real(1.5));
  check(math(MathFn::rsqrt, {4}), real(0.5));
  check(math(MathFn::sinpi, {0.5}), real(1));
  check(math(MathFn::sinpi, {1e15 + 1}), real(0));
  check(math(MathFn::cospi, {1}), real(-1));
  check(math(MathFn::cospi, {0.5}), real(0));
  check(math(MathFn::atan2pi, {1, 1}), real(0.25));
  check(math(MathFn::hypot, {0x3p700, 0x4p700}), real(0x5p700));
  check(math(MathFn::lerp, {2, 4, 0.25}), real(2.5));
  check(math(MathFn::fma, {2, 3, 4}), real(10));
  check(math(MathFn::gamma, {5}), real(24));
  check(math(MathFn::lgamma, {1}), real(0));
  check(math(MathFn::erf, {0}), real(0));
  check(math(MathFn::copysign, {2, -0.0}), real(-2));
  check(math(MathFn::nextafter, {1, 2}), real(1 + 0x1p-52));
  check(math(MathFn::isnan, {not_a_number}), PrimValue::of_bool(true));
  check(math(MathFn::isinf, {-inf}), PrimValue::of_bool(true));
  check(math(MathFn::to_bits, {1}), PrimValue{PrimType::u64, 0x3ff0'0000'0000'0000});
  check(apply(MathFn::ldexp, PrimType::f64, std::vector{real(3), integer(PrimType::i32, -1)}), real(1.5));
  check(apply(MathFn::from_bits, PrimType::f32, std::vector{integer(PrimType::u32, 0x3fc00000)}), real(1.5, PrimType::f32));
  check(apply(MathFn::nextafter, PrimType::f16, std::vector{real(0, PrimType::f16), real(-1, PrimType::f16)}),
        real(-0x1p-24, PrimType::f16));
}

BOOST_AUTO_TEST_CASE(functions_of_integers) {
  using enum PrimType;
  const auto one = [](MathFn fn, PrimValue x) { return apply(fn, x.type, std::vector{x}); };
  check(one(MathFn::popc, integer(i8, -1)), integer(i32, 8));
  check(one(MathFn::clz, integer(u16, 1)), integer(i32, 15));
  check(one(MathFn::clz, integer(i32, 0)), integer(i32, 32));
  check(one(MathFn::ctz, integer(i64, 8)), integer(i32, 3));
  check(apply(MathFn::mul_hi, i8, std::vector{integer(i8, -128), integer(i8, 2)}), integer(i8, -1));
  check(apply(MathFn::mul_hi, u64, std::vector{integer(u64, -1), integer(u64, -1)}), integer(u64, -2));
  check(apply(MathFn::mad_hi, i32, std::vector{integer(i32, 1 << 30), integer(i32, 8), integer(i32, 5)}), integer(i32, 7));
}

BOOST_AUTO_TEST_CASE(a_type_may_lack_an_operator) {
  BOOST_TEST((function_of(BinOpKind::shl, PrimType::f64) == nullptr));
  BOOST_TEST((function_of(MathFn::sin, PrimType::i32) == nullptr));
  BOOST_CHECK_THROW(apply(UnOpKind::neg, PrimValue::of_bool(true)), boustro::source::InternalError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(primitive_values)

BOOST_AUTO_TEST_CASE(literals_read_back) {
  using boustro::values::to_string;
  BOOST_TEST(to_string(real(1)) == "1.0f64");
  BOOST_TEST(to_string(real(0.1, PrimType::f32)) == "0.1f32");
  BOOST_TEST(to_string(real(1e100)) == "1e+100f64");
  BOOST_TEST(to_string(real(-inf)) == "-f64.inf");
  BOOST_TEST(to_string(real(0.1, PrimType::f16)) == "0.1f16");
  BOOST_TEST(to_string(integer(PrimType::u8, -1)) == "255u8");
  BOOST_TEST(to_string(PrimValue::of_bool(true)) == "true");
}

BOOST_AUTO_TEST_CASE(every_f16_survives_the_way_through_f64) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const bool is_signalling_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0 && !(bits & 0x200);
    if (is_signalling_nan) continue;  // becomes a quiet one
    if (boustro::values::f16_from_double(boustro::values::f16_to_double(half)) != half) {
      BOOST_TEST_REQUIRE(bits == -1);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace scalar_tests
