// Where the elements of arrays lie.
#include "emit/plan/planner/layout.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/planner/arithmetic.hpp"

namespace boustro::plan::planner::layout_tests {
namespace {

const Expr n = var("n"), m = var("m"), xs = var("xs", pointer_to(PrimType::f64)), ys = var("ys", pointer_to(PrimType::f64));

std::vector<Scalar> extents(const std::vector<Expr>& sizes) {
  std::vector<Scalar> result;
  for (const Expr& size : sizes) result.push_back({size});
  return result;
}

/// n rows of m numbers.
View matrix(const Expr& pointer, const std::vector<Expr>& strides, const Expr& offset = lit(0)) {
  return {PrimType::f64, extents({n, m}), Memory{pointer, offset, strides}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layout)

BOOST_AUTO_TEST_CASE(rows_follow_each_other) {
  BOOST_TEST((dense_strides(extents({lit(2), n, m})) == std::vector<Expr>{n * m, m, lit(1)}));
  BOOST_TEST((dense_strides(extents({n, m}), lit(3)) == std::vector<Expr>{times(m, lit(3)), lit(3)}));
  BOOST_TEST(dense_strides({}).empty());
  const View dense = dense_view(xs, PrimType::f64, extents({n, m}));
  BOOST_TEST((dense.memory()->base == xs && dense.memory()->offset == lit(0)));
  BOOST_TEST((dense.memory()->strides == std::vector<Expr>{m, lit(1)}));
}

BOOST_AUTO_TEST_CASE(rows_without_gaps_between_them_are_dense) {
  BOOST_TEST(is_dense(matrix(xs, {m, lit(1)})));
  BOOST_TEST(is_dense(matrix(xs, {times(m, lit(2)), lit(2)})));
  BOOST_TEST(is_dense({PrimType::f64, {}, Memory{xs, lit(0), {}}}));
  BOOST_TEST(!is_dense(matrix(xs, {n, lit(1)})));
  BOOST_TEST(!is_dense(matrix(xs, {lit(1), n})));
  BOOST_TEST(!is_dense({PrimType::i64, extents({n}), Counting{lit(0), lit(1)}}));
}

BOOST_AUTO_TEST_CASE(the_same_memory_is_the_same_places_of_one_array) {
  const View view = matrix(xs, {m, lit(1)});
  BOOST_TEST(same_memory(view, view));
  BOOST_TEST(!same_memory(view, matrix(ys, {m, lit(1)})));
  BOOST_TEST(!same_memory(view, matrix(xs, {m, lit(1)}, n)));
  BOOST_TEST(!same_memory(view, matrix(xs, {m, lit(-1)})));
  BOOST_TEST(!same_memory({PrimType::f64, extents({n}), Constant{lit(0)}}, {PrimType::f64, extents({n}), Constant{lit(0)}}));
}

BOOST_AUTO_TEST_CASE(negative_strides_lead_backwards) {
  BOOST_TEST(is_read_backwards({xs, n, {lit(-1)}}));
  BOOST_TEST(is_read_backwards({xs, n, {times(m, lit(-1)), lit(1)}}));
  BOOST_TEST(!is_read_backwards({xs, n, {m, lit(1)}}));
  BOOST_TEST(!is_read_backwards({xs, n, {lit(0)}}));
}

BOOST_AUTO_TEST_CASE(updates_go_to_places_of_their_own) {
  BOOST_TEST(is_updatable(matrix(xs, {m, lit(1)})));
  BOOST_TEST(!is_updatable(matrix(var("xs", const_pointer_to(PrimType::f64)), {m, lit(1)})));
  BOOST_TEST(!is_updatable(matrix(xs, {lit(0), lit(1)})));
  BOOST_TEST(!is_updatable({PrimType::f64, extents({n}), Constant{lit(0)}}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::layout_tests
