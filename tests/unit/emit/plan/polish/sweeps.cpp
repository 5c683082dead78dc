#include "emit/plan/polish/sweeps.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::sweeps_tests {
namespace {

using ir::Sweep;

Stm step(const std::string& kernel) { return Launch{.kernel = kernel, .grid = {lit(1)}, .block = {lit(1)}}; }
Stm scalar(const std::string& name) { return Let{name, type(i64), lit(1)}; }

/// What stands above each statement.
std::vector<std::string> said(Stms body) {
  Program plan;
  Entry& entry = plan.entries.emplace_back();
  for (const auto& [name, sweep] : {std::pair("plain", Sweep::none), std::pair("forward", Sweep::forward), std::pair("back", Sweep::reverse)})
    entry.kernels.push_back({.name = name, .comment = {.sweep = sweep}});
  entry.body = std::move(body);
  say_sweeps(plan);
  std::vector<std::string> above;
  for (const Stm& stm : plan.entries[0].body) above.push_back(stm.above);
  return above;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(each_sweep_is_told_where_it_begins) {
  BOOST_TEST(said({step("forward"), step("forward"), step("back"), step("back")}) == (Texts{"Forward sweep.", "", "Return sweep.", ""}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_prepares_a_step_belongs_to_its_sweep) {
  BOOST_TEST(said({scalar("n"), step("forward"), scalar("m"), step("back")}) == (Texts{"", "Forward sweep.", "Return sweep.", ""}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(steps_of_no_sweep_go_with_those_before) {
  BOOST_TEST(said({step("plain"), step("back"), step("plain")}) == (Texts{"Forward sweep.", "Return sweep.", ""}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_sweep_needs_no_comment) {
  BOOST_TEST(said({step("plain"), step("forward")}) == (Texts{"", ""}), boost::test_tools::per_element());
  BOOST_TEST(said({step("back")}) == Texts{""}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sweeps_that_take_turns_all_the_time_are_not_told) {
  Stms turns;
  for (int i = 0; i < 3; ++i) turns.push_back(step("forward")), turns.push_back(step("back"));
  BOOST_TEST(said(std::move(turns)) == Texts(6), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_loop_with_both_is_told_inside) {
  Stms body{For{.name = "i", .type = type(i64), .from = lit(0), .to = lit(9), .step = lit(1), .body = {step("forward"), step("back")}}};
  Program plan;
  Entry& entry = plan.entries.emplace_back();
  entry.kernels = {{.name = "forward", .comment = {.sweep = Sweep::forward}}, {.name = "back", .comment = {.sweep = Sweep::reverse}}};
  entry.body = std::move(body);
  say_sweeps(plan);
  const Stms& inside = std::get<For>(plan.entries[0].body[0].what).body;
  BOOST_TEST(plan.entries[0].body[0].above.empty());
  BOOST_TEST(inside[0].above == "Forward sweep.");
  BOOST_TEST(inside[1].above == "Return sweep.");
}

}  // namespace boustro::plan::sweeps_tests
