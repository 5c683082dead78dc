// Arrays that are written in place: random steps of a loop come to the same as before.
#include "emit/plan/planner/arrays_in_place.hpp"

#include <map>
#include <random>

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/arithmetic.hpp"
#include "emit/plan/walk.hpp"

namespace boustro::plan::planner::arrays_in_place_tests {
namespace {

const Type number = type(i64);
const Expr x = var("x", pointer_to(i64)), next = var("next", pointer_to(i64)), z = var("z", pointer_to(i64)), i = var("i"), c = var("c");

Stm set(const Expr& target, Expr value) { return Assign{target, std::move(value)}; }
Stm each(Stms body) { return For{.name = "i", .type = number, .from = lit(0), .to = lit(2), .body = std::move(body)}; }
Stm use(const Expr& value) { return Do{call("f", type(i64), {value})}; }
Stm array(const Expr& variable) { return LocalArray{std::get<Var>(variable.head).name, number, lit(2)}; }
const Stm back = each({set(x[i], next[i])});

/// x and next; a loop of these steps, and the copy at their end.
Stms steps(Stms body) {
  body.push_back(back);
  return {array(x), array(next), array(z), For{.name = "n", .type = number, .from = lit(0), .to = lit(3), .body = std::move(body)}, use(x[lit(0)]), use(z[lit(0)])};
}
bool goes(Stms stms) {
  write_in_place(stms);
  return std::none_of(stms.begin(), stms.end(), [](const Stm& stm) {
    const auto* local = std::get_if<LocalArray>(&stm.what);
    return local && local->name == "next";
  });
}

// ---- What code computes

struct State {
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::vector<std::int64_t>> arrays;
};

std::int64_t& element(const Expr& expr, State& now);

std::int64_t value_of(const Expr& expr, State& now) {
  if (const auto* variable = std::get_if<Var>(&expr.head)) return now.numbers.at(variable->name);
  if (std::holds_alternative<Element>(expr.head)) return element(expr, now);
  if (const auto constant = int_value(expr)) return *constant;
  const Op op = std::get<Op>(expr.head);
  const std::int64_t left = value_of(expr.args[0], now);
  if (op == Op::logical_not) return left == 0;
  const std::int64_t right = value_of(expr.args[1], now);
  switch (op) {
    case Op::add: return (left + right) % 64;
    case Op::sub: return left - right;
    case Op::lt: return left < right;
    case Op::ge: return left >= right;
    default: BOOST_FAIL("not in these tests"); return 0;
  }
}
std::int64_t& element(const Expr& expr, State& now) {
  return now.arrays.at(std::get<Var>(expr.args[0].head).name).at(static_cast<std::size_t>(value_of(expr.args[1], now)));
}

void run(const Stms& stms, State& now) {
  for (const Stm& stm : stms) {
    if (const auto* assign = std::get_if<Assign>(&stm.what)) {
      const std::int64_t value = value_of(assign->value, now);
      element(assign->target, now) = value;
    } else if (const auto* branch = std::get_if<If>(&stm.what)) {
      run(value_of(branch->condition, now) != 0 ? branch->then_body : branch->else_body, now);
    } else if (const auto* loop = std::get_if<For>(&stm.what)) {
      for (std::int64_t k = 0; k < value_of(loop->to, now); ++k) {
        now.numbers[loop->name] = k;
        run(loop->body, now);
      }
    }
  }
}

/// Steps that set all of `next` on each way, and parts of z.
class RandomSteps {
 public:
  explicit RandomSteps(unsigned seed) : random_(seed) {}

  Stms make(int depth = 2) {
    Stms stms;
    if (random_() % 3 == 0) stms.push_back(other());
    if (depth > 0 && random_() % 2) {
      stms.push_back(If{any(lit(0)) < any(lit(1)), make(depth - 1), make(depth - 1)});
    } else if (random_() % 4 == 0) {
      for (const int at : {0, 1}) stms.push_back(set(next[lit(at)], any(lit(static_cast<int>(random_() % 2)))));
    } else {
      Stms body;
      if (random_() % 4 == 0) body.push_back(set(z[i], any(i)));
      body.push_back(set(next[i], random_() % 4 ? any(i) : any(lit(static_cast<int>(random_() % 2)))));
      if (random_() % 8 == 0) body.push_back(set(z[i], any(i)));
      stms.push_back(each(std::move(body)));
    }
    if (random_() % 4 == 0) stms.push_back(other());
    return stms;
  }

 private:
  Expr any(const Expr& at) {
    switch (random_() % 4) {
      case 0: return x[at];
      case 1: return x[at] + z[at];
      case 2: return z[at] + lit(1);
      default: return random_() % 4 ? x[at] - lit(2) : lit(3);
    }
  }
  Stm other() { return each({set(z[i], any(random_() % 2 ? i : lit(1)))}); }

  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(arrays_in_place)

BOOST_AUTO_TEST_CASE(an_array_that_a_step_overwrites_is_written_in_place) {
  Stms stms = steps({If{c < lit(1), {each({set(next[i], x[i])})}, {each({set(next[i], x[i] + z[i])})}}});
  write_in_place(stms);
  BOOST_REQUIRE(stms.size() == 5u);
  const Stms& body = std::get<For>(stms[2].what).body;
  BOOST_REQUIRE(body.size() == 1u);
  const If& branch = std::get<If>(body[0].what);
  BOOST_TEST((branch.then_body == Stms{each({set(x[i], x[i] + z[i])})}));
  BOOST_TEST(branch.else_body.empty());
}

BOOST_AUTO_TEST_CASE(what_is_read_later_stays) {
  BOOST_TEST(goes(steps({each({set(next[i], z[i])})})));
  BOOST_TEST(!goes(steps({each({set(next[i], z[i])}), each({set(z[i], x[i])})})));
  BOOST_TEST(!goes(steps({each({set(next[i], x[lit(0)])})})));
  BOOST_TEST(!goes(steps({each({set(next[i], z[i]), set(z[i], x[i])})})));
  BOOST_TEST(!goes(steps({set(next[lit(0)], z[lit(0)]), set(next[lit(1)], x[lit(0)])})));
  const Stm from_z = each({set(next[i], z[i])});
  BOOST_TEST(!goes(steps({from_z, each({set(next[i], x[i])})})));
  BOOST_TEST(!goes(steps({from_z, If{x[lit(0)] < c, {from_z}, {}}})));
  BOOST_TEST(!goes(steps({If{c < lit(1), {from_z}, {use(c)}}, each({set(z[i], x[i])})})));
}

BOOST_AUTO_TEST_CASE(arrays_that_others_need_or_see_stay) {
  Stms needed = steps({each({set(next[i], z[i])})});
  needed.push_back(use(next[lit(0)]));
  BOOST_TEST(!goes(needed));
  BOOST_TEST(!goes(steps({Let{"p", pointer_to(i64), x + lit(1)}, each({set(next[i], z[i])})})));
  BOOST_TEST(!goes(steps({If{c < lit(1), {Return{}}}, each({set(next[i], z[i])})})));
  Stms in_part = steps({each({set(next[i], z[i])})});
  std::get<LocalArray>(in_part[1].what).size = lit(3);
  BOOST_TEST(!goes(in_part));
}

BOOST_AUTO_TEST_CASE(random_steps_come_to_the_same) {
  int gone = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    const Stms before = steps(RandomSteps(seed).make());
    Stms after = before;
    write_in_place(after);
    gone += after.size() < before.size();
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    State expected{{{"c", 0}}, {{"x", {1, 5}}, {"next", {7, 7}}, {"z", {2, 0}}}}, found = expected;
    run({before[3]}, expected);
    run({*std::find_if(after.begin(), after.end(), [](const Stm& stm) { return std::holds_alternative<For>(stm.what); })}, found);
    BOOST_TEST(expected.arrays.at("x") == found.arrays.at("x"));
    BOOST_TEST(expected.arrays.at("z") == found.arrays.at("z"));
  }
  BOOST_TEST(gone > 4'000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::arrays_in_place_tests
