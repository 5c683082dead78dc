// Which arrays are made in the memory of others, and which must not be.
#include "emit/plan/planner/taken_places.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "tests/dumps/read_dump.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::taken_places_tests {
namespace {

/// "zss in yss" for each array of the program that may be made in another's memory, in the order of names.
std::vector<std::string> taken(const std::string& text) {
  std::string reasons;
  auto program = tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions options;
  options.machine = parallel::Machine::cpu;
  const ir::Program flat = run_pipeline(translate_passes(options), std::move(*program), options);
  std::vector<std::string> result;
  for (const auto& [made, array] : taken_places(flat.functions.back().body, facts::Callees(flat))) result.push_back(made.base + " in " + array.base);
  std::sort(result.begin(), result.end());
  return result;
}

using Places = std::vector<std::string>;

const std::string sums = R"(
entry main [n] (xss: [n][n]f64) =
  let yss = map (map f64.exp) xss
  let sums = map (\j -> f64.sum (map (\i -> yss[i, j] * xss[j, i]) (iota n))) (iota n)
)";
/// Reads zss in such a way that it must be stored.
const std::string maxima = "  in map (\\j -> f64.maximum (map (\\i -> zss[i, (j + i) % n] * zss[j, i]) (iota n))) (iota n)\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(taken_places)

BOOST_AUTO_TEST_CASE(each_element_takes_the_place_of_the_one_that_it_is_made_of) {
  BOOST_TEST(taken(sums + "  let zss = map (map2 (\\s y -> y + s) sums) yss\n" + maxima) == Places{"zss in yss"});
}

BOOST_AUTO_TEST_CASE(not_of_another_element) {
  BOOST_TEST(taken(sums + "  let zss = tabulate_2d n n (\\i j -> yss[j, i] + sums[i])\n" + maxima) == Places{});
}

BOOST_AUTO_TEST_CASE(not_of_one_that_is_read_later) {
  const std::string last = "  in map (\\j -> f64.maximum (map (\\i -> zss[i, (j + i) % n] * zss[j, i] - yss[(i + j) % n, i]) (iota n))) (iota n)\n";
  BOOST_TEST(taken(sums + "  let zss = map (map2 (\\s y -> y + s) sums) yss\n" + last) == Places{});
}

BOOST_AUTO_TEST_CASE(not_of_a_part_of_another) {
  BOOST_TEST(taken("entry main [n] (xs: [n]f64) =\n"
                   "  let ys = map f64.exp xs\n"
                   "  let ws = ys ++ xs\n"
                   "  let t = f64.sum (map (\\i -> ys[(i * 2) % n] * xs[i]) (iota n))\n"
                   "  let zs = map (+ t) ys\n"
                   "  in (ws, f64.maximum (map (\\i -> zs[(i * 2) % n] * zs[i]) (iota n)))\n") == Places{});
}

BOOST_AUTO_TEST_CASE(not_of_a_result) {
  const std::string both = "  in (yss, map (\\j -> f64.maximum (map (\\i -> zss[i, (j + i) % n] * zss[j, i]) (iota n))) (iota n))\n";
  BOOST_TEST(taken(sums + "  let zss = map (map2 (\\s y -> y + s) sums) yss\n" + both) == Places{});
}

BOOST_AUTO_TEST_CASE(not_of_a_parameter) {
  BOOST_TEST(taken(sums + "  let zss = map (map2 (\\s x -> x + s) sums) xss\n" + maxima) == Places{});
  BOOST_TEST(taken(sums + "  let xss = transpose xss\n  let zss = map (map2 (\\s x -> x + s) sums) xss\n" + maxima) == Places{});
}

BOOST_AUTO_TEST_CASE(not_while_the_nest_reads_it_under_another_name) {
  BOOST_TEST(taken("entry main [n] (xss: [n][n]f64) =\n"
                   "  let yss = map (map f64.exp) xss\n"
                   "  let columns = transpose yss\n"
                   "  let zss = map2 (\\ys column -> map (\\y -> y + f64.maximum column) ys) yss columns\n" + maxima) == Places{});
}

BOOST_AUTO_TEST_CASE(symmetric_matrices_are_completed_where_they_are) {
  const std::string program = R"(
def dot [d] (xs: [d]f64) (ys: [d]f64) : f64 = f64.sum (map2 (*) xs ys)
def bells [n] [k] [d] (xss: [n][d]f64) (qs: [k][d][d]f64) : f64 =
  f64.sum (map (\xs -> f64.sum (map (\q -> let ys = map (dot xs) q in f64.exp (-dot ys ys)) qs)) xss)
entry main [n] [k] [d] (xss: [n][d]f64) (qs: [k][d][d]f64) : [k][d][d]f64 = vjp (bells xss) qs 1
)";
  BOOST_TEST(taken(program) == Places{"qs_adj_sums in qs_adj_sums"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::taken_places_tests
