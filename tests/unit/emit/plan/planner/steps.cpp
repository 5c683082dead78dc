#include "emit/plan/planner/steps.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::steps_tests {
namespace {

using Lines = std::vector<std::string>;
const boost::test_tools::per_element each;

const Param ys{.name = "ys", .type = pointer_to(f64), .access = Access::written}, xs{.name = "xs", .type = const_pointer_to(f64)},
    n{.name = "n", .type = type(i64)};
const Expr given = var("given", pointer_to(f64)), kept = var("kept", pointer_to(f64)), count = var("count", type(i64));

Stm launch(const std::string& kernel, std::vector<Expr> args) { return Launch{.kernel = kernel, .grid = {lit(1)}, .block = {lit(1)}, .args = std::move(args)}; }

Kernel kernel(const std::string& name, Lines formula) { return {.name = name, .comment = {.formula = std::move(formula)}, .params = {ys, xs, n}}; }

/// The steps of an entry that launches this kernel, its own or another entry's, with these arguments.
Lines steps(const Kernel& kernel, std::vector<Expr> args, bool own = false) {
  Program plan;
  plan.entries = {Entry{.name = "first", .kernels = {kernel}}, Entry{.name = "second"}};
  Entry& entry = plan.entries[own ? 0 : 1];
  entry.body = {launch(kernel.name, std::move(args))};
  Lines lines;
  for (const planner::Step& step : planner::steps_of(plan, entry)) lines.insert(lines.end(), step.lines.begin(), step.lines.end());
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_say_where_what_has_no_formula_is_computed) {
  BOOST_TEST(steps(kernel("ys_kernel", {"ys[i] = xs[i]", "zs[i], step by step as below"}), {var("ys", pointer_to(f64)), var("xs", pointer_to(f64)), count}, true) ==
                 (Lines{"ys[i] = xs[i]", "zs[i]: see ys_kernel"}),
             each);
}

BOOST_AUTO_TEST_CASE(steps_have_the_names_of_the_entry) {
  const Kernel shared = kernel("ys_kernel", {"ys[i] = total / n", "  where total = sum_{j < n} xs[j]"});
  BOOST_TEST(steps(shared, {kept, given, cast(PrimType::i32, count)}) ==
                 (Lines{"kept[i] = total / count", "  where total = sum_{j < count} given[j]"}),
             each);
  BOOST_TEST(steps(shared, {kept, given, lit(4)}) == (Lines{"kept[i] = total / 4", "  where total = sum_{j < 4} given[j]"}), each);
  BOOST_TEST(steps(shared, {scratch_field("piece", pointer_to(f64)), given, count}) ==
                 (Lines{"piece[i] = total / count", "  where total = sum_{j < count} given[j]"}),
             each);
  // Two that change places.
  BOOST_TEST(steps(kernel("ys_kernel", {"ys[i] = xs[i]"}), {var("xs", pointer_to(f64)), var("ys", pointer_to(f64)), count}) == (Lines{"xs[i] = ys[i]"}), each);
}

BOOST_AUTO_TEST_CASE(steps_spell_out_numbers_that_the_host_computes) {
  const Expr scale = var("scale", f64), half = var("half", f64);
  const auto with_numbers = [&](const std::string& formula, Expr value) {
    Program plan;
    Kernel kernel{.name = "ys_kernel", .params = {{.name = "ys", .type = pointer_to(f64)}, {.name = "factor", .type = type(f64)}}};
    kernel.comment.formula = {formula};
    plan.entries = {Entry{.name = "first", .kernels = {kernel}}};
    plan.entries[0].body = {Let{"half", type(f64), var("a", f64) * lit_float(0.5, f64)}, Let{"scale", type(f64), std::move(value)},
                            launch("ys_kernel", {kept, scale})};
    return planner::steps_of(plan, plan.entries[0])[0].lines[0];
  };
  BOOST_TEST(with_numbers("ys[i] = factor * i", var("a", f64) * var("b", f64)) == "kept[i] = (a * b) * i");
  BOOST_TEST(with_numbers("ys[i] = factor * i", cast(f64, count)) == "kept[i] = count * i");
  // Neither what only looks like the number, nor what says more by its name.
  BOOST_TEST(with_numbers("ys[i] = factor * half", var("a", f64) * var("b", f64)) == "kept[i] = (a * b) * half");
  BOOST_TEST(with_numbers("ys[i] = sum_{a < 4} factor * a", var("a", f64) * var("b", f64)) == "kept[i] = sum_{a < 4} scale * a");
  BOOST_TEST(with_numbers("ys[i] = factor * i", var("alpha", f64) * var("beta", f64) + var("gamma", f64) * var("delta", f64) * var("epsilon", f64)) == "kept[i] = scale * i");
  BOOST_TEST(with_numbers("ys[i] = factor * i", field(var("buffers", i64), "l", type(f64)) * var("a", f64)) == "kept[i] = scale * i");
}

BOOST_AUTO_TEST_CASE(steps_explain_numbers_that_would_stand_in_parentheses_of_parentheses) {
  const Expr scale = var("scale", f64);
  const auto explained = [&](Lines formula, const Expr& array) {
    Program plan;
    Kernel kernel{.name = "ys_kernel", .params = {{.name = "ys", .type = pointer_to(f64)}, {.name = "scale", .type = type(f64)}}};
    kernel.comment.formula = std::move(formula);
    plan.entries = {Entry{.name = "first", .kernels = {kernel}}};
    plan.entries[0].body = {Let{"scale", type(f64), lit_float(1, f64) / (var("a", f64) + var("b", f64)) * var("c", f64)}, launch("ys_kernel", {array, scale}),
                            launch("ys_kernel", {array, scale})};
    Lines lines;
    for (const planner::Step& step : planner::steps_of(plan, plan.entries[0])) lines.insert(lines.end(), step.lines.begin(), step.lines.end());
    return lines;
  };
  BOOST_TEST(explained({"ys[i] = scale * i"}, kept) == (Lines{"kept[i] = scale * i", "  where scale = 1 / (a + b) * c"}), each);
  BOOST_TEST(explained({"ys[i] = scale * y", "  where y = exp(i)"}, kept) == (Lines{"kept[i] = scale * y", "  where y = exp(i)", "        scale = 1 / (a + b) * c"}), each);
  // Of a kernel whose words the entry has none for.
  BOOST_TEST(explained({"ys[i] = scale * i"}, kept + count) == (Lines{"ys[i] = scale * i", "  where scale = 1 / (a + b) * c"}), each);
}

BOOST_AUTO_TEST_CASE(steps_do_not_say_what_would_mean_something_else) {
  const Kernel shared = kernel("ys_kernel", {"ys[i] = sum_{j < n} xs[j]"});
  BOOST_TEST(steps(shared, {kept, given, var("j", type(i64))}) == (Lines{"kept[i]: see ys_kernel"}), each);
  BOOST_TEST(steps(shared, {kept, given, count + lit(1)}) == (Lines{"kept[i]: see ys_kernel"}), each);
}

BOOST_AUTO_TEST_CASE(steps_of_two_ways_to_do_the_same_are_one) {
  const Lines formula{"ys[i] = xs[i]"};
  Program plan;
  plan.entries = {Entry{.name = "first", .kernels = {kernel("ys_tiles_kernel", formula), kernel("ys_kernel", formula), kernel("zs_kernel", {"zs[i] = xs[i]"})}}};
  plan.entries[0].body = {If{lit(PrimValue::of_bool(true)), {launch("ys_tiles_kernel", {kept, given, count})}, {launch("ys_kernel", {kept, given, count})}},
                          launch("zs_kernel", {kept, given, count})};
  const std::vector<planner::Step> steps = planner::steps_of(plan, plan.entries[0]);
  BOOST_REQUIRE(steps.size() == 2);
  BOOST_TEST(steps[0].piece == "ys_tiles_kernel");
  BOOST_TEST(steps[0].lines == Lines{"kept[i] = given[i]"}, each);
  BOOST_TEST(steps[1].piece == "zs_kernel");
}

}  // namespace boustro::plan::steps_tests
