// Which divisors need no check.
#include "emit/plan/planner/nonzero.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/planner/arithmetic.hpp"

namespace boustro::plan::planner::nonzero_tests {
namespace {

const Expr n = var("n"), m = var("m"), k = var("k", PrimType::i32), u = var("u", PrimType::u64);
const Expr zero = lit(0), one = lit(1);

bool proven(const Expr& expr) { return Nonzero{}.proves(expr); }

/// Whether `condition`, or its opposite, says that n is not zero.
bool follows(const Expr& condition, bool holds = true) {
  Nonzero known;
  known.assume(condition, holds);
  return known.proves(n);
}

}  // namespace

BOOST_AUTO_TEST_CASE(literals_are_known) {
  BOOST_TEST(proven(lit(3)));
  BOOST_TEST(proven(lit(-1)));
  BOOST_TEST(!proven(lit(0)));
  BOOST_TEST(!proven(n));
}

BOOST_AUTO_TEST_CASE(so_are_expressions_that_leave_no_way_to_zero) {
  BOOST_TEST(proven(runtime::max(one, n)));
  BOOST_TEST(proven(runtime::max(n, lit(7))));
  BOOST_TEST(proven(intrinsic(ir::BinOpKind::max, lit(2, PrimType::i8), var("b", PrimType::i8))));
  BOOST_TEST(proven(op(Op::bit_or, n, one)));
  BOOST_TEST(proven(select(equal(n, zero), one, n)));
  BOOST_TEST(proven(intrinsic(ir::UnOpKind::abs, runtime::max(one, n))));
  BOOST_TEST(proven(cast(PrimType::i64, runtime::max(lit(1, PrimType::i32), k))));
}

BOOST_AUTO_TEST_CASE(others_may_be_zero) {
  BOOST_TEST(!proven(runtime::max(zero, n)));
  BOOST_TEST(!proven(runtime::max(n, m)));
  BOOST_TEST(!proven(runtime::min(one, n)));
  BOOST_TEST(!proven(n + one));
  BOOST_TEST(!proven(n * runtime::max(one, m)));
  BOOST_TEST(!proven(op(Op::bit_and, n, one)));
  BOOST_TEST(!proven(select(equal(n, one), one, n)));
  // The low bits of a number that is not zero may all be.
  BOOST_TEST(!proven(cast(PrimType::i32, runtime::max(one, n))));
}

BOOST_AUTO_TEST_CASE(bounds_prove_it) {
  const auto with = [](std::int64_t low, std::int64_t high) {
    return Nonzero{}.proves(Scalar{.expr = n, .range = Range{low, high}});
  };
  BOOST_TEST(with(1, 9));
  BOOST_TEST(with(-9, -1));
  BOOST_TEST(!with(0, 9));
  BOOST_TEST(!with(-1, 1));
}

BOOST_AUTO_TEST_CASE(factors_of_what_is_not_zero_are_not) {
  Nonzero known;
  known.add(n * cast(PrimType::i64, k));
  BOOST_TEST(known.proves(n * cast(PrimType::i64, k)));
  BOOST_TEST(known.proves(n));
  BOOST_TEST(known.proves(k));
  BOOST_TEST(!known.proves(m));
  Nonzero of_sum;
  of_sum.add(n + m);
  BOOST_TEST(!of_sum.proves(n));
}

BOOST_AUTO_TEST_CASE(conditions_prove_it) {
  for (const Expr& condition : {n > zero, n >= one, n < zero, n <= lit(-1), not_equal(n, zero),
                                equal(n, lit(4)), zero < n, one <= n, not_equal(zero, n)}) {
    BOOST_TEST(follows(condition), to_string(condition));
    BOOST_TEST(!follows(condition, false), "not " << to_string(condition));
  }
  for (const Expr& condition : {equal(n, zero), n <= zero, n < one, zero >= n}) {
    BOOST_TEST(follows(condition, false), "not " << to_string(condition));
    BOOST_TEST(!follows(condition), to_string(condition));
  }
  for (const Expr& condition : {n >= zero, n > lit(-1), not_equal(n, one), n < m, m > zero})
    BOOST_TEST(!follows(condition), to_string(condition));
  for (const Expr& condition : {n < m, m > zero})
    BOOST_TEST(!follows(condition, false), "not " << to_string(condition));
}

BOOST_AUTO_TEST_CASE(so_do_parts_of_conditions) {
  BOOST_TEST(follows(n > zero && m > zero));
  BOOST_TEST(!follows(n > zero || m > zero));
  BOOST_TEST(follows(equal(n, zero) || m > zero, false));
  BOOST_TEST(!follows(equal(n, zero) && m > zero, false));
  BOOST_TEST(follows(!equal(n, zero)));
}

BOOST_AUTO_TEST_CASE(what_is_known_ends_with_its_scope) {
  Nonzero known;
  known.open();
  known.add(n);
  BOOST_TEST(known.proves(n));
  BOOST_TEST(!known.proves(m));
  known.open();
  known.add(m);
  known.close();
  BOOST_TEST(!known.proves(m));
  known.close();
  BOOST_TEST(!known.proves(n));
}

BOOST_AUTO_TEST_CASE(a_number_is_the_same_in_a_wider_type) {
  Nonzero known;
  known.add(cast(PrimType::i64, k));
  BOOST_TEST(known.proves(k));
  BOOST_TEST(known.proves(cast(PrimType::u64, k)));
}

BOOST_AUTO_TEST_CASE(memory_may_change) {
  const Expr cell = var("xs", pointer_to(PrimType::i64))[zero];
  Nonzero known;
  known.assume(cell > zero);
  BOOST_TEST(!known.proves(cell));
}

}  // namespace boustro::plan::planner::nonzero_tests
