// Which additions lanes of a warp make together, and what --explain-plan says of it.
#include "emit/plan/lower/by_warp.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/dumps/read_dump.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::by_warp_tests {
namespace {

/// Of the last nest of a grid that adds or combines something.
std::optional<ByWarp> found_in(const ir::Body& body) {
  std::optional<ByWarp> result;
  for (const ir::Stm& stm : body.stms) {
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) {
      if (const auto inside = found_in(inner)) result = inside;
    });
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    const bool combines = nest && !nest->outs.empty() && nest->outs[0].kind == ir::OutKind::histogram;
    if (nest && nest->over == ir::Level::grid && (combines || !nest->accumulators.empty())) result = additions_by_warp(stm, *nest, 0);
  }
  return result;
}

ByWarp of(const std::string& text) {
  std::string reasons;
  auto program = tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = parallel::Machine::gpu;
  const ir::Program flat = run_pipeline(translate_passes(options), std::move(*program), options);
  const auto found = found_in(flat.functions.back().body);
  BOOST_REQUIRE(found);
  return *found;
}

std::string histogram(const std::string& attribute, const std::string& bins) {
  return "entry main [n] (is: [n]i64) (vs: [n]f32) (xs: *[70000]f32) = " + attribute + " reduce_by_index xs (+) 0 " + bins + " vs\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(by_warp)

BOOST_AUTO_TEST_CASE(where_the_data_say_which_cell_it_is) {
  const ByWarp found = of(histogram("", "is"));
  BOOST_TEST(found.outs.at(0));
  BOOST_TEST(found.why == "lanes of a warp add together: cells by data");
}

BOOST_AUTO_TEST_CASE(where_all_have_one_cell) {
  const ByWarp found = of("entry main [n] [m] (xss: [n][m]f64) (k: i64) (ys: [n][m]f64) =\n"
                          "  vjp (\\xss -> tabulate n (\\i -> loop s = 1 for t < m do s * f64.sin (s + (#[unsafe] xss[k, t])))) xss (map (.[0]) ys)\n");
  BOOST_TEST(found.why == "lanes of a warp add together: they have one cell");
}

BOOST_AUTO_TEST_CASE(not_where_cells_go_on) {
  const ByWarp found = of(histogram("", "(iota n)"));
  BOOST_TEST(!found.outs.at(0));
  BOOST_TEST(found.why == "");
}

BOOST_AUTO_TEST_CASE(wherever_it_is_asked_for) {
  const ByWarp found = of(histogram("#[aggregate]", "(iota n)"));
  BOOST_TEST(found.outs.at(0));
  BOOST_TEST(found.why == "lanes of a warp add together: asked for");
}

/// The return sweep of a map inherits what is asked for.
BOOST_AUTO_TEST_CASE(derivatives_are_asked_likewise) {
  const auto gradient = [](const std::string& attribute) {
    return "entry main [n] (xs: [n]f64) (ys: [n]f64) = vjp (\\xs -> " + attribute +
           " tabulate n (\\i -> f64.sin (#[unsafe] xs[i] + xs[(i + 1) % n]))) xs ys\n";
  };
  BOOST_TEST(of(gradient("")).why == "lanes of a warp add together: cells by data");
  BOOST_TEST(of(gradient("#[aggregate]")).why == "lanes of a warp add together: asked for");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::by_warp_tests
