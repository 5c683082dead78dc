#include "emit/plan/planner/strides.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner::strides_tests {

namespace {

using values::PrimType;

const Type i64 = type(PrimType::i64);
const Expr n = var("n", i64), size = var("size", i64), k = var("k", i64), first = var("first", i64);

/// for (k = 0; k < to; ++k) { const first = begin; ys[first] = x }
Stms pieces(Expr to, Expr begin, const Expr& stored = first) {
  const Expr ys = var("ys", pointer_to(i64));
  return {For{.name = "k", .type = i64, .from = lit(0), .to = std::move(to), .body = {Let{.name = "first", .type = i64, .value = std::move(begin)}, Assign{ys[first], stored}}}};
}

For counted(Stms stms) {
  count_in_strides(stms);
  return std::get<For>(stms.at(0).what);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(strides)

BOOST_AUTO_TEST_CASE(pieces_are_counted_by_their_first_elements) {
  const For loop = counted(pieces((n + size - lit(1)) / size, k * size));
  BOOST_TEST(loop.name == "first");
  BOOST_TEST((loop.to == n && loop.step == size && loop.from == lit(0)));
  BOOST_TEST(loop.body.size() == 1u);
}

BOOST_AUTO_TEST_CASE(also_inside_of_branches) {
  Stms stms{If{n > lit(0), pieces((n + size - lit(1)) / size, k * size)}};
  count_in_strides(stms);
  BOOST_TEST(std::get<For>(std::get<If>(stms[0].what).then_body[0].what).name == "first");
}

BOOST_AUTO_TEST_CASE(not_if_their_number_is_needed) {
  BOOST_TEST(counted(pieces((n + size - lit(1)) / size, k * size, k)).name == "k");
}

BOOST_AUTO_TEST_CASE(not_if_there_are_others) {
  BOOST_TEST(counted(pieces((n + size) / size, k * size)).name == "k");
  BOOST_TEST(counted(pieces((n + size - lit(2)) / size, k * size)).name == "k");
  BOOST_TEST(counted(pieces((n + n - lit(1)) / size, k * size)).name == "k");
  BOOST_TEST(counted(pieces((n + size - lit(1)) / n, k * size)).name == "k");
  BOOST_TEST(counted(pieces(n, k * size)).name == "k");
  BOOST_TEST(counted(pieces((n + size - lit(1)) / size, k * n)).name == "k");
  BOOST_TEST(counted(pieces((n + size - lit(1)) / size, n * size)).name == "k");
}

BOOST_AUTO_TEST_CASE(not_if_they_begin_elsewhere) {
  Stms stms = pieces((n + size - lit(1)) / size, k * size);
  std::get<For>(stms[0].what).from = lit(1);
  BOOST_TEST(counted(stms).name == "k");
}

BOOST_AUTO_TEST_CASE(not_if_the_first_is_no_number_of_the_loop) {
  const auto changed = [](const auto& change) {
    Stms stms = pieces((n + size - lit(1)) / size, k * size);
    For& loop = std::get<For>(stms[0].what);
    change(loop, std::get<Let>(loop.body[0].what));
    return counted(stms).name;
  };
  BOOST_TEST(changed([](For&, Let&) {}) == "first");
  BOOST_TEST(changed([](For&, Let& let) { let.changes = true; }) == "k");
  BOOST_TEST(changed([](For&, Let& let) { let.value = k + size; }) == "k");
  BOOST_TEST(changed([](For&, Let& let) { let.type = type(PrimType::i32); }) == "k");
  BOOST_TEST(changed([](For& loop, Let&) { loop.step = lit(2); }) == "k");
  BOOST_TEST(changed([](For& loop, Let&) { loop.down = true; }) == "k");
  BOOST_TEST(changed([](For& loop, Let&) { loop.parallel = true; }) == "k");
  BOOST_TEST(changed([](For& loop, Let&) { loop.body.clear(); }) == "k");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::strides_tests
