// Which rows a point of a nest has for itself and goes through.
#include "transform/facts/own_rows.hpp"

#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace own_rows_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

/// The arrays whose rows points of the first nest of the grid go through, and what they call the rows.
std::string rows_in(const std::string& body) {
  const Program program = before_pass("choose", "entry main [n] [d] [k] (xss: [n][d]i64) (yss: [n][d]i64) (zsss: [n][k][d]i64) (is: [n]i64) (m: i64) : [n]i64 =\n  " + body + "\n");
  const Names names(program);
  for (const Stm& stm : program.functions[0].body.stms) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest || nest->over != Level::grid) continue;
    std::string text;
    for (const OwnRow& row : own_rows_of(*nest, names)) text += (text.empty() ? "" : ", ") + row.array.base + " as " + row.base;
    return text;
  }
  return "no nest";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(own_rows)

BOOST_AUTO_TEST_CASE(loops_go_through_rows) {
  BOOST_TEST(rows_in("map (\\xs -> loop y = 0 for t < d do y * 3 + xs[t]) xss") == "xss as xs");
  BOOST_TEST(rows_in("map (\\xs -> loop y = 0 for t < d do y * 3 + xs[d - 1 - t]) xss") == "xss as xs");
  BOOST_TEST(rows_in("map2 (\\xs ys -> loop y = 0 for t < d do y * xs[t] + ys[t]) xss yss") == "xss as x, yss as y");
  BOOST_TEST(rows_in("map (\\zss -> loop y = 0 for j < k do loop y for t < d do y * 3 + zss[j, t]) zsss") == "zsss as zss");
}

BOOST_AUTO_TEST_CASE(all_of_a_row_is_read_by_each_point) {
  BOOST_TEST(rows_in("map (\\xs -> loop y = 0 for t < m do y * 3 + #[unsafe] xs[t]) xss") == "");  // another length
  BOOST_TEST(rows_in("map (\\xs -> loop y = 0 for t < d do y * 3 + #[unsafe] xs[t * t]) xss") == "");
  BOOST_TEST(rows_in("map (\\xs -> loop y = 0 for t < d do y * 3 + #[unsafe] xs[t * m]) xss") == "");
  BOOST_TEST(rows_in("map (\\xs -> loop y = 0 for _t < d do y * 3 + #[unsafe] xs[m]) xss") == "");
  BOOST_TEST(rows_in("map (\\zss -> loop y = 0 for t < d do y * 3 + #[unsafe] zss[m, t]) zsss") == "");
  BOOST_TEST(rows_in("map2 (\\xs i -> if i > m then loop y = 0 for t < d do y * 3 + xs[t] else i) xss is") == "");
}

BOOST_AUTO_TEST_CASE(rows_are_the_points_own) {
  BOOST_TEST(rows_in("map (\\i -> loop y = 0 for t < d do y * 3 + #[unsafe] xss[i, t]) is") == "");
  BOOST_TEST(rows_in("tabulate n (\\i -> loop y = 0 for t < d do y * 3 + #[unsafe] xss[n - 1 - i, t])") == "");
  BOOST_TEST(rows_in("tabulate n (\\i -> loop y = 0 for t < n do y * 3 + #[unsafe] is[t] * i)") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace own_rows_tests
