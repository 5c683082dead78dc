// Rows that join sums of their row: transform/parallel/join/join_rows.hpp.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/parallel/parallel.hpp"

namespace join_rows_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

const std::string head = "entry main [n] [m] (k: i64) (bs: [k]i64) (ass: [n][m]i64) (sss: [n][n]i64) : ";

/// let y = sum over l < extent of x, which is what `element` binds of l.
std::string sum_over(const std::string& extent, const std::string& element, const std::string& y = "y") {
  return "let (" + y + ": i64) = #[thread_thread] core.nest " + extent + " (\\(l: i64) -> " + element + " in x) (core.reduce 0 (+) 0i64)";
}
/// Points of rows: `y` binds y of the row i.
std::string nest(const std::string& result, const std::string& y) {
  return "  let (" + result + ": [n]i64) = #[grid_thread] core.nest n (\\(i: i64) -> " + y + " in y) (core.store 1)\n";
}
/// The same of elements j of the rows.
std::string elements(const std::string& result, const std::string& y, const std::string& width = "m") {
  return "  let (" + result + ": [n][" + width + "]i64) = #[grid_thread] core.nest (n, " + width + ") (\\(i: i64, j: i64) -> " + y + " in y) (core.store 2)\n";
}

const std::string sums = nest("ts", "let row = #[unsafe] ass[i] " + sum_over("m", "let x = #[unsafe] row[l]"));
const std::string matrix = "[n][m]i64", square = "[n][n]i64";
const std::string t = "let t = #[unsafe] ts[i] ", a = "let a = #[unsafe] ass[i, j] ";

int nests(const Body& body) {
  return static_cast<int>(std::count_if(body.stms.begin(), body.stms.end(), [](const Stm& stm) { return std::holds_alternative<Nest>(stm.exp); }));
}

Body joined(const std::string& type, const std::string& statements) {
  std::string reasons;
  const std::string text = head + type + " =\n" + statements;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons << text);
  const auto run = [](std::int64_t n, std::int64_t m) {
    return Arguments{i64_value(2), some_i64s({2}, 9, 4), some_i64s({n, m}, 9, 6), some_i64s({n, n}, 9, 7)};
  };
  return after(parallel::join_nests, std::move(*program), {run(4, 3), run(3, 5), run(0, 2), run(2, 0), run(2, 2)}).functions[0].body;
}
/// How many nests of the grid there are then; the values stay.
int left(const std::string& type, const std::string& statements) { return nests(joined(type, statements)); }

const Nest& only_nest(const Body& body) {
  BOOST_REQUIRE_EQUAL(nests(body), 1);
  for (const Stm& stm : body.stms)
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) return *nest;
  throw std::logic_error("no nest");
}

/// Statements of the body, and of what stands in it, that multiply by this number.
int products_by(std::int64_t factor, const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    const auto* op = std::get_if<BinOp>(&stm.exp);
    if (op && op->kind == BinOpKind::mul && (op->lhs == int_atom(factor) || op->rhs == int_atom(factor))) ++found;
    for_each_body(stm.exp, [&](const Body& inner) { found += products_by(factor, inner); });
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(join_rows)

BOOST_AUTO_TEST_CASE(elements_need_sums_of_their_row) {
  const std::string shares = sums + elements("ys", t + a + "let y = a * t");
  BOOST_TEST(only_nest(joined(matrix, shares + "  in ys")).outs.size() == 1);
  BOOST_TEST(only_nest(joined("([n]i64, [n][m]i64)", shares + "  in (ts, ys)")).outs.size() == 2);
  BOOST_TEST(left(matrix, sums + elements("ys", a + "let c = a < 3i64 let y = if c then (#[unsafe] ts[i]) else a") + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(sums_need_rows) {
  const std::string of_rows = nest("us", "let row = #[unsafe] ys[i] " + sum_over("m", "let x = #[unsafe] row[l]"));
  const std::string cheap = sums + elements("ys", t + a + "let y = a * t") + of_rows;
  BOOST_TEST(only_nest(joined("([n][m]i64, [n]i64)", cheap + "  in (ys, us)")).outs.size() == 2);
  BOOST_TEST(nests(only_nest(joined("[n]i64", cheap + "  in us")).point.body) == 2);  // the row is not made
  const std::string dear = sums + elements("ys", t + a + "let b = a ** 2i64 let c = b ** 3i64 let y = c + t") + of_rows;
  const Nest kept = only_nest(joined("[n]i64", dear + "  in us"));
  BOOST_TEST(kept.outs.size() == 2);
  BOOST_TEST(nests(kept.point.body) == 3);
}

BOOST_AUTO_TEST_CASE(one_row_after_the_other) {
  const std::string rows = sums + elements("ys", t + a + "let y = a * t") + elements("zs", "let u = #[unsafe] ys[i, j] let v = #[unsafe] ts[i] let y = u + v");
  BOOST_TEST(left(matrix, rows + "  in zs") == 1);
}

BOOST_AUTO_TEST_CASE(values_are_shared) {
  const std::string again = nest("us", t + "let b = t * 77i64 let row = #[unsafe] ass[i] " + sum_over("m", "let r = #[unsafe] row[l] let x = r - b"));
  const Body body = joined("[n][m]i64", sums + again + elements("ys", t + a + "let b = t * 77i64 let u = #[unsafe] us[i] let c = a * b let y = c + u") + "  in ys");
  BOOST_TEST(products_by(77, only_nest(body).point.body) == 1);
}

BOOST_AUTO_TEST_CASE(results_may_be_shared) {
  const auto two = [](const std::string& results, const std::string& point) {
    return "  let (" + results + ") = #[grid_thread] core.nest n (\\(i: i64) -> " + point + ") (core.store 1, core.store 1)\n";
  };
  const Body body = joined("([n]i64, [n]i64, [n]i64)",
                           two("ts: [n]i64, cs: [n]i64", "let row = #[unsafe] ass[i] " + sum_over("m", "let x = #[unsafe] row[l]") + " let c = y * 77i64 in (y, c)") +
                               two("us: [n]i64, vs: [n]i64", t + "let b = t * 77i64 let row = #[unsafe] ass[i] " + sum_over("m", "let r = #[unsafe] row[l] let x = r - b", "s") + " in (s, b)") +
                               "  in (cs, us, vs)");
  BOOST_TEST(products_by(77, only_nest(body).point.body) == 1);
}

BOOST_AUTO_TEST_CASE(elements_of_other_rows_are_theirs) {
  const std::string squares = nest("ts", "let row = #[unsafe] sss[i] " + sum_over("n", "let x = #[unsafe] row[l]"));
  BOOST_TEST(left(square, squares + elements("ys", t + "let p = n - 1i64 let q = p - i let s = #[unsafe] sss[q, j] let y = s * t", "n") + "  in ys") == 1);
}

BOOST_AUTO_TEST_CASE(other_rows_are_stored_before) {
  for (const char* read : {"let p = n - 1i64 let q = p - i let t = #[unsafe] ts[q] ", "let t = #[unsafe] ts[0i64] "})
    BOOST_TEST(left(matrix, sums + elements("ys", read + a + "let y = a * t") + "  in ys") == 2, read);
  BOOST_TEST(left(matrix, sums + elements("ys", t + "let v = (core.rearrange (0) ts : [n]i64) let u = #[unsafe] v[0i64] let y = t * u") + "  in ys") == 2);
  const std::string squares = nest("ts", sum_over("n", "let x = #[unsafe] sss[i, l]"));
  BOOST_TEST(left(square, squares + elements("ys", t + "let s = #[unsafe] sss[i, j] let y = s * t", "n") + "  in ys") == 1);
  BOOST_TEST(left(square, squares + elements("ys", "let t = #[unsafe] ts[j] let s = #[unsafe] sss[i, j] let y = s * t", "n") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(rows_are_as_long_as_sums) {
  const std::string others = nest("ts", sum_over("k", "let b = #[unsafe] bs[l] let x = b + i"));
  BOOST_TEST(left(matrix, others + elements("ys", t + a + "let y = a * t") + "  in ys") == 2);
  const std::string of_squares = nest("ts", "let row = #[unsafe] sss[i] " + sum_over("n", "let x = #[unsafe] row[l]"));
  BOOST_TEST(left(matrix, of_squares + elements("ys", t + a + "let y = a * t") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(neighbours_lie_along_rows) {
  const std::string columns = nest("ts", sum_over("n", "let x = #[unsafe] sss[l, i]"));
  BOOST_TEST(left(square, columns + elements("ys", t + "let s = #[unsafe] sss[i, j] let y = s * t", "n") + "  in ys") == 2);
  const std::string rows = nest("ts", sum_over("n", "let x = #[unsafe] sss[i, l]"));
  BOOST_TEST(left(square, rows + elements("ys", t + "let s = #[unsafe] sss[j, i] let q = n - j let p = q - 1i64 let r = #[unsafe] sss[p, i] let u = r * s let y = u * t", "n") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(other_spaces_stay) {
  const std::string rows_of_k = "  let (ys: [k][m]i64) = #[grid_thread] core.nest (k, m) (\\(i: i64, j: i64) -> let c = i < n let t = if c then (#[unsafe] ts[i]) else 7i64 let y = t * j in y) (core.store 2)\n";
  BOOST_TEST(left("[k][m]i64", sums + rows_of_k + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(tiles_stay) {
  const std::string products = "  let (ps: [n][n]i64) = #[grid_thread] core.nest (n, n) (\\(i: i64, h: i64) -> " + sum_over("n", "let a = #[unsafe] sss[i, l] let b = #[unsafe] sss[h, l] let x = a * b") + " in y) (core.store 2)\n";
  BOOST_TEST(left("[n][n][n]i64", products + "  let (ys: [n][n][n]i64) = #[grid_thread] core.nest (n, n, n) (\\(i: i64, h: i64, j: i64) -> let p = #[unsafe] ps[i, h] let s = #[unsafe] sss[h, j] let y = p * s in y) (core.store 3)\n  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(elements_take_no_loops) {
  BOOST_TEST(left(matrix, sums + elements("ys", t + sum_over("k", "let b = #[unsafe] bs[l] let x = b + j", "s") + " let y = t * s") + "  in ys") == 2);
  BOOST_TEST(left(matrix, sums + elements("ys", t + "let y = loop x = t for l < j do (x * 3i64)") + "  in ys") == 2);
}

BOOST_AUTO_TEST_CASE(nothing_is_read_of_the_sums) { BOOST_TEST(left("([n]i64, [n][m]i64)", sums + elements("ys", a + "let y = a * 2i64") + "  in (ts, ys)") == 2); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace join_rows_tests
