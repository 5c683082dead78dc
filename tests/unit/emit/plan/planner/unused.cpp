#include "emit/plan/planner/unused.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner::unused_tests {
namespace {

const Expr x = var("x", i64), y = var("y", i64);
const Stm declared = Let{.name = "x", .type = type(i64), .changes = true};

std::size_t kept(Stms stms) {
  drop_unused(stms);
  return stms.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_variable_that_is_only_set_goes) {
  const Stm branch = If{y < 0, {Assign{x, y}, Do{call("f", type(i64), {y})}}, {Assign{x, lit(1)}}};
  Stms stms{declared, branch, Return{y}};
  drop_unused(stms);
  BOOST_TEST(stms.size() == 2u);
  const auto& left = std::get<If>(stms[0].what);
  BOOST_TEST((left.then_body.size() == 1u && left.else_body.empty()));
}

BOOST_AUTO_TEST_CASE(a_variable_that_is_read_stays) {
  BOOST_TEST(kept({declared, Assign{x, y}, Return{x}}) == 3u);
  BOOST_TEST(kept({declared, Assign{x, x + y}, Return{y}}) == 3u);
  BOOST_TEST(kept({declared, Assign{x, call("f", type(i64), {y})}, Return{y}}) == 3u);
  BOOST_TEST(kept({declared, While{x < 0, {Assign{x, y}}}}) == 2u);
}

BOOST_AUTO_TEST_CASE(an_array_that_is_only_set_goes) {
  const Stm array = LocalArray{"xs", type(PrimType::i64), lit(2, PrimType::i32)};
  const Expr xs = var("xs", pointer_to(PrimType::i64));
  const Stm loop = For{.name = "i", .type = type(i64), .from = lit(0), .to = lit(2), .body = {Assign{xs[var("i", i64)], y}}};
  BOOST_TEST(kept({array, Assign{xs[lit(0)], y}, loop, Return{y}}) == 1u);
  BOOST_TEST(kept({array, Assign{xs[lit(0)], y}, Return{xs[lit(0)]}}) == 3u);
  BOOST_TEST(kept({array, Assign{xs[lit(0)], xs[lit(1)]}, Return{y}}) == 3u);
  BOOST_TEST(kept({array, Assign{xs[lit(0)], call("f", type(i64), {y})}, Return{y}}) == 3u);
}

BOOST_AUTO_TEST_CASE(an_array_that_nothing_mentions_goes) {
  const Stm array = LocalArray{"xs", type(PrimType::i64), lit(2, PrimType::i32)};
  BOOST_TEST(kept({array, Return{y}}) == 1u);
  BOOST_TEST(kept({array, Return{var("xs", pointer_to(PrimType::i64))[y]}}) == 2u);
}

}  // namespace boustro::plan::planner::unused_tests
