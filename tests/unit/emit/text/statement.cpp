// Statements that all targets share: braces, loops, branches, comments, results.
#include "emit/text/statement.hpp"

#include <boost/test/unit_test.hpp>

#include "../printing.hpp"
#include "../shorthand.hpp"

namespace exemplars::statement_tests {
namespace {

std::string text(const Stms& stms, printing::Side side = printing::Side::device) {
  const printing::Page page(side);
  return printing::formatted(boustro::text::statements(stms, page.place));
}
std::string text(const Stm& stm) { return text(Stms{stm}); }

const Expr n = var("n"), i = var("i"), x = var("x", f32), xs = var("xs", pointer_to(f32));
const Assign clear{xs[i], lit_float(0, f32)};

}  // namespace

BOOST_AUTO_TEST_CASE(what_does_not_change_is_const) {
  BOOST_TEST(text(let("y", xs[i])) == "const float y = xs[i];\n");
  BOOST_TEST(text(variable("y", xs[i])) == "float y = xs[i];\n");
  BOOST_TEST(text(Let{"y", type(f32), {}}) == "float y;\n");
  BOOST_TEST(text(let("row", xs + i)) == "float* const row = xs + i;\n");
  BOOST_TEST(text(LocalArray{"row", type(f32), lit(8)}) == "float row[8];\n");
}

BOOST_AUTO_TEST_CASE(arrays_of_two_dimensions_have_two_indices) {
  const LocalArray cells{.name = "cells", .elem = type(f32), .size = lit(8), .columns = lit(4), .zero = true};
  BOOST_TEST(text(cells) == "float cells[8][4] = {};\n");
  BOOST_TEST(text(Assign{element(var("cells", pointer_to(f32)), i, n), x}) == "cells[i][n] = x;\n");
}

BOOST_AUTO_TEST_CASE(updates_are_short) {
  BOOST_TEST(text(Assign{x, xs[i], Op::add}) == "x += xs[i];\n");
  BOOST_TEST(text(Do{xs + (i + n)}) == "xs + i + n;\n");
  BOOST_TEST(text(Do{i + (i + n)}) == "i + (i + n);\n");
  BOOST_TEST(text(Assign{x, Expr{Op::neg, {xs[i]}, type(f32)}, Op::add}) == "x -= xs[i];\n");
  BOOST_TEST(text(Assign{x, Expr{Op::neg, {xs[i]}, type(f32)}, Op::sub}) == "x += xs[i];\n");
  BOOST_TEST(text(Assign{x, Expr{Op::neg, {xs[i]}, type(f32)}}) == "x = -xs[i];\n");
  BOOST_TEST(text(Assign{i, lit(1), Op::add}) == "++i;\n");
  BOOST_TEST(text(Assign{i, lit(1), Op::sub}) == "--i;\n");
}

BOOST_AUTO_TEST_CASE(loops_count_in_both_directions) {
  For loop = count_up("i", type(i64), n, {clear});
  BOOST_TEST(text(loop) == "for (int64_t i = 0; i < n; ++i) xs[i] = 0.0f;\n");
  loop.step = var("threads");
  BOOST_TEST(text(loop) == "for (int64_t i = 0; i < n; i += threads) xs[i] = 0.0f;\n");
  loop.step = {};
  loop.down = true;
  std::swap(loop.from, loop.to);
  BOOST_TEST(text(loop) == "for (int64_t i = n; i >= 0; --i) xs[i] = 0.0f;\n");
  BOOST_TEST(text(While{i < n, {Assign{i, lit(1), Op::add}}}) == "while (i < n) ++i;\n");
}

BOOST_AUTO_TEST_CASE(one_plain_statement_has_no_braces) {
  BOOST_TEST(text(If{i >= n, {Return{}}}) == "if (i >= n) return;\n");
  BOOST_TEST(text(If{i < n, {clear, Break{}}}) == "if (i < n) {\n  xs[i] = 0.0f;\n  break;\n}\n");
  BOOST_TEST(text(If{i < n, {Stm(Continue{}).with_above("Why.")}}) ==
             "if (i < n) {\n  // Why.\n  continue;\n}\n");
}

BOOST_AUTO_TEST_CASE(branches_form_chains) {
  const If second{i < 2, {clear}, {Assign{xs[i], x}}};
  BOOST_TEST(text(If{i < 1, {Return{}}, {second}}) ==
             "if (i < 1) {\n  return;\n} else if (i < 2) {\n  xs[i] = 0.0f;\n} else {\n"
             "  xs[i] = x;\n}\n");
}

BOOST_AUTO_TEST_CASE(comments_stand_above_and_beside) {
  BOOST_TEST(text(Stm(clear).with_above("Why.")) == "// Why.\nxs[i] = 0.0f;\n");
  BOOST_TEST(text(Stm(clear).with_beside("why")) == "xs[i] = 0.0f;  // why\n");
  const std::string words(95, 'w');
  BOOST_TEST(text(Stm(clear).with_beside(words)) == "// " + words + "\nxs[i] = 0.0f;\n");
  BOOST_TEST(text(Stms{clear, Stm(clear).after_gap()}) == "xs[i] = 0.0f;\n\nxs[i] = 0.0f;\n");
}

BOOST_AUTO_TEST_CASE(results_of_functions_and_entries) {
  BOOST_TEST(text(Return{x + x}) == "return x + x;\n");
  BOOST_TEST(text(Return{construct("Pair", {x, i})}) == "return {x, i};\n");
  const Entry entry;
  printing::Page page(printing::Side::host);
  page.place.entry = &entry;
  BOOST_TEST(boustro::text::statement(Return{}, page.place) == "return cudaSuccess;\n");
  BOOST_TEST(boustro::text::statement(RejectIf{n < 0}, page.place) ==
             "if (n < 0) return cudaErrorInvalidValue;\n");
}

}  // namespace exemplars::statement_tests
