#include "emit/plan/formula.hpp"

#include <fmt/ranges.h>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "../shorthand.hpp"
#include "emit/plan/build.hpp"
#include "emit/plan/formula/indices.hpp"

namespace boustro::plan::formula_tests {
namespace {

using exemplars::array;
using exemplars::count_up;
using exemplars::let;
using exemplars::variable;

const Expr i = var("i"), j = var("j", i32), t = var("t", i32), d = var("d", i32), k = var("k", i32),
           zero = lit_float(0, f32);
const Expr points = var("points", const_pointer_to(f32)),
           centres = var("centres", const_pointer_to(f32)), ys = var("ys", pointer_to(f32)),
           rows = var("rows", pointer_to(f32));
const Stm thread_index =
    Let{.name = "i",
        .type = type(i64),
        .value = cast(i64, position(Position::block_x)) * runtime::block_size() +
                 position(Position::thread_x)};

/// The formulas of a kernel with this body, between bars.
std::string formulas(Stms body) {
  body.insert(body.begin(), thread_index);
  Kernel kernel{.name = "kernel",
                .params = {array("ys", pointer_to(f32), {"n"}, Access::written),
                           array("rows", pointer_to(f32), {"n", "d"}, Access::written),
                           array("points", const_pointer_to(f32), {"n", "d"}),
                           array("centres", const_pointer_to(f32), {"k", "d"})},
                .body = std::move(body)};
  Entry entry{.name = "entry", .kernels = {kernel}};
  std::vector<Definition> shared;
  add_formulas(entry, shared);
  return fmt::format("{}", fmt::join(entry.kernels[0].comment.formula, " | "));
}

/// total = sum of squared differences between points[i] and centres[j].
Stms squared_distance() {
  const Expr total = var("total", f32), difference = var("difference", f32);
  return {variable("total", zero),
          count_up("t", type(i32), d,
                   {let("difference", points[i * d + t] - centres[j * d + t]),
                    Assign{total, difference * difference, Op::add}})};
}

}  // namespace

BOOST_AUTO_TEST_CASE(formula_tells_the_dimensions_of_an_element) {
  BOOST_TEST(
      formulas({count_up("t", type(i32), d, {Assign{rows[i * d + t], points[i * d + t]}})}) ==
      "rows[i, t] = points[i, t]");
}

BOOST_AUTO_TEST_CASE(formula_follows_pointers_to_rows) {
  const Expr row = var("row", const_pointer_to(f32));
  BOOST_TEST(formulas({let("row", points + i * d), Assign{ys[i], row[t]}}) ==
             "ys[i] = points[i, t]");
}

BOOST_AUTO_TEST_CASE(formula_has_no_places_in_memory_of_threads) {
  const Expr thread = var("thread"), threads = var("threads");
  BOOST_TEST(formulas({Assign{ys[i], points[i * threads + thread]}}) == "ys[i], step by step as below");
  BOOST_TEST(formulas({Assign{ys[i], points[threads]}}) == "ys[i] = points[threads]");  // a size of the program
}

BOOST_AUTO_TEST_CASE(formula_keeps_the_index_of_an_array_seen_in_another_shape) {
  BOOST_TEST(formulas({Assign{ys[i], points[t]}}) == "ys[i] = points[t]");
  BOOST_TEST(!formula::indices_of(i * d + d + t, {"n", "d"}).has_value());
  BOOST_TEST(!formula::indices_of(i * (lit(2) * d) + t, {"n", "2", "d"}).has_value());
  BOOST_TEST(!formula::indices_of(i * (lit(2) * d) + lit(2) * d + t, {"n", "2", "d"}).has_value());
}

BOOST_AUTO_TEST_CASE(formula_has_constant_indices_of_extents_that_are_numbers) {
  const auto indices = [](const Expr& flat) {
    const auto found = formula::indices_of(flat, {"n", "2", "4", "d"});
    BOOST_REQUIRE(found.has_value());
    std::string text;
    for (const Expr& index : *found) text += to_string(index) + " ";
    return text;
  };
  const Expr n = i * (lit(2) * (lit(4) * d));
  BOOST_TEST(indices(t + n + lit(4) * d + lit(3) * d) == "i 1 3 t ");
  BOOST_TEST(indices(t + n + lit(3) * d) == "i 0 3 t ");
  BOOST_TEST(indices(t + n + d) == "i 0 1 t ");
}

BOOST_AUTO_TEST_CASE(formula_takes_an_index_that_is_a_number_behind_a_pointer) {
  const Expr which = var("which", const_pointer_to(i64));
  Kernel kernel{.name = "kernel",
                .params = {array("rows", pointer_to(f32), {"n", "d"}, Access::written),
                           array("which", const_pointer_to(i64), {})},
                .body = {Assign{rows[which[lit(0)] * d + t], zero}}};
  Entry entry{.name = "entry", .kernels = {kernel}};
  std::vector<Definition> shared;
  add_formulas(entry, shared);
  BOOST_TEST(fmt::format("{}", fmt::join(entry.kernels[0].comment.formula, " | ")) ==
             "rows[which, t] = 0");
}

BOOST_AUTO_TEST_CASE(formula_recognises_a_sum) {
  Stms body = squared_distance();
  body.push_back(Assign{ys[i], var("total", f32)});
  BOOST_TEST(formulas(body) == "ys[i] = sum_{t < d} (points[i, t] - centres[j, t])^2");
}

BOOST_AUTO_TEST_CASE(formula_joins_quotients_of_floats_only) {
  const Expr a = points[i * d + t], b = centres[j * d + t], one = lit_float(1, f32);
  BOOST_TEST(formulas({Assign{ys[i], a * (one / (one + b) / (one + b))}}) ==
             "ys[i] = points[i, t] / (1 + centres[j, t])^2");
  BOOST_TEST(formulas({Assign{ys[i], cast(PrimType::f32, i * (k / d / d))}}) ==
             "ys[i] = i * (k / d / d)");
}

BOOST_AUTO_TEST_CASE(formula_takes_twice_a_half_for_the_whole) {
  const Expr x = points[i], half = lit_float(0.5, f32) * x;
  for (const Expr& twice : {half + half, lit_float(2, f32) * half}) BOOST_TEST(formulas({Assign{ys[i], twice}}) == "ys[i] = points[i]");
  BOOST_TEST(formulas({Assign{ys[i], lit_float(2, f32) * x}}) == "ys[i] = 2 * points[i]");
  BOOST_TEST(formulas({Assign{ys[i], lit_float(3, f32) * half}}) == "ys[i] = 3 * 0.5 * points[i]");
}

BOOST_AUTO_TEST_CASE(formula_recognises_the_first_least_element) {
  const Expr total = var("total", f32), least = var("least", f32), winner = var("winner", i32);
  Stms inside = squared_distance();
  inside.push_back(If{total < least, {Assign{least, total}, Assign{winner, j}}});
  const Expr infinity = lit_float(std::numeric_limits<double>::infinity(), f32);
  BOOST_TEST(formulas({variable("least", infinity), variable("winner", lit(-1, i32)),
                       count_up("j", type(i32), k, inside), Assign{ys[i], winner}}) ==
             "ys[i] = argmin_{j < k} sum_{t < d} (points[i, t] - centres[j, t])^2; the first, or -1 if none is "
             "below infinity");
}

BOOST_AUTO_TEST_CASE(formula_does_not_take_a_running_value_for_a_sum) {
  const Expr total = var("total", f32);
  BOOST_TEST(formulas({variable("total", zero), count_up("t", type(i32), d,
                                                         {Assign{total, points[i * d + t], Op::add},
                                                          Assign{rows[i * d + t], total}})}) ==
             "rows[i, t], step by step as below");
}

BOOST_AUTO_TEST_CASE(formula_does_not_say_what_a_later_iteration_overwrites) {
  BOOST_TEST(formulas({count_up("t", type(i32), d, {Assign{ys[i], points[i * d + t]}})}) ==
             "ys[i], step by step as below");
}

/// What is not said is named once, and not called after what it starts from.
BOOST_AUTO_TEST_CASE(formula_does_not_take_the_start_for_the_result) {
  const Expr total = var("total", f32);
  BOOST_TEST(formulas({variable("total", zero), Assign{rows[i * d], zero},
                       count_up("t", type(i32), d, {Assign{total, points[i * d + t], Op::add}, Assign{rows[i * d + t], total}, Assign{rows[i * d + j], total}})}) ==
             "rows, step by step as below");
}

BOOST_AUTO_TEST_CASE(formula_of_what_atomics_combine) {
  const Expr value = points[i * d + j];
  BOOST_TEST(formulas({Atomic{AtomicKind::min, ys[j], value}}) == "ys[j] = min(ys[j], points[i, j])");
  BOOST_TEST(formulas({Atomic{AtomicKind::combine, ys[j], value, "Multiply"}}) == "ys[j] = Multiply(ys[j], points[i, j])");
}

BOOST_AUTO_TEST_CASE(formula_names_what_it_says_twice) {
  const Expr x = var("difference", f32);
  BOOST_TEST(formulas({let("difference", points[i * d + t] - centres[j * d + t]),
                       Assign{ys[i], x * (zero - x)}}) ==
             "ys[i] = difference * -difference |   where difference = points[i, t] - centres[j, t]");
}

BOOST_AUTO_TEST_CASE(formula_reads_back_only_what_was_stored_before) {
  // Each iteration reads what the one before it stored.
  BOOST_TEST(
      formulas({count_up("t", type(i32), d,
                         {Assign{rows[i * d + t], points[i * d + t] + rows[i * d + t - 1]}})}) ==
      "rows[i, t], step by step as below");
  BOOST_TEST(formulas({count_up("t", type(i32), d, {Assign{rows[i * d + t], points[i * d + t]}}),
                       Assign{ys[i], rows[i * d + j]}}) ==
             "rows[i, t] = points[i, t] | ys[i] = rows[i, j]");
}

BOOST_AUTO_TEST_CASE(formula_of_an_operator_says_which_operand_it_chooses) {
  const Struct largest{.name = "Largest", .fields = {{.name = "x", .type = type(f32)}, {.name = "i", .type = type(i64)}}};
  const Expr x = var("x", struct_type("Largest")), y = var("y", struct_type("Largest"));
  const auto comment = [&](const Expr& first, const Expr& second) {
    const Functor functor{.name = "Combine",
                          .result = struct_type("Largest"),
                          .params = {{.name = "x", .type = x.type}, {.name = "y", .type = y.type}},
                          .body = {Return{construct("Largest", {first, second})}},
                          .associative = true};
    Entry entry{.name = "entry", .definitions = {largest, functor}};
    std::vector<Definition> shared;
    add_formulas(entry, shared);
    return std::get<Functor>(entry.definitions[1]).comment.formula.at(0);
  };
  const auto part = [](const Expr& of, const std::string& name) { return field(of, name, type(name == "x" ? f32 : i64)); };
  const Expr larger = part(x, "x") < part(y, "x");
  BOOST_TEST(comment(select(larger, part(y, "x"), part(x, "x")), select(larger, part(y, "i"), part(x, "i"))) == "`y` if x.x < y.x, else `x`.");
  const Expr first = equal(part(x, "x"), part(y, "x")) && part(y, "i") < part(x, "i");
  const auto choice = [&](const Expr& condition) {
    return comment(select(condition, part(y, "x"), part(x, "x")), select(condition, part(y, "i"), part(x, "i")));
  };
  // What becomes of NaNs is more than that.
  BOOST_TEST(choice(larger || first) == "`y` if x.x < y.x or (x.x == y.x and y.i < x.i), else `x`.");
  BOOST_TEST(choice((larger || first) || not_equal(part(x, "x"), part(x, "x"))) ==
             "The one with the larger x; of equal ones, that with the smaller i; a number rather than a NaN.");
  const Expr smaller = part(y, "x") < part(x, "x");
  BOOST_TEST(choice((smaller || first) || not_equal(part(x, "x"), part(x, "x"))) ==
             "The one with the smaller x; of equal ones, that with the smaller i; a number rather than a NaN.");
  // The last of equal ones.
  const Expr last = equal(part(x, "x"), part(y, "x")) && part(x, "i") < part(y, "i");
  BOOST_TEST(choice(larger || last) == "`y` if x.x < y.x or (x.x == y.x and x.i < y.i), else `x`.");
  // The parts of both.
  BOOST_TEST(comment(select(larger, part(y, "x"), part(x, "x")), part(x, "i")) == "(y.x if x.x < y.x else x.x, x.i)");
}

BOOST_AUTO_TEST_CASE(formula_of_an_operator_on_integers_says_who_wins) {
  const Struct largest{.name = "Largest", .fields = {{.name = "value", .type = type(i32)}, {.name = "at", .type = type(i64)}}};
  const Expr x = var("x", struct_type("Largest")), y = var("y", struct_type("Largest"));
  const Expr xv = field(x, "value", type(i32)), yv = field(y, "value", type(i32)), xi = field(x, "at", type(i64)), yi = field(y, "at", type(i64));
  const Expr wins = xv < yv || (equal(xv, yv) && yi < xi);
  const Functor functor{.name = "Combine",
                        .result = struct_type("Largest"),
                        .params = {{.name = "x", .type = x.type}, {.name = "y", .type = y.type}},
                        .body = {Return{construct("Largest", {select(wins, yv, xv), select(wins, yi, xi)})}},
                        .associative = true};
  Entry entry{.name = "entry", .definitions = {largest, functor}};
  std::vector<Definition> shared;
  add_formulas(entry, shared);
  BOOST_TEST(std::get<Functor>(entry.definitions[1]).comment.formula.at(0) == "The one with the larger value; of equal ones, that with the smaller at.");
}

BOOST_AUTO_TEST_CASE(formula_states_conditions) {
  BOOST_TEST(formulas({If{j < k, {Assign{ys[i], points[i * d + t]}}}}) ==
             "ys[i] = points[i, t], if j < k");
}

BOOST_AUTO_TEST_CASE(conditions_of_inner_branches_take_in_those_around_them) {
  const auto stored = [&](const Expr& outer, const Expr& inner) { return formulas({If{outer, {If{inner, {Assign{ys[i], points[i * d + t]}}}}}}); };
  BOOST_TEST(stored(j >= k, equal(k, j)) == "ys[i] = points[i, t], if k == j");
  BOOST_TEST(stored(j >= k, not_equal(j, k)) == "ys[i] = points[i, t], if j > k");
  BOOST_TEST(stored(j <= k, not_equal(j, k)) == "ys[i] = points[i, t], if j < k");
  BOOST_TEST(stored(j > k, not_equal(j, i)) == "ys[i] = points[i, t], if j > k and j != i");
}

}  // namespace boustro::plan::formula_tests
