#include "emit/plan/planner/apart.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/tidy.hpp"

namespace boustro::plan::planner::apart_tests {
namespace {

const Expr b = var("b"), d = var("d"), i = var("i"), k = var("k");
/// Of b, 1 or more, and k, 0 or more.
const Signs signs{{"b", "k"}, {"b"}};

const Expr xs = var("xs", pointer_to(f64)), x = var("x", f64), y = var("y", f64), n = var("n");

/// { const x = xs[3n + i]; xs[other] = y; xs[3n + i] = x + y; } for each i below n, tidied: how many statements it has.
std::size_t statements_beside(const Expr& other, Expr from = lit(0), bool down = false) {
  const Expr own = xs[lit(3) * n + i];
  const Stms body{Let{"x", type(f64), own}, Assign{xs[other], y}, Assign{own, x + y}};
  Stms stms{For{.name = "i", .type = type(i64), .from = std::move(from), .to = n, .down = down, .body = body}};
  tidy(stms);
  return std::get<For>(stms.at(0).what).body.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(apart)

BOOST_AUTO_TEST_CASE(what_differs_by_a_positive_number_is_apart) {
  BOOST_TEST(are_apart(lit(3) * b + i, lit(7) * b + i, signs));
  BOOST_TEST(are_apart(lit(7) * b + i, lit(3) * b + i, signs));
  BOOST_TEST(are_apart((i * 2 + 1) * b + d, i * (lit(2) * b) + d, signs));
  BOOST_TEST(are_apart(i + 1, i, signs));
  BOOST_TEST(are_apart(i + k * b + b, i, signs));
}

BOOST_AUTO_TEST_CASE(what_may_be_the_same_is_not) {
  BOOST_TEST(!are_apart(i, i, signs));
  BOOST_TEST(!are_apart(i, i + k, signs));      // k may be 0
  BOOST_TEST(!are_apart(i, i + d * b, signs));  // so may d
  BOOST_TEST(!are_apart(i, i + d * b + b, signs));
  BOOST_TEST(!are_apart(i + b, i + k + 1, signs));
  BOOST_TEST(!are_apart(i, d, signs));
  BOOST_TEST(!are_apart(i + b, i + 3, signs));
}

BOOST_AUTO_TEST_CASE(what_may_wrap_around_is_not) {
  const auto byte = [](const Expr& x) { return cast(PrimType::i64, cast(PrimType::u8, x)); };
  BOOST_TEST(!are_apart(byte(i + 256), byte(i), signs));
  BOOST_TEST(!are_apart(byte(i + b), i, signs));
  BOOST_TEST(!are_apart(cast(PrimType::i32, i + b), cast(PrimType::i32, i), signs));
  const Expr u = var("u", PrimType::u32);
  BOOST_TEST(!are_apart(u + u * u, u, {{"u"}, {"u"}}));
  // As wider integers they are what they were.
  const Expr t = var("t", PrimType::i32);
  BOOST_TEST(are_apart(cast(PrimType::i64, t + 1), cast(PrimType::i64, t), signs));
  const Signs both{{"b", "t"}, {}};
  BOOST_TEST(both.is_not_negative(cast(PrimType::i64, t)));
  BOOST_TEST(!both.is_not_negative(cast(PrimType::i32, b)));
}

BOOST_AUTO_TEST_CASE(signs_of_what_is_counted) {
  Signs known = signs;
  known.learn(Let{"thread", type(i64), cast(i64, position(Position::block_x)) * runtime::block_size() + position(Position::thread_x)});
  BOOST_TEST(known.is_not_negative(var("thread")));
  known.learn(Let{"before", type(i64), k - 1});
  BOOST_TEST(!known.is_not_negative(var("before")));
  known.learn(Let{.name = "count", .type = type(i64), .value = k + 1, .changes = true});
  BOOST_TEST(!known.is_not_negative(var("count")));
}

BOOST_AUTO_TEST_CASE(bounds_of_loops_are_positive_inside_of_them) {
  BOOST_TEST(statements_beside(lit(7) * n + i) == 2u);
  BOOST_TEST(statements_beside(lit(7) * n + i, lit(-1)) == 3u);
  BOOST_TEST(statements_beside(lit(7) * n + i, lit(3), true) == 3u);
  BOOST_TEST(statements_beside(lit(7) * d + i) == 3u);
  BOOST_TEST(statements_beside(lit(3) * n + i) == 3u);
}

BOOST_AUTO_TEST_CASE(a_bound_that_changes_may_be_anything) {
  const Stm loop = For{.name = "i", .type = type(i64), .from = lit(0), .to = n, .body = {Assign{n, n - 1}}};
  BOOST_TEST(!Signs{}.inside(loop).positive.contains("n"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::apart_tests
