#include "emit/plan/polish/updates.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::updates_tests {
namespace {

const Type real = type(f64);
const Expr a = var("a", f64), b = var("b", f64), c = var("c", f64), d = var("d", f64);
const Expr x = var("x_adj", f64), other = var("other_x_adj", f64);
/// What the second value of `x_adj` is called until it is seen that it may be the same variable.
const planner::Others others{{"other_x_adj", {{"x_adj", "x_adj_2"}, true}}, {"another_x_adj", {{"x_adj"}, true}}, {"x_adj", {}}};

Stm let(const Expr& variable, Expr value) { return Let{.name = std::get<Var>(variable.head).name, .type = variable.type, .value = std::move(value)}; }
Stm use(const Expr& value) { return Do{call("f", type(i64), {value})}; }

Stms updated(Stms stms) {
  update_in_place(stms, others);
  return stms;
}
/// x_adj = a; other_x_adj = value; f(other_x_adj)
Stms after(Expr value, Stm last = use(other)) { return updated({let(x, a), let(other, std::move(value)), std::move(last)}); }
bool is_left_alone(const Stms& stms) { return stms.size() == 3u && !std::get<Let>(stms[0].what).changes && std::holds_alternative<Let>(stms[1].what); }

Assign change(const Expr& by, Op op) { return {x, by, op}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(updates)

BOOST_AUTO_TEST_CASE(what_is_added_to_the_last_use_of_a_value_is_added_to_it) {
  const Stms stms = after(x + b);
  BOOST_TEST(std::get<Let>(stms.at(0).what).changes);
  BOOST_TEST((std::get<Assign>(stms.at(1).what) == change(b, Op::add)));
  BOOST_TEST((stms.at(2) == use(x)));
}

BOOST_AUTO_TEST_CASE(subtracted_multiplied_or_added_on_the_left) {
  BOOST_TEST((std::get<Assign>(after(x - b).at(1).what) == change(b, Op::sub)));
  BOOST_TEST((std::get<Assign>(after(x * b).at(1).what) == change(b, Op::mul)));
  BOOST_TEST((std::get<Assign>(after(b * c + x).at(1).what) == change(b * c, Op::add)));
}

BOOST_AUTO_TEST_CASE(in_the_order_of_the_sum) {
  const Stms two = after(x + b - c);
  BOOST_TEST(two.size() == 4u);
  BOOST_TEST((std::get<Assign>(two.at(1).what) == change(b, Op::add)));
  BOOST_TEST((std::get<Assign>(two.at(2).what) == change(c, Op::sub)));
  // Many are one sum.
  BOOST_TEST((std::get<Assign>(after(x + b - c + d).at(1).what) == Assign{x, x + b - c + d}));
}

BOOST_AUTO_TEST_CASE(again_and_again) {
  const Expr another = var("another_x_adj", f64);
  const Stms stms = updated({let(x, a), let(other, x + b), let(another, other + c), use(another)});
  BOOST_TEST((std::get<Assign>(stms.at(1).what) == change(b, Op::add)));
  BOOST_TEST((std::get<Assign>(stms.at(2).what) == change(c, Op::add)));
  BOOST_TEST((stms.at(3) == use(x)));
}

BOOST_AUTO_TEST_CASE(uses_inside_of_others_are_renamed) {
  const Stms stms = after(x + b, If{a < b, {use(other)}});
  BOOST_TEST((std::get<If>(stms.at(2).what).then_body.at(0) == use(x)));
}

BOOST_AUTO_TEST_CASE(in_loops_and_branches_as_well) {
  const Stms stms = updated({If{a < b, {let(x, a), let(other, x + b), use(other)}}});
  BOOST_TEST(std::holds_alternative<Assign>(std::get<If>(stms.at(0).what).then_body.at(1).what));
}

BOOST_AUTO_TEST_CASE(not_if_the_value_is_needed_later) {
  BOOST_TEST(is_left_alone(after(x + b, use(x + other))));
  BOOST_TEST(is_left_alone(after(x + b, If{a < b, {use(x)}})));
  BOOST_TEST(is_left_alone(after(x + x * b)));
}

BOOST_AUTO_TEST_CASE(not_if_it_is_another_variable) {
  BOOST_TEST(is_left_alone(updated({let(b, a), let(other, b + c), use(other)})));
}

BOOST_AUTO_TEST_CASE(not_where_it_was_made_outside) {
  const Stms stms = updated({let(x, a), If{a < b, {let(other, x + b), use(other)}}, use(a)});
  BOOST_TEST(!std::get<Let>(stms.at(0).what).changes);
}

BOOST_AUTO_TEST_CASE(not_if_others_see_it) {
  const Stm closure = Closure{"at", {}, {use(x)}};
  BOOST_TEST(!std::get<Let>(updated({let(x, a), closure, let(other, x + b), use(other)}).at(0).what).changes);
  const Stm pointer = use(op(Op::address, x));
  BOOST_TEST(!std::get<Let>(updated({let(x, a), pointer, let(other, x + b), use(other)}).at(0).what).changes);
}

BOOST_AUTO_TEST_CASE(only_sums_and_products_of_it) {
  BOOST_TEST(is_left_alone(after(b - x)));
  BOOST_TEST(is_left_alone(after(x / b)));
  BOOST_TEST(is_left_alone(after(x)));
  BOOST_TEST(is_left_alone(after((x + b) * c)));
  BOOST_TEST(is_left_alone(after(x * b + c)));
  BOOST_TEST(is_left_alone(after(a + (x + b))));
}

BOOST_AUTO_TEST_CASE(not_of_another_type) {
  const Expr wide = var("other_x_adj", i64), narrow = var("x_adj", i32);
  BOOST_TEST(is_left_alone(updated({let(narrow, lit(1, PrimType::i32)), let(wide, cast(PrimType::i64, narrow) + lit(2)), use(wide)})));
  BOOST_TEST(is_left_alone(updated({let(narrow, lit(1, PrimType::i32)), let(wide, narrow + var("n")), use(wide)})));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::updates_tests
