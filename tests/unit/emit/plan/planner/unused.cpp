#include "emit/plan/planner/unused.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner {
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

BOOST_AUTO_TEST_CASE(an_array_that_nothing_mentions_goes) {
  const Stm array = LocalArray{"xs", type(PrimType::i64), lit(2, PrimType::i32)};
  BOOST_TEST(kept({array, Return{y}}) == 1u);
  BOOST_TEST(kept({array, Return{var("xs", pointer_to(PrimType::i64))[y]}}) == 2u);
}

}  // namespace boustro::plan::planner
