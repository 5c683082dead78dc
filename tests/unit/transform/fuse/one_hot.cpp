// Rows of adjoints that are zero but in one place, and what adds nothing for a zero (transform/facts/vanishing.hpp).
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace one_hot_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// Whether there is no traversal of the rows' elements any more, of three traversals in all. The meaning stays.
bool are_places(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  const auto replaced = [](Program p) {
    boustro::fuse::replace_one_hot_rows(p);
    return boustro::simplify::simplify(std::move(p));
  };
  const auto places = i64s({2, -1, 0, 2, 7}), values = some_f64s({5}), factors = some_f64s({3}, 2);
  return count<Map>(after(replaced, *program, {{places, values, factors}})) < 3;
}

/// `row`: for the place w and the value v. `adds`: what an element v of the row and y of the factors add, with statements before it.
std::string text(const std::string& row, const std::string& adds, const std::string& result = "sums", const std::string& type = "[k]f64") {
  return "entry main [n] [k] (ws: [n]i64) (vs: [n]f64) (ys: [k]f64) : " + type + R"( =
  let rows = map2 (\(w: i64) (v: f64) ->
    )" + row + R"() ws vs
  let start = replicate k 0.0f64
  let sums = core.with_add start (\(acc: *core.acc ([k]f64)) ->
    let (acc_1, ()) = core.fused_acc n
        (\(acc_2: *core.acc ([k]f64)) (row: [k]f64) ->
          let (acc_3, ()) = core.fused_acc k
              (\(acc_4: *core.acc ([k]f64)) (v: f64, y: f64, j: i64) ->
                )" + adds + R"(
                let acc_5 = core.update_1d acc_4 j term
                in (acc_5, ()))
              acc_2 (row, ys, iota k) ()
          in (acc_3, ()))
        acc rows ()
    in core.finish acc_1)
  in )" + result;
}

const std::string zeros = "let zeros = replicate k 0.0f64\n    ";
const std::string added = zeros + R"(let row = core.with_add zeros (\(acc: *core.acc ([k]f64)) ->
      let acc_1 = core.update_1d acc w v
      in core.finish acc_1)
    in row)";
const std::string written = zeros + "let place = if 0 <= w && w < k then w else 0\n    let row = #[unsafe] zeros with [place] = v\n    in row";
const std::string product = "let term = v * y";

}  // namespace

BOOST_AUTO_TEST_SUITE(one_hot)

BOOST_AUTO_TEST_CASE(rows_with_one_addition_are_a_place) { BOOST_TEST(are_places(text(added, product))); }

BOOST_AUTO_TEST_CASE(so_are_rows_with_an_element_that_is_written) { BOOST_TEST(are_places(text(written, product))); }

BOOST_AUTO_TEST_CASE(and_rows_that_a_branch_yields) {
  const std::string branch = "let won = 0i64 <= w && w < k\n    let row = if won then (" + zeros + "in #[unsafe] zeros with [w] = v) else (" + zeros + "in zeros)\n    in row";
  BOOST_TEST(are_places(text(branch, product)));
}

BOOST_AUTO_TEST_CASE(others_are_not) {
  const std::string ones = "let ones = replicate k 1.0f64\n    let place = if 0 <= w && w < k then w else 0\n    let row = #[unsafe] ones with [place] = v\n    in row";
  BOOST_TEST(!are_places(text(ones, product)));
  const std::string two = zeros + R"(let row = core.with_add zeros (\(acc: *core.acc ([k]f64)) ->
      let acc_1 = core.update_1d acc w v
      let acc_2 = core.update_1d acc_1 0i64 v
      in core.finish acc_2)
    in row)";
  BOOST_TEST(!are_places(text(two, product)));
  const std::string branch = "let won = 0i64 <= w\n    let row = if won then (" + zeros + "in zeros) else replicate k v\n    in row";
  BOOST_TEST(!are_places(text(branch, product)));
}

BOOST_AUTO_TEST_CASE(rows_that_somebody_else_needs_stay) {
  BOOST_TEST(!are_places(text(added, product, "(sums, rows)", "([k]f64, [n][k]f64)")));
  BOOST_TEST(!are_places(text(added, product, "(sums, #[unsafe] rows[0i64])", "([k]f64, [k]f64)")));
}

BOOST_AUTO_TEST_CASE(elements_that_add_nothing_at_zero_are_left_out) {
  const std::string sums[] = {"let t = v * y\n let u = v / 2.0f64\n let s = t - u\n let term = -s",
                              "let term = if y < 0.5f64 then v * 3.0f64 else 0.0f64",
                              "let term = loop s = 0.0f64 for i < 3i64 do (let t = v * y in s + t)",
                              "let xs = replicate 2i64 v\n let term = #[unsafe] xs[1i64]"};
  for (const std::string& sum : sums) BOOST_TEST(are_places(text(added, sum)), sum);
}

BOOST_AUTO_TEST_CASE(all_others_are_added) {
  const std::string sums[] = {"let t = v * y\n let term = t + 1.0f64", "let term = y / v", "let term = v - y", "let term = if y < 0.5f64 then v else 1.0f64",
                              "let term = f64.exp v", "let term = loop s = 1.0f64 for i < 3i64 do (let t = v * y in s + t)",
                              "let term = loop s = 0.0f64 for i < 3i64 do (let t = v * y let u = s + t in u + y)",
                              "let xs = replicate 2i64 v\n let xs_1 = #[unsafe] xs with [0i64] = y\n let parity = j % 2i64\n let term = #[unsafe] xs_1[parity]"};
  for (const std::string& sum : sums) BOOST_TEST(!are_places(text(added, sum)), sum);
}

BOOST_AUTO_TEST_CASE(rows_of_a_traversal_that_also_adds_are_places) {
  const std::string both = R"(entry main [n] [k] (ws: [n]i64) (vs: [n]f64) (ys: [k]f64) : ([k]f64, [k]f64) =
  let counts = replicate k 0.0f64
  let (counts_1, rows) = core.with_add counts (\(acc: *core.acc ([k]f64)) ->
    let (acc_1, (rows: [n][k]f64)) = core.fused_acc n
        (\(acc_2: *core.acc ([k]f64)) (w: i64, v: f64) ->
          let won = 0i64 <= w && w < k
          let (row, acc_3) =
            if won then
              let acc_4 = core.update_1d acc_2 w 1.0f64
              let zeros = replicate k 0.0f64
              let row = #[unsafe] zeros with [w] = v
              in (row, acc_4)
            else (replicate k 0.0f64, acc_2)
          in (acc_3, row))
        acc (ws, vs) (core.store 1)
    in (core.finish acc_1, rows))
  let start = replicate k 0.0f64
  let sums = core.with_add start (\(acc: *core.acc ([k]f64)) ->
    let (acc_1, ()) = core.fused_acc n
        (\(acc_2: *core.acc ([k]f64)) (row: [k]f64) ->
          let (acc_3, ()) = core.fused_acc k
              (\(acc_4: *core.acc ([k]f64)) (v: f64, y: f64, j: i64) ->
                let term = v * y
                let acc_5 = core.update_1d acc_4 j term
                in (acc_5, ()))
              acc_2 (row, ys, iota k) ()
          in (acc_3, ()))
        acc rows ()
    in core.finish acc_1)
  in (counts_1, sums))";
  BOOST_TEST(are_places(both));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace one_hot_tests
