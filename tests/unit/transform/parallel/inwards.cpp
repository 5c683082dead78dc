// Loops that go into the threads: where their arrays start, and where their rows are filled. What becomes of programs is in
// programs/inwards.fut and programs/steps_apart.fut.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/simplify/simplify.hpp"

namespace inwards_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;
namespace simplify = boustro::simplify;

namespace {

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(boustro::lower::inline_functions(simplify::simplify(std::move(*program))));
}

/// How many arrays without values there are once loops have got their starts.
int undefined_starts(const std::string& loop) {
  const Program program = program_of(
      "entry main [n] [b] (m: i64) (xsss: [n][2][b]i64) (start: [n][2][b]i64) : [n][2][b]i64 =\n"
      "  loop rows = copy start for " + loop + "\n");
  const std::vector<Arguments> runs = {{i64_value(2), some_i64s({2, 2, 3}, 50), some_i64s({2, 2, 3}, 50, 2)},
                                       {i64_value(1), some_i64s({3, 2, 2}, 50), some_i64s({3, 2, 2}, 50, 2)},
                                       {i64_value(0), some_i64s({0, 2, 3}, 50), some_i64s({0, 2, 3}, 50)}};
  return count<Scratch>(after(parallel::starts_undefined, program, runs));
}

Program filled(Program program) { return simplify::simplify(parallel::rows_in_place(std::move(program))); }

/// The same of loops of a thread, whose rows are filled where they are stored.
int undefined_rows(const std::string& between, const std::string& element, const std::string& last,
                   const std::string& store = "#[unsafe] (rows with [i] = row)") {
  const Program program = program_of(
      "entry main [k] (xs: [k]i64) (n: i64) (m: i64) : [k][n][m]i64 =\n"
      "  map (\\x -> loop rows = replicate n (replicate m x) for i < n do\n"
      "     " + between + "\n"
      "     let row = loop row = (core.scratch m : [m]i64) for j < m do " + element + "\n"
      "     " + last + "\n"
      "     in " + store + ") xs\n");
  const Arguments xs = {i64s({3, 5}), i64_value(2), i64_value(3)};
  return count<Scratch>(after(filled, program, {xs, {i64s({3, 5}), i64_value(0), i64_value(3)}, {i64s({3, 5}), i64_value(2), i64_value(0)}}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inwards)

BOOST_AUTO_TEST_CASE(what_a_loop_overwrites_starts_undefined) {
  BOOST_TEST(undefined_starts("i < n do rows with [i] = copy xsss[i]") == 1);
  BOOST_TEST(undefined_starts("i < n do rows with [n - 1 - i] = copy xsss[i]") == 1);
  BOOST_TEST(undefined_starts("i < n do let rows = rows with [n - 1 - i, 1] = copy xsss[i, 0] in rows with [n - 1 - i, 0] = copy xsss[i, 1]") == 1);
}

BOOST_AUTO_TEST_CASE(unless_something_is_left_of_it) {
  BOOST_TEST(undefined_starts("i < n do rows with [i, 0] = copy xsss[i, 0]") == 0);
  BOOST_TEST(undefined_starts("i < n do let rows = rows with [i, 0] = copy xsss[i, 0] in rows with [i, 0] = copy xsss[i, 1]") == 0);
  BOOST_TEST(undefined_starts("i < i64.min m n do rows with [i] = copy xsss[i]") == 0);
  BOOST_TEST(undefined_starts("i < n do rows with [i / 2] = copy xsss[i]") == 0);
  BOOST_TEST(undefined_starts("i < n do rows with [0] = copy xsss[i]") == 0);
  BOOST_TEST(undefined_starts("i < n do let rows = rows with [i, 0] = copy xsss[i, 0] in rows with [n - 1 - i, 1] = copy xsss[i, 1]") == 0);
  BOOST_TEST(undefined_starts("i < n do let rows = rows with [i, 0] = copy xsss[i, 0] in rows with [i, i % 2] = copy xsss[i, 1]") == 0);
}

BOOST_AUTO_TEST_CASE(or_is_read) {
  BOOST_TEST(undefined_starts("i < n do rows with [i] = copy rows[n - 1 - i]") == 0);
  BOOST_TEST(undefined_starts("i < n do if m == 1 then rows else rows with [i] = copy xsss[i]") == 0);
}

BOOST_AUTO_TEST_CASE(or_goes_elsewhere) {
  const auto starts = [](const std::string& loop) {
    const Program program = program_of("entry main [n] (xs: [n]i64) (ys: [n]i64) (zs: [n]i64) (yss: [n][n]i64) : ([n]i64, [n]i64, [n][n]i64) =\n"
                                       "  loop (ys, zs, yss) = (copy ys, copy zs, copy yss) for i < n do\n    " + loop + "\n");
    return count<Scratch>(after(parallel::starts_undefined, program, {{i64s({1, 2, 3}), i64s({4, 5, 6}), i64s({7, 8, 9}), some_i64s({3, 3}, 50)}}));
  };
  BOOST_TEST(starts("(ys with [i] = xs[i], zs with [n - 1 - i] = xs[i], yss)") == 2);
  BOOST_TEST(starts("(zs with [i] = xs[i], ys with [i] = 2 * xs[i], yss)") == 0);
  BOOST_TEST(starts("let yss = yss with [n - 1 - i] = ys in (ys with [i] = xs[i], zs with [0] = i, yss)") == 1);  // only of yss
}

BOOST_AUTO_TEST_CASE(rows_are_filled_where_they_are_stored) {
  BOOST_TEST(undefined_rows("", "row with [j] = x * i + j", "") == 0);
  BOOST_TEST(undefined_rows("", "row with [j] = x * i + j", "", "rows with [i] = row") == 0);
  BOOST_TEST(undefined_rows("let y = if m < 1 then 0 else rows[0, 0]", "row with [j] = x * i + j + y", "") == 0);
}

BOOST_AUTO_TEST_CASE(rows_of_the_host_stay) {
  const Program program = program_of(
      "entry main (n: i64) (m: i64) : [n][m]i64 =\n"
      "  loop rows = replicate n (replicate m 0) for i < n do\n"
      "    let row = loop row = (core.scratch m : [m]i64) for j < m do row with [j] = 2 * i + j\n"
      "    in #[unsafe] (rows with [i] = row)\n");
  BOOST_TEST(count<Scratch>(after(filled, program, {{i64_value(2), i64_value(3)}})) == 1);
}

BOOST_AUTO_TEST_CASE(unless_somebody_sees_the_difference) {
  BOOST_TEST(undefined_rows("", "row with [j] = if j == 0 then x else row[j - 1] + i", "") == 1);
  BOOST_TEST(undefined_rows("", "row with [j] = x + rows[i, (j + m - 1) % m]", "") == 1);
  BOOST_TEST(undefined_rows("let before = if n < 7 then rows[i] else rows[n - 1 - i]", "row with [j] = x + before[(j + m - 1) % m]", "") == 1);
  BOOST_TEST(undefined_rows("", "row with [j] = x * i + j", "let rows = if m < 1 then rows else rows with [0, 0] = rows[i, 0] + 2") == 1);
  BOOST_TEST(undefined_rows("", "row with [j] = x * i + j", "let l = if m < 1 then 0 else (row[0] % n + n) % n", "#[unsafe] (rows with [l] = row)") == 1);
  BOOST_TEST(undefined_rows("", "row with [j] = x * i + j", "let rows = #[unsafe] (rows with [n - 1 - i] = row)") == 1);
  BOOST_TEST(undefined_rows("", "row with [j] = x * i + j", "", "rows with [(x + i) % n] = row") == 1);  // without elements nobody would check
}

BOOST_AUTO_TEST_CASE(or_the_row_is_more_than_that) {
  const auto undefined = [](const std::string& loop, const std::string& results) {
    const Program program = program_of(
        "entry main [k] (xs: [k]i64) (n: i64) (m: i64) : [k]([n][m]i64, [n][m]i64, [m]i64) =\n"
        "  map (\\x -> loop (rows, others, last) = (replicate n (replicate m 0), replicate n (replicate m x), replicate m 2) for i < n do\n"
        "     let row = loop row = " + loop + " do #[unsafe] (row with [j] = x * i + j)\n"
        "     in (#[unsafe] (rows with [i] = row), " + results + ")) xs\n");
    return count<Scratch>(after(filled, program, {{i64s({3, 5}), i64_value(2), i64_value(3)}}));
  };
  BOOST_TEST(undefined("(core.scratch m : [m]i64) for j < m", "others, last") == 0);
  BOOST_TEST(undefined("(core.scratch m : [m]i64) for j < m", "#[unsafe] (others with [i] = row), last") == 1);
  BOOST_TEST(undefined("(core.scratch m : [m]i64) for j < m", "others, row") == 1);
  undefined("replicate m (x + 7) for j < m - 1", "others, last");  // what is not written keeps its value
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace inwards_tests
