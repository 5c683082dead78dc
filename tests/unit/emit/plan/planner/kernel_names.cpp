#include "emit/plan/planner/kernel_names.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::kernel_names_tests {
namespace {

using Texts = std::vector<std::string>;

Param array(const std::string& name, Access access = Access::written) { return {.name = name, .type = pointer_to(f64), .access = access}; }

Kernel kernel(const std::string& name, std::vector<Param> params) { return {.name = name, .params = std::move(params)}; }

/// A kernel that is a part of that function.
Kernel part(const std::string& function, ir::Sweep sweep, std::vector<Param> params, std::vector<std::string> formula = {}) {
  Kernel result = kernel("of_" + function + "_kernel", std::move(params));
  result.comment.function = function, result.comment.sweep = sweep, result.comment.formula = std::move(formula);
  return result;
}

Entry entry(const std::string& name, std::vector<Kernel> kernels) {
  Entry result{.name = name};
  for (const Kernel& kernel : kernels) result.body.push_back(Launch{.kernel = kernel.name, .grid = {lit(1)}, .block = {lit(1)}});
  result.kernels = std::move(kernels);
  return result;
}

/// The names of all kernels, after a check that each is launched under its name.
Texts named(std::vector<Entry> entries, const std::set<std::string>& variables = {}) {
  Program plan;
  plan.entries = std::move(entries);
  planner::name_kernels(plan, variables);
  Texts names;
  for (const Entry& entry : plan.entries)
    for (std::size_t i = 0; i < entry.kernels.size(); ++i) {
      names.push_back(entry.kernels[i].name);
      BOOST_TEST(std::get<Launch>(entry.body[i].what).kernel == names.back());
    }
  return names;
}

const boost::test_tools::per_element each;

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_are_called_after_what_they_write_first) {
  BOOST_TEST(named({entry("f", {kernel("ws_kernel", {array("memory", Access::scratch), array("ws_adj"), array("ys")})})}) == Texts{"ws_adj_kernel"}, each);
  BOOST_TEST(named({entry("f", {kernel("ws_kernel_2_tiles_kernel", {array("ws_3")})})}) == Texts{"ws_tiles_kernel"}, each);
  BOOST_TEST(named({entry("f", {kernel("winner_kernel", {array("result_2")})})}) == Texts{"winner_kernel"}, each);
  BOOST_TEST(named({entry("f", {kernel("quotient_kernel", {array("result_2")})})}) == Texts{"result_kernel"}, each);
  BOOST_TEST(named({entry("f", {kernel("y_kernel", {array("failure_record", Access::updated), array("xs")})})}) == Texts{"xs_kernel"}, each);
}

BOOST_AUTO_TEST_CASE(one_of_several_arrays_is_called_after_the_function_and_its_sweep) {
  const std::vector<Param> three{array("xs"), array("ys"), array("zs_adj", Access::added_to)};
  const std::vector<Param> two{array("xs"), array("ys"), array("ws", Access::scratch), array("failure_record", Access::updated)};
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::reverse, three)})}) == Texts{"cost_return_kernel"}, each);
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::forward, three)})}) == Texts{"cost_forward_kernel"}, each);
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::none, three)})}) == Texts{"cost_kernel"}, each);
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::none, three), part("", ir::Sweep::reverse, two)})}) == (Texts{"cost_forward_kernel", "xs_kernel"}), each);
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::reverse, two)})}) == Texts{"xs_kernel"}, each);
  BOOST_TEST(named({entry("f", {part("", ir::Sweep::reverse, three)})}) == Texts{"xs_kernel"}, each);
}

BOOST_AUTO_TEST_CASE(names_of_parts_say_what_is_so) {
  const std::vector<Param> three{array("xs"), array("ys"), array("zs")}, adjoints{array("xs_adj"), array("ys_adj"), array("zs_adj")};
  // What follows a return sweep is not of the forward sweep, nor a return sweep without adjoints.
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::reverse, adjoints), part("step", ir::Sweep::none, three)})}) == (Texts{"cost_return_kernel", "step_kernel"}), each);
  BOOST_TEST(named({entry("f", {part("step", ir::Sweep::reverse, three)})}) == Texts{"xs_kernel"}, each);
  // `log` is a function of C++; operators have no names.
  BOOST_TEST(named({entry("f", {part("log", ir::Sweep::none, three)})}) == Texts{"log_kernel"}, each);
  BOOST_TEST(named({entry("f", {part("+++", ir::Sweep::none, three)})}) == Texts{"xs_kernel"}, each);
  // Two arrays that no formula tells of.
  const std::vector<Param> two{array("xs"), array("ys")};
  BOOST_TEST(named({entry("f", {part("cost", ir::Sweep::none, two, {"xs[i] and ys[i], step by step as below"})})}) == Texts{"cost_kernel"}, each);
}

BOOST_AUTO_TEST_CASE(two_parts_of_a_function_are_called_after_their_arrays) {
  Kernel first = kernel("a_kernel", {array("xs"), array("ys"), array("zs")}), second = kernel("b_kernel", {array("us"), array("vs"), array("ws")});
  first.comment.function = second.comment.function = "cost";
  BOOST_TEST(named({entry("f", {first, second})}) == (Texts{"xs_kernel", "us_kernel"}), each);
}

BOOST_AUTO_TEST_CASE(no_name_has_two_underscores_side_by_side) {
  BOOST_TEST(named({entry("f", {kernel("m_adj_kernel", {array("means_")})})}) == Texts{"means_kernel"}, each);
}

BOOST_AUTO_TEST_CASE(what_changes_an_array_later_says_so) {
  const std::vector<Kernel> kernels{kernel("a_kernel", {array("xs")}), kernel("b_kernel", {array("xs", Access::added_to)}),
                                    kernel("c_kernel", {array("xs", Access::updated)}), kernel("d_kernel", {array("xs")})};
  BOOST_TEST(named({entry("f", kernels)}) == (Texts{"xs_kernel", "add_to_xs_kernel", "update_xs_kernel", "d_kernel"}), each);
}

BOOST_AUTO_TEST_CASE(kernels_of_several_entries_are_told_apart) {
  BOOST_TEST(named({entry("f", {kernel("total_kernel", {array("total")})}), entry("g", {kernel("mean_total_kernel", {array("total")})})}) ==
                 (Texts{"total_kernel", "mean_total_kernel"}),
             each);
  BOOST_TEST(named({entry("f", {kernel("a_kernel", {array("total")})}), entry("g", {kernel("b_kernel", {array("total")})})}) ==
                 (Texts{"f_total_kernel", "g_total_kernel"}),
             each);
}

BOOST_AUTO_TEST_CASE(variables_keep_their_names) {
  BOOST_TEST(named({entry("f", {kernel("a_kernel", {array("xs")})})}, {"xs_kernel"}) == Texts{"a_kernel"}, each);
}

BOOST_AUTO_TEST_CASE(functions_that_add_are_called_after_what_they_add_to) {
  Entry f = entry("f", {kernel("a_kernel", {array("xs_adj", Access::added_to)})});
  f.definitions.push_back(Function{.name = "add_icf", .params = {array("xs_adj", Access::added_to)}, .verb = "add"});
  f.kernels[0].body = {Do{call("add_icf", type(f64), {})}};
  f.kernels[0].comment.grid = "see add_icf";
  Program plan;
  plan.entries = {f};
  planner::name_kernels(plan, {});
  const Entry& named = plan.entries[0];
  BOOST_TEST(std::get<Function>(named.definitions[0]).name == "add_xs_adj");
  BOOST_TEST(std::get<Call>(std::get<Do>(named.kernels[0].body[0].what).call.head).function == "add_xs_adj");
  BOOST_TEST(named.kernels[0].comment.grid == "see add_xs_adj");
}

}  // namespace boustro::plan::kernel_names_tests
