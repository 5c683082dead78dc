// Updates of rows that wait for the traversals behind them.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/lower/inline.hpp"
#include "transform/simplify/simplify.hpp"

namespace late_updates_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

Program simplified(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(boustro::lower::inline_functions(std::move(*program)));
}

Program fused(Program program) { return simplify::simplify(boustro::fuse::fuse(std::move(program))); }

/// Maps of the fused program, updates having waited or not. Both mean the same as the program itself.
struct Maps {
  int late, in_place;
  bool operator==(const Maps&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Maps& maps) { return out << maps.late << " and " << maps.in_place; }

Maps maps(const std::string& text, const std::vector<Arguments>& runs = {{some_f64s({3, 2}), some_f64s({2})}, {some_f64s({1, 2}), some_f64s({2})}}) {
  const Program program = simplified(text);
  const Program late = after([](Program p) { return fused(boustro::fuse::late_updates(std::move(p))); }, program, runs);
  return {count<Map>(late), count<Map>(after(fused, program, runs))};
}

const std::string head = "entry main [n] [m] (log: *[n][m]f64) (xs: [m]f64) : ";

}  // namespace

BOOST_AUTO_TEST_SUITE(late_updates)

BOOST_AUTO_TEST_CASE(let_traversals_meet) {
  const auto found = maps(head + R"(([n][m]f64, [m]f64) =
    let ys = map (* 2) log[n - 1]
    let log[0] = ys
    let x = xs[0]
    in (log, map (* x) ys))");
  BOOST_TEST(found == (Maps{1, 2}));
}

BOOST_AUTO_TEST_CASE(wait_inside_of_loops) {
  const auto found = maps(head + R"(([n][m]f64, [m]f64) =
    loop (log, sums) = (log, replicate m 0) for i < n do
      let ys = map (* 2) log[n - 1]
      let log[i] = ys
      let x = xs[0]
      in (log, map2 (\y sum -> y * x + sum) ys sums))");
  BOOST_TEST(found == (Maps{1, 2}));
}

/// A loop that keeps its state makes the next one in the place of this one, if nobody needs this one behind that.
BOOST_AUTO_TEST_CASE(of_states_may_stay) {
  const Program program = simplified(head + R"(([n][m]f64, [m]f64) =
    loop (log, x) = (log, copy xs) for i < n do
      let log[i] = x
      in (log, map (* 2) x))");
  const auto is_first = [&](bool states) {
    const Program late = after([&](Program p) { return boustro::fuse::late_updates(std::move(p), states); }, program, {{some_f64s({3, 2}), some_f64s({2})}});
    for (const Stm& stm : late.functions.back().body.stms)
      if (const auto* loop = std::get_if<Loop>(&stm.exp)) return std::holds_alternative<Update>(loop->body.stms[0].exp);
    return false;
  };
  BOOST_TEST(!is_first(true));
  BOOST_TEST(is_first(false));
}

BOOST_AUTO_TEST_CASE(read_other_rows_of_the_version_before) {
  const auto found = maps(head + R"([n][m]f64 =
    let ys = map (* 2) log[0]
    let log[0] = ys
    let log[n - 1, 0] = 1
    in log with [0] = map2 (+) ys xs)");
  BOOST_TEST(found.late <= found.in_place);
  const auto parts = maps(R"(entry main [n] [m] (log: [n][m]f64) (xs: [m]f64) : [2][m]f64 =
    let both = replicate 2 xs
    let ys = map (* 2) log[0]
    let both[0] = ys
    let zs = map2 (+) ys both[1]
    in both with [1] = zs)");
  BOOST_TEST(parts == (Maps{1, 2}));
}

BOOST_AUTO_TEST_CASE(do_not_pass_who_reads_what_they_write) {
  const auto found = maps(head + R"(([n][m]f64, [m]f64) =
    let ys = map (* 2) xs
    let log[0] = ys
    in (log, map2 (+) ys log[n - 1]))");
  BOOST_TEST(found == (Maps{2, 2}));
}

BOOST_AUTO_TEST_CASE(do_not_pass_what_consumes_their_row) {
  const auto found = maps(head + R"(([n][m]f64, [m]f64, [m]f64) =
    let ys = map (* 2) xs
    let log[0] = ys
    let zs = ys with [0] = 7
    in (log, zs, map (* 3) xs))");
  BOOST_TEST(found.late <= found.in_place);
}

BOOST_AUTO_TEST_CASE(do_not_pass_rows_that_are_needed_later) {
  const auto found = maps(R"(entry main [m] (both: *[2][m]f64) (xs: [m]f64) (k: i64) : ([m]f64, [m]f64) =
    let both[0] = map (* 2) xs
    let other = both[1]
    let zs = map (+ 1) xs
    in (zs, map2 (*) both[k] other))", {{some_f64s({2, 3}), some_f64s({3}), i64_value(0)}});
  BOOST_TEST(found.late <= found.in_place);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace late_updates_tests
