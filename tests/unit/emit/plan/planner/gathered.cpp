// Arrays of which elements are picked across a few rows.
#include "emit/plan/planner/gathered.hpp"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "tests/dumps/read_dump.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::gathered_tests {
namespace {

/// What they are called.
std::vector<std::string> gathered(const std::string& body, const std::string& rows = "3") {
  std::string reasons;
  auto program = tests::lowered("entry main [n] [m] [k] (is: [k]i64) (xs: [" + rows + "][n]f64) (ws: [m]f64) =\n"
                                "  let ys = map (\\row -> map (\\x -> map (\\w -> f64.sin (w * x)) ws) row) xs\n  " + body, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = parallel::Machine::cpu;
  const ir::Program flat = run_pipeline(translate_passes(options), std::move(*program), options);
  std::vector<std::string> result;
  for (const ir::Name& name : gathered_arrays(flat.functions.back().body)) result.push_back(name.base);
  std::sort(result.begin(), result.end());
  return result;
}

using Found = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(gathered_elements)

BOOST_AUTO_TEST_CASE(of_few_rows) {
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[:, i]) is") == Found{"ys"});
  BOOST_TEST(gathered("in map (\\i -> map2 (map2 (+)) ys[:, i] ys[:, i - 1]) is") == Found{"ys"});
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[:, i]) is", "16") == Found{"ys"});
}

BOOST_AUTO_TEST_CASE(not_of_many_rows) {
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[:, i]) is", "17") == Found{});
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[:, i]) is", "k") == Found{});
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[:, i]) is", "1") == Found{});
}

BOOST_AUTO_TEST_CASE(not_if_others_see_it) {
  BOOST_TEST(gathered("in (map (\\i -> map (map (+ 1)) ys[:, i]) is, ys)") == Found{});
  BOOST_TEST(gathered("in (map (\\i -> map (map (+ 1)) ys[:, i]) is, map (\\i -> ys[0, i, 0]) is)") == Found{});
  BOOST_TEST(gathered("in (map (\\i -> map (map (+ 1)) ys[:, i]) is, map (\\i -> map (map (+ 1)) ys[1:3, i]) is)") == Found{});
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[0:2, i]) is") == Found{});
  BOOST_TEST(gathered("in (map (\\i -> map (map (+ 1)) ys[:, i]) is, map (\\i -> map (map (+ 1)) ys[::-1, i]) is)") == Found{});
  BOOST_TEST(gathered("in map (\\i -> map (map (+ 1)) ys[:, i, 1:]) is") == Found{});
}

BOOST_AUTO_TEST_CASE(not_of_numbers) {
  BOOST_TEST(gathered("let zs = map (map (\\y -> f64.sum y)) ys in map (\\i -> map (+ 1) zs[:, i]) is") == Found{});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::gathered_tests
