// Rows that repeat a few elements, and are only taken apart again.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace repeated_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

const std::string rows = "let rows = map (\\(x: f64) -> let row = [x, 1.0f64] let all = replicate q row in (core.reshape all : [s]f64)) xs\n  ";
const std::string stated = "let rows = map (\\(x: f64) -> let row = [x, 1.0f64] let all = replicate q row let flat = (core.reshape all : [s]f64) in flat :> [size]f64) xs\n  ";

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return std::move(*program);
}

Program stored(Program program) {
  boustro::fuse::store_repeated_once(program);
  return program;
}

const std::string main = "entry main [w] (q: i64) (m: i64) (size: i64) (xs: [w]f64) : ";

/// Whether rows are stored without repetitions, which keeps all values.
bool applies(const std::string& type, const std::string& text) {
  const Program program = program_of(main + type + " =\n  let s = q * 2i64\n  " + text);
  const auto run = [](std::int64_t q, std::int64_t w) { return Arguments{i64_value(q), i64_value(q), i64_value(2 * q), some_f64s({w}, 3)}; };
  const Program result = after(stored, program, {run(3, 2), run(2, 3), run(1, 1), run(0, 2), run(2, 0)});
  return !(result == program);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(repeated)

BOOST_AUTO_TEST_CASE(what_is_taken_apart_is_stored_once) {
  BOOST_TEST(applies("[w][q][2]f64", rows + "let apart = (core.reshape rows : [w][q][2]f64)\n  let ys = map (\\(ps: [q][2]f64) -> copy ps) apart\n  in ys"));
  BOOST_TEST(applies("[q][2][w]f64", rows + "let columns = (core.rearrange (1, 0) rows : [s][w]f64)\n  let apart = (core.reshape columns : [q][2][w]f64)\n"
                                                     "  let ys = map (\\(ps: [2][w]f64) -> copy ps) apart\n  in ys"));
}

BOOST_AUTO_TEST_CASE(of_sizes_that_are_stated) {
  BOOST_TEST(applies("[m][2][w]f64", stated + "let columns = (core.rearrange (1, 0) rows : [size][w]f64)\n  let t = m * 2i64\n  let sized = columns :> [t][w]f64\n"
                                                      "  let apart = (core.reshape sized : [m][2][w]f64)\n  let ys = map (\\(ps: [2][w]f64) -> copy ps) apart\n  in ys"));
}

BOOST_AUTO_TEST_CASE(sizes_that_are_not_as_stated_are_found) {
  const auto fails = [](std::int64_t q, std::int64_t m, std::int64_t size) {
    const Program result = boustro::simplify::simplify(stored(program_of(main + "[m][2][w]f64 =\n  let s = q * 2i64\n  " + stated +
                                             "let columns = (core.rearrange (1, 0) rows : [size][w]f64)\n  let t = m * 2i64\n  let sized = columns :> [t][w]f64\n"
                                             "  let apart = (core.reshape sized : [m][2][w]f64)\n  let ys = map (\\(ps: [2][w]f64) -> copy ps) apart\n  in ys")));
    BOOST_CHECK_THROW(run_entry(result, "main", {i64_value(q), i64_value(m), i64_value(size), some_f64s({2}, 3)}), std::exception);
  };
  fails(3, 3, 5);
  fails(3, 2, 6);
  fails(3, 2, 4);
}

BOOST_AUTO_TEST_CASE(what_is_needed_as_such_stays) {
  BOOST_TEST(!applies("[][]f64", rows + "in rows"));
  BOOST_TEST(!applies("([w][q][2]f64, [][]f64)", rows + "let apart = (core.reshape rows : [w][q][2]f64)\n  let ys = copy apart\n  in (ys, rows)"));
  BOOST_TEST(!applies("([w][q][2]f64, f64)", rows + "let apart = (core.reshape rows : [w][q][2]f64)\n  let ys = copy apart\n"
                                                      "  let e = if q < 1i64 then 0.0f64 else (if w < 1i64 then 0.0f64 else (let x = rows[0i64, 0i64] in x))\n  in (ys, e)"));
  BOOST_TEST(!applies("([w][q][2]f64, [][]f64)", rows + "let apart = (core.reshape rows : [w][q][2]f64)\n  let ys = copy apart\n"
                                                            "  let zs = if q < 1i64 then rows else rows\n  in (ys, zs)"));
}

BOOST_AUTO_TEST_CASE(what_is_taken_apart_otherwise_stays) {
  BOOST_TEST(!applies("[q][w][2]f64", rows + "let apart = (core.reshape rows : [q][w][2]f64)\n  let ys = copy apart\n  in ys"));
  BOOST_TEST(!applies("[w][2][q]f64", rows + "let apart = (core.reshape rows : [w][2][q]f64)\n  let ys = copy apart\n  in ys"));
  BOOST_TEST(!applies("[]f64", rows + "let n = w * s\n  let flat = (core.reshape rows : [n]f64)\n  let ys = copy flat\n  in ys"));
  BOOST_TEST(!applies("[]f64", rows + "let n = w * q\n  let apart = (core.reshape rows : [n][2][1]f64)\n  let ys = map (\\(ps: [2][1]f64) -> ps[0i64, 0i64]) apart\n  in ys"));
}

BOOST_AUTO_TEST_CASE(rows_of_unknown_length_stay) {
  BOOST_TEST(!applies("[w][q][m]f64", "let t = q * m\n  let rows = map (\\(x: f64) -> let row = replicate m x let twice = map (+ 1.0f64) row let all = replicate q twice in (core.reshape all : [t]f64)) xs\n"
                                      "  let apart = (core.reshape rows : [w][q][m]f64)\n  let ys = copy apart\n  in ys"));
}

BOOST_AUTO_TEST_CASE(what_does_not_repeat_stays) {
  BOOST_TEST(!applies("[w][q][2]f64", "let rows = map (\\(x: f64) -> let n = q * 2i64 let is = iota s let row = map (\\(i: i64) -> let y = f64.i64 i in y * x) is in row) xs\n"
                                      "  let apart = (core.reshape rows : [w][q][2]f64)\n  let ys = copy apart\n  in ys"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repeated_tests
