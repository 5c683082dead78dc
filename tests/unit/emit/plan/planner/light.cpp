#include "emit/plan/planner/light.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "templates/embedded.hpp"

namespace boustro::plan::planner::light_tests {

namespace {

using values::PrimType;

const Expr i = var("i", PrimType::i64), y = var("y", PrimType::f64);
const Expr xs = var("xs", pointer_to(PrimType::f64)), ys = var("ys", pointer_to(PrimType::f64));

/// Sets y `count` times.
Stms sets(int count) {
  Stms stms{Let{.name = "y", .type = type(PrimType::f64), .value = xs[i], .changes = true}};
  for (int k = 0; k < count; ++k) stms.push_back(Assign{y, y + lit(1.0)});
  stms.push_back(Assign{ys[i], y});
  return stms;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(light)

BOOST_AUTO_TEST_CASE(a_store_is_light) {
  BOOST_TEST(are_light({Assign{ys[i], lit(1.0)}}));
  BOOST_TEST(are_light({If{i < 3, {Assign{ys[i], xs[i]}}, {Assign{ys[i], xs[i + 1]}}}}));
}

BOOST_AUTO_TEST_CASE(points_of_more_than_32_bytes_are_not) {
  BOOST_TEST(are_light({Assign{ys[i], xs[i] + xs[i + 1] + xs[i + 2]}}));
  BOOST_TEST(!are_light({Assign{ys[i], xs[i] + xs[i + 1] + xs[i + 2] + xs[i + 3]}}));
  const Expr zs = var("zs", pointer_to(PrimType::f32));
  BOOST_TEST(are_light({Assign{ys[i], xs[i] + xs[i + 1]}, Assign{zs[i], zs[i + 1]}}));
}

BOOST_AUTO_TEST_CASE(what_nobody_uses_does_not_count) {
  BOOST_TEST(are_light({Let{.name = "x", .type = type(PrimType::f64), .value = xs[i] + xs[i + 1] + xs[i + 2] + xs[i + 3]}, Assign{ys[i], y}}));
}

BOOST_AUTO_TEST_CASE(loops_and_atomic_operations_are_not) {
  const Stm store = Assign{ys[i], lit(1.0)};
  BOOST_TEST(!are_light({For{.name = "j", .type = type(PrimType::i64), .from = lit(0), .to = i, .body = {store}}}));
  BOOST_TEST(!are_light({If{i < 3, {While{i < 3, {store}}}}}));
  BOOST_TEST(!are_light({Atomic{AtomicKind::add, ys[i], y}}));
}

BOOST_AUTO_TEST_CASE(functions_of_the_program_are_not) {
  BOOST_TEST(are_light({Assign{ys[runtime::min(i, i + 1)], y}}));
  BOOST_TEST(!are_light({Assign{ys[i], y * call("f", type(PrimType::f64), {y})}}));
}

BOOST_AUTO_TEST_CASE(long_ones_are_not) {
  BOOST_TEST(are_light(sets(10)));
  BOOST_TEST(!are_light(sets(11)));
}

BOOST_AUTO_TEST_CASE(launches_have_as_many_blocks_as_plans_say) {
  const templates::Template* text = templates::find("few_blocks_for", templates::Language::cuda);
  BOOST_REQUIRE(text != nullptr);
  BOOST_TEST(text->text.find(std::to_string(runtime::few_blocks) + " / beside") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::light_tests
