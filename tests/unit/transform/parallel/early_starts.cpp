// Arrays that are put together from rows: where they start, and with which values.
#include <fmt/format.h>

#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/simplify/simplify.hpp"

namespace early_starts_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;
namespace simplify = boustro::simplify;

namespace {

/// What makes the arrays of an entry that has xs, ys: [n]i64, in their order.
std::string made(const std::string& type, const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered("entry main [n] (xs: [n]i64) (ys: [n]i64) : " + type + " =\n  " + text + "\n", "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  const Program plain = simplify::simplify(boustro::lower::inline_functions(simplify::simplify(std::move(*program))));
  const Program early = after(parallel::start_early, plain, {{i64s({3, 5, 7}), i64s({2, 4, 8})}, {i64s({}), i64s({})}});
  std::string result;
  for (const Stm& stm : early.functions.back().body.stms)
    result += std::holds_alternative<Map>(stm.exp) ? "map " : std::holds_alternative<Replicate>(stm.exp) ? "replicate " : std::holds_alternative<Scratch>(stm.exp) ? "scratch " : "";
  return result;
}

const std::string rows = "let as = map (* 2) xs let bs = map (+ 1) ys ";

/// Two rows of an array of `count`.
std::string two_of(const std::string& count, const std::string& first, const std::string& second, const std::string& last = "zss") {
  return rows + "let zss = replicate " + count + " (replicate n 0) let zss = zss with [" + first + "] = as let zss = zss with [" + second + "] = bs in " + last;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(early_starts)

BOOST_AUTO_TEST_CASE(arrays_start_before_their_rows) {
  BOOST_TEST(made("[2][n]i64", two_of("2", "1", "0")) == "scratch map map ");
  BOOST_TEST(made("[3][n]i64", two_of("3", "1", "0")) == "replicate map map ");
  BOOST_TEST(made("[2][n]i64", two_of("2", "1", "1")) == "replicate map ");
  BOOST_TEST(made("[1][n]i64", rows + "let zss = replicate 1 (replicate n 0) in zss with [0] = map2 (+) as bs") == "map map scratch map ");
}

BOOST_AUTO_TEST_CASE(rows_that_are_used_otherwise_stay) {
  BOOST_TEST(made("([2][n]i64, [n]i64)", two_of("2", "1", "0", "(zss, as)")) == "map scratch map ");
  BOOST_TEST(made("([2][n]i64, i64)", two_of("2", "1", "0", "(zss, i64.sum as + i64.sum bs)")) == "map map scratch ");
}

BOOST_AUTO_TEST_CASE(starts_that_are_read_have_their_values) {
  BOOST_TEST(made("([2][n]i64, i64)", rows + "let zss = replicate 2 (replicate n 7) let zss = zss with [0] = as let z = i64.sum zss[1]\n"
                                             "let zss = zss with [1] = bs in (zss, z)") == "replicate map map ");
}

BOOST_AUTO_TEST_CASE(nothing_starts_before_its_size_is_known) {
  BOOST_TEST(made("[]i64", rows + "let m = i64.max 3 (i64.sum as) let cs = map (* m) bs let zss = replicate 2 (replicate n m)\n"
                                  "let zss = zss with [0] = cs in flatten zss") == "map map replicate map ");
  BOOST_TEST(made("[]i64", rows + "let m = i64.max 3 (i64.sum as) let zss = replicate 2 (replicate n m) let zss = zss with [0] = bs in flatten zss") ==
             "map map replicate ");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace early_starts_tests
