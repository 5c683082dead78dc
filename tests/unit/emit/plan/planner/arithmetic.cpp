// What is known of sums of sizes and indices whatever they are.
#include "emit/plan/planner/arithmetic.hpp"

#include <boost/test/unit_test.hpp>

namespace boustro::plan::planner::arithmetic_tests {
namespace {

const Expr n = var("n"), m = var("m"), k = var("k", PrimType::i32), b = var("b", PrimType::u8);

}  // namespace

BOOST_AUTO_TEST_CASE(operations_are_counted_as_readers_see_them) {
  const Expr x = var("x", PrimType::f32), xs = var("xs", pointer_to(PrimType::f32));
  BOOST_TEST(operation_count(x) == 0);
  BOOST_TEST(operation_count(x * x + x) == 2);
  BOOST_TEST(operation_count(call("sigmoid", type(PrimType::f32), {x * x + x})) == 3);
  BOOST_TEST(operation_count(xs[n * m + n] * x) == 1, "an index is none of the steps");
  BOOST_TEST(operation_count(cast(PrimType::f64, n + m)) == 1, "nor is a cast");
}

BOOST_AUTO_TEST_CASE(summands_stand_in_any_order) {
  BOOST_TEST(same_position(n + m, m + n));
  BOOST_TEST(same_position(n - lit(1) + m, m + n - lit(1)));
  BOOST_TEST(!same_position(n + m, n));
  BOOST_TEST((known_difference(n + lit(3), n - lit(2)) == 5));
  BOOST_TEST((known_difference(times(n, lit(-1)), lit(1) - n) == -1));
  BOOST_TEST(!known_difference(n, m).has_value());
}

BOOST_AUTO_TEST_CASE(a_wider_type_has_the_same_number) {
  BOOST_TEST(same_position(cast(PrimType::i64, k), k));
  BOOST_TEST((known_difference(cast(PrimType::i64, k) + lit(1), k) == 1));
  BOOST_TEST((known_difference(cast(PrimType::i64, b), cast(PrimType::i32, b)) == 0));
}

BOOST_AUTO_TEST_CASE(a_narrower_one_may_have_another) {
  const Expr low = cast(PrimType::i64, cast(PrimType::u8, n));
  BOOST_TEST(!same_position(low, n));
  BOOST_TEST(!known_difference(low, n + lit(1)).has_value());
  BOOST_TEST(!same_position(cast(PrimType::i64, cast(PrimType::i32, n)), n));
  // So may one of the same width with or without a sign.
  BOOST_TEST(!same_position(cast(PrimType::i64, var("u", PrimType::u64)), var("u", PrimType::u64)));
  BOOST_TEST(!same_position(cast(PrimType::u64, n), n));
}

BOOST_AUTO_TEST_CASE(arithmetic_without_a_sign_goes_on_after_zero) {
  const Expr u = var("u", PrimType::u32), one = lit(1, PrimType::u32);
  BOOST_TEST(!known_difference(cast(PrimType::i64, op(Op::sub, u, one)), cast(PrimType::i64, u)).has_value());
}

BOOST_AUTO_TEST_CASE(ranges_fit_types_that_have_all_their_numbers) {
  BOOST_TEST(fits(Range{0, 255}, PrimType::u8));
  BOOST_TEST(!fits(Range{0, 256}, PrimType::u8));
  BOOST_TEST(!fits(Range{-1, 5}, PrimType::u8));
  BOOST_TEST(fits(Range{-128, 127}, PrimType::i8));
  BOOST_TEST(!fits(Range{0, 128}, PrimType::i8));
  BOOST_TEST(!fits(Range{-129, 0}, PrimType::i8));
  BOOST_TEST(fits(Range{INT64_MIN, INT64_MAX}, PrimType::i64));
  BOOST_TEST(!fits(Range{INT64_MIN, 0}, PrimType::u64));
  BOOST_TEST(fits(Range{0, INT64_MAX}, PrimType::u64));
  BOOST_TEST(!fits(std::nullopt, PrimType::i64));
  BOOST_TEST(!fits(Range{0, 1}, PrimType::f32));
}

BOOST_AUTO_TEST_CASE(products_of_numbers_have_the_range_that_they_have) {
  const Range ints{INT32_MIN, INT32_MAX};
  const auto squares = multiply(ints, ints);
  BOOST_REQUIRE(squares.has_value());
  BOOST_TEST(squares->high == std::int64_t{1} << 62);
  BOOST_TEST(!multiply(squares, Range{2, 2}).has_value());
  BOOST_TEST(!add(squares, squares).has_value());
  BOOST_TEST(!subtract(Range{INT64_MIN, 0}, Range{1, 1}).has_value());
}

BOOST_AUTO_TEST_CASE(two_sizes_do_not_overflow_but_more_may) {
  const auto area = multiply(size_range, indices_below(size_range));
  BOOST_TEST(not_negative(area));
  BOOST_TEST(not_negative(add(multiply(area, Range{11, 11}), area)));
  BOOST_TEST(!multiply(area, size_range).has_value());
  BOOST_TEST(!multiply(size_range, Range{1000000007, 1000000007}).has_value());
  const Range data{0, size_range.high};  // of no array
  BOOST_TEST(!multiply(data, data).has_value());
  BOOST_TEST(!multiply(data, size_range).has_value());
  BOOST_TEST(!multiply(larger(size_range, data), size_range).has_value());
  BOOST_TEST(not_negative(multiply(remainder(data, Range{1, size_range.high, true}), size_range)));
}

BOOST_AUTO_TEST_CASE(elements_of_an_array_are_counted_without_overflow) {
  const auto volume = counted(counted(size_range, size_range), size_range);
  BOOST_TEST(not_negative(volume));
  BOOST_TEST(not_negative(multiply(volume, Range{1000, 1000})));
  BOOST_TEST(!counted(Range{INT64_MIN, 5}, Range{INT64_MIN, 5}).has_value());
  BOOST_TEST(!counted(std::nullopt, size_range).has_value());
}

BOOST_AUTO_TEST_CASE(constants_of_a_sum_are_added_up) {
  BOOST_TEST((plus(n - lit(1), lit(1)) == n));
  BOOST_TEST((minus(n + lit(1), lit(1)) == n));
  BOOST_TEST((plus(minus(n - lit(1), m), lit(1)) == n - m));
  BOOST_TEST((plus(minus(n + lit(3), m), lit(-1)) == n + lit(2) - m));
  BOOST_TEST((plus(n - m, lit(1)) == n - m + lit(1)));
  const Expr u = var("u", PrimType::u32);  // goes on after zero
  BOOST_TEST(!(plus(op(Op::sub, u, lit(1, PrimType::u32)), lit(1)) == u));
}

BOOST_AUTO_TEST_CASE(opposite_conditions) {
  BOOST_TEST((opposite(n < m) == (n >= m)));
  BOOST_TEST((opposite(equal(n, m)) == not_equal(n, m)));
  BOOST_TEST((opposite(!(n < m)) == (n < m)));
  const Expr x = var("x", PrimType::f64), y = var("y", PrimType::f64);  // neither of them for a NaN
  BOOST_TEST((opposite(x < y) == !(x < y)));
  BOOST_TEST((opposite(equal(x, y)) == not_equal(x, y)));
}

BOOST_AUTO_TEST_CASE(comparisons_that_are_known) {
  const auto truth = [](bool value) { return lit(PrimValue::of_bool(value)); };
  BOOST_TEST((compared(Op::le, n, n) == truth(true)));
  BOOST_TEST((compared(Op::lt, n, n) == truth(false)));
  BOOST_TEST((compared(Op::eq, lit(0), lit(0)) == truth(true)));
  BOOST_TEST((compared(Op::lt, lit(-1), lit(0)) == truth(true)));
  BOOST_TEST((compared(Op::ne, n, m) == op(Op::ne, n, m)));
  const Expr x = var("x", PrimType::f64);
  BOOST_TEST((compared(Op::eq, x, x) == op(Op::eq, x, x)));  // not if x is no number
  const Expr large = lit(-1, PrimType::u64), small = lit(1, PrimType::u64);
  BOOST_TEST(!(compared(Op::lt, large, small) == truth(true)));
}

BOOST_AUTO_TEST_CASE(conditions_that_are_known_are_left_out) {
  const Expr yes = lit(PrimValue::of_bool(true)), no = lit(PrimValue::of_bool(false)), c = var("c", PrimType::boolean);
  BOOST_TEST((connected(Op::logical_and, yes, c) == c && connected(Op::logical_or, c, no) == c));
  BOOST_TEST((connected(Op::logical_and, c, no) == no && connected(Op::logical_or, yes, c) == yes));
  BOOST_TEST((connected(Op::logical_and, c, c) == op(Op::logical_and, c, c)));
}

}  // namespace boustro::plan::planner::arithmetic_tests
