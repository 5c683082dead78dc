// Rows that a loop sums up and somebody adds to an accumulator.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace spread_loops_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// How many arrays are still written to, element by element. The meaning stays.
int updates_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  const auto spread = [](Program p) { return boustro::simplify::simplify(boustro::fuse::spread_loops(std::move(p))); };
  const auto columns = i64s({2, 0, 0, 2, 1}), values = some_f64s({5}), start = some_f64s({4, 3});
  return count<Update>(after(spread, *program, {{columns, values, start}}));
}

/// `row`: statements that make one, of m elements, from those in columns `cs` with values `vs`.
std::string text(const std::string& row, const std::string& cell = "core.update_1d acc_2 i row", const std::string& type = "[k][m]f64", const std::string& rest = "") {
  return "entry main [n] [k] [m] (cs: [n]i64) (vs: [n]f64) (start: [k][m]f64) : " + type + R"( =
  let begin = copy start
  let sums = core.with_add begin (\(acc: *core.acc ([k][m]f64)) ->
    let (acc_1, ()) = core.fused_acc k
        (\(acc_2: *core.acc ([k][m]f64)) (i: i64) ->
          )" + row + R"(
          let acc_3 = )" + cell + R"(
          )" + rest + R"(
          in (acc_3, ()))
        acc (iota k) ()
    in core.finish acc_1)
  in sums)";
}

/// A loop of additions to what begins as zeros.
std::string loop(const std::string& step, const std::string& begin = "replicate m 0.0f64") {
  return "let zeros = " + begin + "\n let row = loop (a: *[m]f64) = zeros for step < n do\n let j = n - 1i64 - step\n let c = #[unsafe] cs[j]\n let v = #[unsafe] vs[j]\n " + step;
}

const std::string add = "let x = a[c]\n let y = x + v\n let a_1 = #[unsafe] a with [c] = y\n in a_1";

}  // namespace

BOOST_AUTO_TEST_SUITE(spread_loops)

BOOST_AUTO_TEST_CASE(additions_go_to_the_accumulator) {
  BOOST_TEST(updates_of(text(loop(add))) == 0);
  BOOST_TEST(updates_of(text(loop("let x = a[c]\n let y = v + x\n let a_1 = #[unsafe] a with [c] = y\n in a_1"))) == 0);
  BOOST_TEST(updates_of(text(loop("let x = a[c]\n let y = x - v\n let a_1 = #[unsafe] a with [c] = y\n in a_1"))) == 0);
}

BOOST_AUTO_TEST_CASE(one_after_the_other_and_in_inner_loops_and_branches) {
  BOOST_TEST(updates_of(text(loop("let x = a[c]\n let y = x + v\n let a_1 = #[unsafe] a with [c] = y\n let z = a_1[c]\n let t = z + v\n let a_2 = #[unsafe] a_1 with [c] = t\n in a_2"))) == 0);
  BOOST_TEST(updates_of(text(loop("let a_3 = loop (a_1: *[m]f64) = a for u < 2i64 do (let x = a_1[c] let y = x + v let a_2 = #[unsafe] a_1 with [c] = y in a_2)\n in a_3"))) == 0);
  BOOST_TEST(updates_of(text(loop("let a_3 = if v < 0.5f64 then (let x = a[c] let y = x + v let a_1 = #[unsafe] a with [c] = y in a_1) else a\n in a_3"))) == 0);
}

BOOST_AUTO_TEST_CASE(what_is_not_an_addition_stays) {
  const std::string steps[] = {"let x = a[c]\n let y = x * v\n let a_1 = #[unsafe] a with [c] = y\n in a_1",
                               "let x = a[c]\n let y = v - x\n let a_1 = #[unsafe] a with [c] = y\n in a_1",
                               "let x = a[c]\n let y = x + x\n let a_1 = #[unsafe] a with [c] = y\n in a_1",
                               "let x = a[c]\n let y = x + v\n let a_1 = a with [0i64] = y\n in a_1",
                               "let x = a[c]\n let y = x + v\n let a_1 = #[unsafe] a with [c] = v\n let t = y + 1.0f64\n let a_2 = #[unsafe] a_1 with [0i64] = t\n in a_2",
                               "let x = a[c]\n let z = a[0i64]\n let y = x + z\n let a_1 = #[unsafe] a with [c] = y\n in a_1",
                               "let x = a[c]\n let y = x + v\n let z = #[unsafe] a[0i64]\n let t = y + z\n let a_1 = #[unsafe] a with [c] = t\n in a_1"};
  for (const std::string& step : steps) BOOST_TEST(updates_of(text(loop(step))) >= 1, step);
  const std::string two = "let zeros = replicate m 0.0f64\n let (row, last) = loop (a: *[m]f64, s: f64) = (zeros, 0.0f64) for step < n do\n let c = #[unsafe] cs[step]\n let v = #[unsafe] vs[step]\n let x = a[c]\n let y = x + v\n let a_1 = #[unsafe] a with [c] = v\n in (a_1, y)";
  BOOST_TEST(updates_of(text(two, "(let acc_5 = core.update_1d acc_2 i row in core.update_2d acc_5 i 0i64 last)")) == 1);
}

BOOST_AUTO_TEST_CASE(a_row_that_begins_with_something_else_stays) {
  BOOST_TEST(updates_of(text(loop(add, "replicate m 1.0f64"))) == 1);
  BOOST_TEST(updates_of(text(loop(add, "copy (#[unsafe] start[0i64])"))) == 1);
}

BOOST_AUTO_TEST_CASE(a_row_that_fits_into_registers_stays) {
  const std::string small = "entry main [n] [k] [m] (cs: [n]i64) (vs: [n]f64) (start: [k][m]f64) : [k][3]f64 =\n  let begin = replicate k (replicate 3i64 0.0f64)\n" +
                            std::string(R"(  let sums = core.with_add begin (\(acc: *core.acc ([k][3]f64)) ->
    let (acc_1, ()) = core.fused_acc k
        (\(acc_2: *core.acc ([k][3]f64)) (i: i64) ->
          let zeros = replicate 3i64 0.0f64
          let row = loop (a: *[3]f64) = zeros for step < n do
            let c = #[unsafe] cs[step]
            let v = #[unsafe] vs[step]
            let x = a[c]
            let y = x + v
            let a_1 = #[unsafe] a with [c] = y
            in a_1
          let acc_3 = core.update_1d acc_2 i row
          in (acc_3, ()))
        acc (iota k) ()
    in core.finish acc_1)
  in sums)");
  BOOST_TEST(updates_of(small) == 1);
}

BOOST_AUTO_TEST_CASE(a_sum_at_one_place_stays) {
  BOOST_TEST(updates_of(text(loop("let x = #[unsafe] a[0i64]\n let y = x + v\n let a_1 = #[unsafe] a with [0i64] = y\n in a_1"))) == 1);
}

BOOST_AUTO_TEST_CASE(a_row_that_is_used_twice_stays) {
  BOOST_TEST(updates_of(text(loop(add), "(let acc_5 = core.update_1d acc_2 i row in core.update_1d acc_5 0i64 row)")) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace spread_loops_tests
