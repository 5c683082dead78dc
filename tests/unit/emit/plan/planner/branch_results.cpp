// Arrays that a branch yields as they are, which are made where the result goes.
#include "emit/plan/planner/branch_results.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/dumps/read_dump.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::branch_results_tests {
namespace {

/// Which array the entry makes in the place of its first result, and when; "none" if there is none.
std::string in_place(const std::string& body) {
  std::string reasons;
  auto program = tests::lowered("entry main [n] (xs: [n]f64) (k: i64) =\n" + body, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = parallel::Machine::cpu;
  const ir::Program flat = run_pipeline(translate_passes(options), std::move(*program), options);
  const ir::Function& main = flat.functions.back();
  const BranchResults found = branch_results(main.body, static_cast<std::size_t>(main.size_results), facts::Callees(flat));
  if (found.empty()) return "none";
  const auto& [made, branch] = *found.begin();
  return made.base + (branch.on_true ? " if " : " unless ") + (branch.computed ? "an operation" : "a name");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(results_of_branches)

BOOST_AUTO_TEST_CASE(of_either_branch) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs in if k > 0 then ys else reverse ys") == "ys if an operation");
  BOOST_TEST(in_place("let ys = map (+ 1) xs in if k > 0 then reverse ys else ys") == "ys unless an operation");
}

BOOST_AUTO_TEST_CASE(of_another_shape) {
  BOOST_TEST(in_place("let ys = tabulate_2d 3 n (\\i j -> xs[j] + f64.i64 i) let zs = flatten ys in if k > 0 then zs else rotate k zs") ==
             "ys if an operation");
}

BOOST_AUTO_TEST_CASE(not_if_both_branches_yield_arrays_from_before) {
  BOOST_TEST(in_place("let (ys, zs) = unzip (map (\\x -> (x + 1, x * x)) xs) in if k > 0 then ys else zs") == "none");
}

BOOST_AUTO_TEST_CASE(not_if_neither_does) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs in if k > 0 then reverse ys else rotate 1 ys") == "none");
}

BOOST_AUTO_TEST_CASE(not_what_the_caller_gave) { BOOST_TEST(in_place("if k > 0 then xs else reverse xs") == "none"); }

BOOST_AUTO_TEST_CASE(not_a_part_of_another) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs let zs = reverse ys in if k > 0 then zs else map (+ ys[0]) zs") == "none");
}

BOOST_AUTO_TEST_CASE(not_if_it_is_a_result_too) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs in (if k > 0 then ys else reverse ys, ys)") == "none");
}

BOOST_AUTO_TEST_CASE(not_if_others_read_it) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs in (if k > 0 then ys else reverse ys, map (\\i -> ys[n - 1 - i]) (iota n))") == "none");
}

BOOST_AUTO_TEST_CASE(not_if_it_is_updated) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs in if k > 0 then ys else ys with [0] = 7") == "none");
}

BOOST_AUTO_TEST_CASE(not_an_updated_array) {
  BOOST_TEST(in_place("let ys = scatter (map (+ 1) xs) (map i64.f64 xs) xs in if k > 0 then ys else reverse ys") == "none");
}

BOOST_AUTO_TEST_CASE(conditions_that_take_more_are_names) {
  BOOST_TEST(in_place("let ys = map (+ 1) xs in if and (map (> 0) xs) then ys else reverse ys") == "ys if a name");
  BOOST_TEST(in_place("let ys = map (+ 1) xs in if f64.sum xs > 0 then ys else reverse ys") == "ys if an operation");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::branch_results_tests
