// Loops over points as compilers vectorise them; what is not, and why.
#include "emit/plan/lanes/lanes.hpp"

#include <boost/test/unit_test.hpp>

#include "../printing.hpp"
#include "../shorthand.hpp"
#include "emit/cpp/statement.hpp"
#include "emit/text/statement.hpp"

namespace exemplars::lanes_tests {
namespace {

const Expr d = var("d"), n = var("n"), i = var("i"), j = var("j"), s = var("s"), part = var("part");
const Expr total = var("total", f64), term = var("term", f64);
const Expr q = var("q", const_pointer_to(f64)), xs = var("xs", const_pointer_to(f64));
const Expr ys = var("ys", pointer_to(f64)), sums = var("sums", pointer_to(f64)), row = var("row", pointer_to(f64));

For points(Stms body) {
  For loop = count_up("i", type(i64), n, std::move(body));
  loop.points = true;
  return loop;
}

std::string text(const Stms& stms) {
  boustro::text::Dialect cpp = printing::cpp;
  cpp.target_statement = boustro::cpp::target_statement;
  const printing::Page page(printing::Side::host, cpp);
  return printing::formatted(boustro::text::statements(stms, page.place));
}

Entry in_lanes(Stms body) {
  Entry entry{.name = "f", .body = std::move(body)};
  lanes::use_lanes(entry);
  return entry;
}

bool stays(const Stms& body) { return text(in_lanes(body).body) == text(body); }

/// total += q[j] * xs[i * d + j]
const Stm sum = count_up("j", type(i64), d, {Assign{total, q[j] * xs[i * d + j], Op::add}});
const Stm zero = variable("total", lit_float(0, f64));

}  // namespace

BOOST_AUTO_TEST_CASE(a_sum_at_each_point_is_one_of_lanes) {
  BOOST_TEST(text(in_lanes({points({zero, sum, Assign{ys[i], total}})}).body) ==
             "for_lanes(0, n, [&](auto lanes, int64_t i) {\n"
             "  double total[lanes];\n"
             "  for (int64_t lane = 0; lane < lanes; ++lane) total[lane] = 0.0;\n"
             "  for (int64_t j = 0; j < d; ++j) {\n"
             "    for (int64_t lane = 0; lane < lanes; ++lane) total[lane] += q[j] * xs[(i + lane) * d + j];\n"
             "  }\n"
             "  for (int64_t lane = 0; lane < lanes; ++lane) ys[i + lane] = total[lane];\n"
             "});\n");
}

BOOST_AUTO_TEST_CASE(workers_share_tiles) {
  For loop = points({zero, sum, Assign{ys[i], total}});
  loop.parallel = true;
  const std::string printed = text(in_lanes({loop}).body);
  BOOST_TEST(printed.find("for (int64_t tile = 0; tile < n; tile += max_lanes) {\n"
                          "  for_lanes(tile, std::min(tile + max_lanes, n), [&](auto lanes, int64_t i) {\n") != printed.npos,
             printed);
}

BOOST_AUTO_TEST_CASE(what_is_the_same_for_all_points_is_computed_once) {
  const Stm scale = let("scale", q[lit(0)] * lit_float(2, f64));
  const Stm branch = If{equal(n, lit(3)), {Assign{total, var("scale", f64), Op::add}}, {}};
  const std::string printed = text(in_lanes({points({zero, sum, scale, branch, Assign{ys[i], total}})}).body);
  BOOST_TEST(printed.find("  const double scale = q[0] * 2.0;\n"
                          "  if (n == 3) {\n"
                          "    for (int64_t lane = 0; lane < lanes; ++lane) total[lane] += scale;\n"
                          "  }\n") != printed.npos,
             printed);
}

BOOST_AUTO_TEST_CASE(branches_that_differ_are_taken_lane_by_lane) {
  const Stm branch = If{total < lit_float(0, f64), {let("term", total * total), Assign{ys[i], term}}, {}};
  const std::string printed = text(in_lanes({points({zero, sum, branch})}).body);
  BOOST_TEST(printed.find("    if (total[lane] < 0.0) {\n"
                          "      const double term = total[lane] * total[lane];\n"
                          "      ys[i + lane] = term;\n") != printed.npos,
             printed);
}

BOOST_AUTO_TEST_CASE(what_all_points_add_to_gets_the_sum_over_the_lanes) {
  const Stm add = count_up("s", type(i64), d, {Assign{sums[s], total * q[s], Op::add}});
  const std::string printed = text(in_lanes({points({zero, sum, add})}).body);
  BOOST_TEST(printed.find("  for (int64_t s = 0; s < d; ++s) {\n"
                          "    double added = 0.0;\n"
                          "    for (int64_t lane = 0; lane < lanes; ++lane) added += total[lane] * q[s];\n"
                          "    sums[s] += added;\n"
                          "  }\n") != printed.npos,
             printed);
}

BOOST_AUTO_TEST_CASE(what_points_combine_in_order_stays_in_order) {
  const Expr all = var("all", f64);
  const Stm combine = Assign{all, all * total};
  const std::string printed = text(in_lanes({points({zero, sum, combine})}).body);
  BOOST_TEST(printed.find("  for (int64_t lane = 0; lane < lanes; ++lane) all = all * total[lane];\n") != printed.npos, printed);
  // Twice at a point: the second time for one point comes before the first for the next one.
  BOOST_TEST(stays({points({zero, combine, sum, combine})}));
  BOOST_TEST(stays({points({zero, sum, count_up("s", type(i64), d, {combine})})}));
}

BOOST_AUTO_TEST_CASE(a_temporary_row_has_lanes_and_where_sums_go_along_it_rows) {
  const Expr piece = scratch_field("row", pointer_to(f64));
  const Stm pointer = let("row", piece + part * d);
  const Stm fill = count_up("j", type(i64), d, {Assign{row[j], xs[i * d + j] - q[j]}});
  const Stm square = count_up("j", type(i64), d, {Assign{total, row[j] * row[j], Op::add}});
  const Stm weight = let("weight", total * lit_float(2, f64));
  const Stm add = count_up("s", type(i64), d, {Assign{sums[s], var("weight", f64) * row[s], Op::add}});
  For parts = count_up("part", type(i64), var("parts"), {pointer, points({zero, fill, square, weight, add})});
  Entry entry{.name = "f", .body = {parts}};
  entry.prologue = {let("parts", runtime::parts_for(n, d, d, d))};
  entry.scratch.pieces = {{.name = "row", .elem = type(f64), .count = var("parts") * d, .shape = {"parts", "d"}}};
  lanes::use_lanes(entry);
  const std::string printed = text(entry.body);
  for (const char* const line : {"row[j * lanes + lane] = xs[(i + lane) * d + j] - q[j];\n",
                                 "row_rows[lane * d + j] = row[j * lanes + lane];\n",
                                 "Lanes<double, lanes> total = 0.0;\n",
                                 "total += load_lanes<lanes>(row + j * lanes) * load_lanes<lanes>(row + j * lanes);\n",
                                 "weight[lane] = total[lane] * 2.0;\n",
                                 "add_products<lanes>(sums, d, weight, row_rows, d);\n"})
    BOOST_TEST(printed.find(line) != printed.npos, line << "\n" << printed);
  BOOST_TEST(entry.scratch.pieces.size() == 2u);
  BOOST_TEST((entry.scratch.pieces[0].shape == std::vector<std::string>{"parts", "d", "max_lanes"}));
  BOOST_TEST((entry.scratch.pieces[1].shape == std::vector<std::string>{"parts", "max_lanes", "d"}));
  const auto& count = std::get<Let>(entry.prologue[0].what);
  BOOST_TEST((count.value == runtime::parts_for(n, d, d, d * runtime::max_lanes())));
}

BOOST_AUTO_TEST_CASE(a_row_that_is_used_outside_of_the_points_is_shared) {
  const Expr piece = scratch_field("row", pointer_to(f64));
  const Stm pointer = let("row", piece + part * d);
  const Stm store = Assign{row[lit(0)], total};
  BOOST_TEST(stays({pointer, points({zero, sum, store}), Assign{ys[lit(0)], row[lit(0)]}}));
}

BOOST_AUTO_TEST_CASE(other_loops_stay) {
  const Stm store = Assign{ys[i], total};
  For plain = points({zero, sum, store});
  plain.points = false;
  BOOST_TEST(stays({plain}));
  BOOST_TEST(stays({points({zero, Assign{total, xs[i], Op::add}, store})}), "no loop");
  BOOST_TEST(stays({points({zero, If{xs[i] < lit_float(0, f64), {Continue{}}, {}}, sum, store})}), "ends early");
  const Stm call = let("found", boustro::plan::call("find", type(i64), {ys}));
  BOOST_TEST(stays({points({zero, sum, call, store})}), "who knows what is done to the array");
  const Stm triangle = count_up("j", type(i64), i, {Assign{total, q[j], Op::add}});
  BOOST_TEST(stays({points({zero, triangle, store})}), "lengths differ");
}

namespace {

/// ys[i * d + j] = the sum over s of the factors, where the points (i, j) are of a map in a map.
For columns(const Expr& product) {
  const Stm add = count_up("s", type(i64), d, {Assign{total, product, Op::add}});
  For inner = count_up("j", type(i64), d, {zero, add, Assign{ys[i * d + j], total}});
  inner.points = true;
  inner.in_point = true;
  return points({inner});
}

}  // namespace

BOOST_AUTO_TEST_CASE(columns_that_lie_side_by_side_are_the_lanes_of_a_product) {
  BOOST_TEST(text(in_lanes({columns(q[i * d + s] * xs[s * d + j])}).body) ==
             "for (int64_t i = 0; i < n; ++i) {\n"
             "  for_lanes(0, d, [&](auto lanes, int64_t j) {\n"
             "    Lanes<double, lanes> total = 0.0;\n"
             "    for (int64_t s = 0; s < d; ++s) total += q[i * d + s] * load_lanes<lanes>(xs + s * d + j);\n"
             "    store_lanes<lanes>(ys + i * d + j, total);\n"
             "  });\n"
             "}\n");
}

BOOST_AUTO_TEST_CASE(columns_that_lie_apart_leave_the_lanes_to_rows) {
  // Each has one factor whose elements are d apart: the outer points, whose lanes have more to do.
  const std::string printed = text(in_lanes({columns(q[i * d + s] * xs[j * d + s])}).body);
  BOOST_TEST(printed.starts_with("for_lanes(0, n, [&](auto lanes, int64_t i) {\n"), printed);
}

BOOST_AUTO_TEST_CASE(rows_that_sum_for_themselves_keep_the_lanes) {
  // What is summed outside of the columns has no lanes in them.
  For rows = columns(q[i * d + s] * xs[s * d + j]);
  rows.body.insert(rows.body.begin(), {variable("term", lit_float(0, f64)), count_up("s", type(i64), d, {Assign{term, q[i * d + s], Op::add}}),
                                       Assign{ys[i], term}});
  const std::string printed = text(in_lanes({rows}).body);
  BOOST_TEST(printed.starts_with("for_lanes(0, n, [&](auto lanes, int64_t i) {\n"), printed);
}

}  // namespace exemplars::lanes_tests
