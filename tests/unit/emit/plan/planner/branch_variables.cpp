// Branches that assign the variable which takes what they yield: random code computes the same as before.
#include "emit/plan/planner/branch_variables.hpp"

#include <map>
#include <random>

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner::branch_variables_tests {
namespace {

using Numbers = std::map<std::string, std::int64_t>;

const Type number = type(i64);
const Expr a = var("a"), b = var("b"), c = var("c"), x = var("x"), y = var("y");

Stm declare(const Expr& variable) { return Let{.name = std::get<Var>(variable.head).name, .type = number}; }
Stm set(const Expr& variable, Expr value) { return Assign{variable, std::move(value)}; }
Stm use(const Expr& value) { return Do{call("f", type(i64), {value})}; }

Stms joined(Stms stms) {
  assign_in_branches(stms);
  return stms;
}
bool is_left_alone(const Stms& stms) { return joined(stms) == stms; }

// ---- What code computes

std::int64_t value_of(const Expr& expr, const Numbers& now) {
  if (const auto* variable = std::get_if<Var>(&expr.head)) return now.at(variable->name);
  if (const auto constant = int_value(expr)) return *constant;
  const Op op = std::get<Op>(expr.head);
  const std::int64_t left = value_of(expr.args[0], now);
  if (op == Op::logical_not) return left == 0;
  const std::int64_t right = value_of(expr.args[1], now);
  switch (op) {
    case Op::add: return left + right;
    case Op::sub: return left - right;
    case Op::lt: return left < right;
    case Op::ge: return left >= right;
    default: BOOST_FAIL("not in these tests"); return 0;
  }
}

void run(const Stms& stms, Numbers& now) {
  for (const Stm& stm : stms) {
    if (const auto* assign = std::get_if<Assign>(&stm.what)) now[std::get<Var>(assign->target.head).name] = value_of(assign->value, now);
    if (const auto* branch = std::get_if<If>(&stm.what)) run(value_of(branch->condition, now) != 0 ? branch->then_body : branch->else_body, now);
  }
}

class RandomCode {
 public:
  explicit RandomCode(unsigned seed) : random_(seed) {}

  /// Values of branches, and then who takes them.
  Stms make() {
    const std::vector<std::string> values = new_values();
    Stms stms = declared(values);
    stms.push_back(branches(values, 2));
    if (random_() % 4 == 0) stms.push_back(set(taker(), anything()));
    for (const std::string& value : values) stms.push_back(set(taker(), var(value)));
    return stms;
  }

 private:
  std::vector<std::string> new_values() {
    std::vector<std::string> names;
    for (unsigned k = 0; k < 1 + random_() % 3; ++k) names.push_back("v" + std::to_string(next_++));
    return names;
  }
  static Stms declared(const std::vector<std::string>& values) {
    Stms stms;
    for (const std::string& value : values) stms.push_back(declare(var(value)));
    return stms;
  }
  Expr taker() { return var(std::string(1, "abc"[random_() % 3])); }
  Expr anything() {
    switch (random_() % 4) {
      case 0: return lit(static_cast<std::int64_t>(random_() % 5));
      case 1: return taker() + lit(1);
      case 2: return taker() - taker();
      default: return taker();
    }
  }
  Stm branches(const std::vector<std::string>& values, int depth) {
    If branch{taker() < anything(), {}, {}};
    for (Stms* body : {&branch.then_body, &branch.else_body}) {
      if (random_() % 4 == 0) body->push_back(set(taker(), anything()));
      if (depth > 0 && random_() % 2) {
        const std::vector<std::string> inner = new_values();
        for (Stm& stm : declared(inner)) body->push_back(std::move(stm));
        body->push_back(branches(inner, depth - 1));
        for (const std::string& value : values) body->push_back(set(var(value), random_() % 3 ? var(inner[random_() % inner.size()]) : anything()));
      } else {
        for (const std::string& value : values) body->push_back(set(var(value), anything()));
      }
    }
    return branch;
  }

  std::mt19937 random_;
  int next_ = 0;
};

int assignments(const Stms& stms) {
  int count = 0;
  for_each_stm(stms, [&](const Stm& stm) { count += std::holds_alternative<Assign>(stm.what); });
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(branch_variables)

BOOST_AUTO_TEST_CASE(branches_assign_what_takes_their_value) {
  const Stms stms = joined({declare(x), If{a < b, {set(x, b)}, {set(x, c)}}, set(a, x)});
  BOOST_REQUIRE(stms.size() == 1u);
  BOOST_TEST((stms[0] == Stm(If{a < b, {set(a, b)}, {set(a, c)}})));
}

BOOST_AUTO_TEST_CASE(what_stays_is_not_assigned) {
  const Stms stms = joined({declare(x), If{a < b, {set(x, a)}, {set(x, c)}}, set(a, x)});
  BOOST_REQUIRE(stms.size() == 1u);
  const If& branch = std::get<If>(stms[0].what);
  BOOST_TEST((branch.then_body == Stms{set(a, c)}));
  BOOST_TEST(branch.else_body.empty());
}

BOOST_AUTO_TEST_CASE(what_is_read_afterwards_stays_what_it_was) {
  BOOST_TEST(is_left_alone({declare(x), If{a < b, {set(x, b), use(a)}, {set(x, c)}}, set(a, x)}));
  BOOST_TEST(is_left_alone({declare(x), If{a < b, {set(x, b)}, {set(x, c)}}, use(a), set(a, x)}));
  BOOST_TEST(is_left_alone({declare(x), If{a < b, {set(x, b)}, {set(x, c)}}, set(a, x), use(x)}));
  BOOST_TEST(is_left_alone({declare(x), If{a < b, {set(x, b)}, {set(x, c)}}, use(x), set(a, x)}));
}

BOOST_AUTO_TEST_CASE(a_second_value_may_need_what_the_first_would_replace) {
  BOOST_TEST(is_left_alone({declare(x), set(x, b), set(x, a + lit(1)), set(a, x)}));
  BOOST_TEST(is_left_alone({declare(x), set(x, b), If{a < c, {set(x, c)}, {}}, set(a, x)}));
}

BOOST_AUTO_TEST_CASE(converted_values_stay) {
  BOOST_TEST(is_left_alone({declare(x), If{a < b, {set(x, b)}, {set(x, c)}}, set(var("half", f32), x)}));
}

BOOST_AUTO_TEST_CASE(loops_and_exits_are_left_alone) {
  BOOST_TEST(is_left_alone({declare(x), For{.name = "i", .type = number, .from = lit(0), .to = b, .step = lit(1), .body = {set(x, a + b)}}, set(a, x)}));
  BOOST_TEST(is_left_alone({declare(x), If{a < b, {set(x, b), Continue{}}, {set(x, c)}}, set(a, x)}));
  BOOST_TEST(is_left_alone({declare(x), Closure{"f", {}, {use(a)}}, If{a < b, {set(x, b)}, {set(x, c)}}, set(a, x)}));
}

BOOST_AUTO_TEST_CASE(random_code_computes_the_same) {
  int fewer = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    const Stms before = RandomCode(seed).make(), after = joined(before);
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    fewer += assignments(after) < assignments(before);
    for (std::int64_t start = 0; start < 8; ++start) {
      Numbers expected{{"a", start & 1}, {"b", start >> 1 & 1}, {"c", start >> 2 & 1}}, found = expected;
      run(before, expected);
      run(after, found);
      for (const char* name : {"a", "b", "c"}) BOOST_TEST(expected.at(name) == found.at(name));
    }
  }
  BOOST_TEST(fewer > 5'000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::branch_variables_tests
