#include "emit/plan/polish/common_ends.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::common_ends_tests {
namespace {

const Expr i = var("i", i64), j = var("j", i64), d = var("d", i64), n = var("n", i64);
const Expr row = var("row", const_pointer_to(f64)), weights = var("weights", const_pointer_to(f64)), out = var("out", pointer_to(f64)), total = var("total", f64);

Param array(const std::string& name, Type of) { return {.name = name, .type = restricted(of), .shape = {"n"}, .access = of.read_only ? Access::read : Access::written}; }
Stm changing(const Expr& variable, Expr value) { return Let{std::get<Var>(variable.head).name, variable.type, std::move(value), true}; }
Stm loop(Stms body) { return For{.name = "j", .type = type(i64), .from = lit(0), .to = d, .body = std::move(body)}; }

/// The sum of weighted elements of the row, and what else the last statements are.
Stms sum_of_row(Stms more = {}) {
  const Expr product = var("product", f64);
  Stms stms = {changing(total, lit_float(0, f64)), loop({Let{"product", type(f64), weights[j] * row[j]}, Assign{total, product, Op::add}})};
  for (Stm& stm : more) stms.push_back(std::move(stm));
  stms.push_back(Assign{out[i], total});
  return stms;
}

Kernel kernel(const std::string& name, Expr start, const Stms& end) {
  Kernel result{.name = name};
  result.comment.source = "a.fut:3, `f`";
  result.params = {array("out", pointer_to(f64)), array("xs", const_pointer_to(f64)), array("weights", const_pointer_to(f64)), {.name = "d", .type = type(i64)}};
  result.body = {Let{"i", type(i64), lit(0)}, Let{"row", const_pointer_to(f64), std::move(start)}};
  result.body.insert(result.body.end(), end.begin(), end.end());
  return result;
}

const Expr xs = var("xs", const_pointer_to(f64)), staged_rows = var("block_rows", const_pointer_to(f64));

Program shared(const Stms& first, const Stms& second, bool of_tiles = true, const std::set<std::string>& variables = {}) {
  Program plan;
  Entry entry{.name = "f"};
  entry.kernels = {kernel("staged_kernel", staged_rows + i, first), kernel("kernel", xs + i * d, second)};
  entry.kernels[0].of_tiles = of_tiles;
  plan.entries = {entry};
  share_ends(plan, variables);
  return plan;
}

const Function* function_in(const Program& plan) {
  const auto& definitions = plan.entries[0].definitions;
  return definitions.empty() ? nullptr : &std::get<Function>(definitions[0]);
}

void check_left_alone(const Stms& first, const Stms& second) {
  const Program plan = shared(first, second);
  BOOST_TEST(!function_in(plan));
  BOOST_TEST((plan.entries[0].kernels[1].body == kernel("kernel", xs + i * d, second).body));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(common_ends)

BOOST_AUTO_TEST_CASE(equal_ends_are_a_function) {
  const Stms end = sum_of_row({If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}});
  const Program plan = shared(end, end);
  const Function* function = function_in(plan);
  BOOST_REQUIRE(function);
  BOOST_TEST(function->name == "total_of");
  BOOST_TEST((function->result == type(f64)));
  std::vector<std::string> params;
  for (const Param& param : function->params) {
    params.push_back(param.name);
    BOOST_TEST(!param.type.restricted);
  }
  BOOST_TEST(params == (std::vector<std::string>{"row", "weights", "d"}), boost::test_tools::per_element());
  BOOST_TEST((function->body.back() == Stm(Return{total})));
  BOOST_TEST((Stms(function->body.begin(), function->body.end() - 1) == Stms(end.begin(), end.end() - 1)));
  for (const Kernel& kernel : plan.entries[0].kernels) {
    BOOST_TEST(kernel.body.size() == 3u);
    BOOST_TEST((kernel.body.back() == Stm(Assign{out[i], call("total_of", type(f64), {row, weights, d})})));
  }
}

BOOST_AUTO_TEST_CASE(the_function_says_what_it_computes) {
  const Program plan = shared(sum_of_row({changing(var("other", f64), lit_float(0, f64))}), sum_of_row({changing(var("other", f64), lit_float(0, f64))}));
  BOOST_TEST(function_in(plan)->comment.formula == std::vector<std::string>{"sum_{j < d} weights[j] * row[j]"}, boost::test_tools::per_element());
  BOOST_TEST(function_in(plan)->comment.source == "a.fut:3");
}

BOOST_AUTO_TEST_CASE(names_that_are_taken) {
  const Stms end = sum_of_row({If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}});
  BOOST_TEST(function_in(shared(end, end, true, {"total_of"}))->name == "out_of");
  BOOST_TEST(!function_in(shared(end, end, true, {"total_of", "out_of"})));
}

BOOST_AUTO_TEST_CASE(names_with_numbers_are_left_to_others) {
  const Expr numbered = var("total_2", f64);
  const Stms end{changing(numbered, lit_float(0, f64)), loop({Assign{numbered, weights[j] * row[j], Op::add}}),
                 If{numbered < lit_float(0, f64), {Assign{numbered, lit_float(0, f64)}}}, Assign{out[i], numbered}};
  BOOST_TEST(function_in(shared(end, end))->name == "out_of");
  BOOST_TEST(function_in(shared(end, end, true, {"out_of"}))->name == "total_2_of");
}

BOOST_AUTO_TEST_CASE(short_ends_stay) { check_left_alone(sum_of_row(), sum_of_row()); }

BOOST_AUTO_TEST_CASE(other_ends_stay) {
  const auto limited = [](double most) { return sum_of_row({If{total < lit_float(most, f64), {Assign{total, lit_float(0, f64)}}}}); };
  check_left_alone(limited(0), limited(1));
}

BOOST_AUTO_TEST_CASE(kernels_that_do_something_else_stay) {
  const Stms end = sum_of_row({If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}});
  BOOST_TEST(!function_in(shared(end, end, false)));
}

/// A function computes one value: it neither stores nor leaves the kernel.
BOOST_AUTO_TEST_CASE(ends_that_do_more_stay) {
  for (const Stm& more : {Stm(Assign{out[i + 1], total}), Stm(Assign{d, d + 1}), Stm(If{total < lit_float(0, f64), {Return{}}}), Stm(Barrier{})})
    check_left_alone(sum_of_row({more, If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}}),
                     sum_of_row({more, If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}}));
}

/// Where it is stored is what the kernel knows.
BOOST_AUTO_TEST_CASE(places_that_the_end_computes_stay) {
  Stms end = sum_of_row({Let{"place", type(i64), d * d}, If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}});
  end.back() = Assign{out[var("place", i64)], total};
  check_left_alone(end, end);
}

/// What may be written meanwhile is not handed on.
BOOST_AUTO_TEST_CASE(ends_that_read_results_stay) {
  const Stms end = sum_of_row({Assign{total, out[i], Op::add}, If{total < lit_float(0, f64), {Assign{total, lit_float(0, f64)}}}});
  check_left_alone(end, end);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::common_ends_tests
