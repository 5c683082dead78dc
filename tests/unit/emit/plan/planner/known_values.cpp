#include "emit/plan/planner/known_values.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner::known_values_tests {
namespace {

const Expr n = var("n"), m = var("m"), unknown = var("unknown");

KnownValues typical() {
  KnownValues values;
  values.set("n", {1000, false});
  values.set("m", {7, false});
  return values;
}

std::optional<std::int64_t> value_of(const Expr& expr) {
  const auto known = typical().of(expr);
  return known ? std::optional(known->value) : std::nullopt;
}
bool is_exact(const Expr& expr) { return typical().of(expr).value().exact; }

}  // namespace

BOOST_AUTO_TEST_SUITE(known_values)

BOOST_AUTO_TEST_CASE(arithmetic_as_in_the_emitted_file) {
  BOOST_TEST(value_of((n + m - lit(1)) / m).value() == 143);
  BOOST_TEST(value_of(n % m).value() == 6);
  BOOST_TEST(value_of(n * m).value() == 7000);
  BOOST_TEST(value_of(m - n).value() == -993);
  BOOST_TEST(value_of(intrinsic(ir::BinOpKind::max, n, m)).value() == 1000);
  BOOST_TEST(value_of(intrinsic(ir::BinOpKind::min, n, m)).value() == 7);
  BOOST_TEST(value_of(intrinsic(ir::BinOpKind::div, n, m)).value() == 142);
  BOOST_TEST(value_of(size_of(type(f64))).value() == 8);
  BOOST_TEST(value_of(cast(PrimType::i32, n)).value() == 1000);
}

BOOST_AUTO_TEST_CASE(comparisons) {
  BOOST_TEST(value_of(n > m).value() == 1);
  BOOST_TEST(value_of(n <= m).value() == 0);
  BOOST_TEST(value_of(equal(n, lit(1000))).value() == 1);
}

BOOST_AUTO_TEST_CASE(one_of_two_conditions_may_decide) {
  BOOST_TEST(value_of(unknown > m && n < m).value() == 0);
  BOOST_TEST(value_of(n > m || unknown > m).value() == 1);
  BOOST_TEST(!value_of(unknown > m && n > m).has_value());
  BOOST_TEST(!value_of(unknown > m || n < m).has_value());
  BOOST_TEST(value_of(n > m && m > 0).value() == 1);
  BOOST_TEST(value_of(n < m || m < 0).value() == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_guessed) {
  BOOST_TEST(!value_of(unknown).has_value());
  BOOST_TEST(!value_of(n + unknown).has_value());
  BOOST_TEST(!value_of(n / (m - lit(7))).has_value());
  BOOST_TEST(!value_of(n * lit(INT64_MAX)).has_value());
  BOOST_TEST(!value_of(n + lit(INT64_MAX)).has_value());
  BOOST_TEST(!value_of(cast(size_type(), m - n)).has_value());
  BOOST_TEST(!value_of(cast(PrimType::i32, n * lit(INT64_C(1) << 40))).has_value());
  BOOST_TEST(!value_of(call("f", type(i64), {n})).has_value());
}

BOOST_AUTO_TEST_CASE(only_literals_are_exact) {
  BOOST_TEST(is_exact(lit(2) * lit(3)));
  BOOST_TEST(!is_exact(lit(2) * n));
  BOOST_TEST(is_exact(n > m && lit(1) > 2));
  BOOST_TEST(!is_exact(n > m && lit(2) > 1));
  BOOST_TEST(is_exact(runtime::staged_rows_for(lit(64, PrimType::u64))));
  BOOST_TEST(!is_exact(runtime::tiles_pay(n, n, lit(64), lit(1))));
}

BOOST_AUTO_TEST_CASE(functions_of_the_host_answer_as_they_would) {
  BOOST_TEST(value_of(runtime::tiles_pay(n, n, lit(64), lit(1))).value() == 1);
  BOOST_TEST(value_of(runtime::tiles_pay(n, m, lit(64), lit(1))).value() == 0);
  BOOST_TEST(value_of(runtime::rows_of_tiles_pay(n, lit(64), n, m)).value() == 1);
  BOOST_TEST(value_of(runtime::staged_rows_for(lit(100, PrimType::u64))).value() == 256);
  BOOST_TEST(value_of(runtime::staged_rows_for(lit(1 << 20, PrimType::u64))).value() == 0);
  BOOST_TEST(value_of(runtime::row_pitch(m + lit(1), size_of(type(f32)))).value() == 9);
  BOOST_TEST(value_of(runtime::copies_pay(lit(1 << 20), lit(256), lit(4096, PrimType::u64))).value() == 1);
  BOOST_TEST(value_of(runtime::copies_pay(lit(1 << 20), lit(256), lit(1 << 20, PrimType::u64))).value() == 0);
}

BOOST_AUTO_TEST_CASE(what_changes_is_not_known_any_more) {
  KnownValues values = typical();
  values.forget("n");
  BOOST_TEST(!values.of(n).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::known_values_tests
