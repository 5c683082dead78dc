// Maps that move to the accumulation which takes their results, and loops that two traversals of a point run once.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ad/ad.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/fuse/traversal_form.hpp"
#include "transform/lower/inline.hpp"
#include "transform/pipeline.hpp"
#include "transform/simplify/simplify.hpp"

namespace share_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

Program simplified(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  Program result = simplify::simplify(boustro::lower::inline_functions(std::move(*program)));
  while (boustro::ad::differentiate_innermost(result)) result = simplify::simplify(std::move(result));
  return simplify::simplify(boustro::fuse::reduce_accumulators(std::move(result)));
}

Program whole_points(Program program) { return boustro::fuse::fuse(std::move(program), true); }

Program shared(Program program) {
  return simplify::simplify(boustro::fuse::share_computations(simplify::simplify(boustro::fuse::fuse(std::move(program), true))));
}

/// Traversals of the function's own level, whatever they are inside of but other traversals.
int outermost(const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    if (boustro::fuse::is_traversal(stm.exp)) {
      ++found;
    } else {
      for_each_body(stm.exp, [&](const Body& inner) { found += outermost(inner); });
    }
  }
  return found;
}

int outermost(const Program& program) {
  int found = 0;
  for (const Function& function : program.functions)
    if (function.entry) found += outermost(function.body);
  return found;
}

/// Loops that come to sums.
int sums(Program program) {
  std::erase_if(program.functions, [](const Function& function) { return !function.entry; });
  return count<Reduce>(program) + count<MapReduce>(program);
}

/// What traversals of the body come to or store, all in all.
int results(const Body& body) {
  int found = 0;
  for (const Stm& stm : body.stms) {
    if (boustro::fuse::is_traversal(stm.exp)) found += static_cast<int>(stm.pattern.size());
    for_each_body(stm.exp, [&](const Body& inner) { found += results(inner); });
  }
  return found;
}

int results(const Program& program) {
  int found = 0;
  for (const Function& function : program.functions)
    if (function.entry) found += results(function.body);
  return found;
}

const std::string density =
    "def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = reduce (+) 0 (map2 (*) xs ys)\n"
    "def density [k] [d] (qs: [k][d]f64) (x: [d]f64) : f64 = reduce (+) 0 (map (\\q -> let y = dot q x in y * y * y) qs)\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(share)

BOOST_AUTO_TEST_CASE(both_sweeps_of_a_point_are_one_traversal) {
  const Program before = simplified(density +
      "entry main [n] [k] [d] (qs: [k][d]f64) (xs: [n][d]f64) : [k][d]f64 =\n"
      "  vjp (\\qs -> reduce (+) 0 (map (\\x -> f64.exp (density qs x)) xs)) qs 1\n");
  const std::vector<Arguments> runs = {{some_f64s({2, 3}), some_f64s({4, 3})}, {some_f64s({2, 0}), some_f64s({4, 0})},
                                       {some_f64s({2, 3}), some_f64s({0, 3})}, {some_f64s({0, 3}), some_f64s({4, 3})}};
  const Program fused = after(whole_points, before, runs);
  BOOST_TEST(outermost(fused) == 1);
}

BOOST_AUTO_TEST_CASE(a_sum_that_both_sweeps_need_is_computed_once) {
  const Program before = simplified(density +
      "entry main [n] [k] [d] (means: [k][d]f64) (qs: [k][d][d]f64) (xs: [n][d]f64) : ([k][d]f64, [k][d][d]f64) =\n"
      "  let terms means qs x = map2 (\\mean q -> let z = map2 (-) x mean in density q z) means qs\n"
      "  in vjp (\\(means, qs) -> reduce (+) 0 (map (\\x -> let t = reduce (+) 0 (terms means qs x) in t * t) xs)) (means, qs) 1\n");
  const std::vector<Arguments> runs = {{some_f64s({2, 3}), some_f64s({2, 3, 3}), some_f64s({4, 3})},
                                       {some_f64s({0, 3}), some_f64s({0, 3, 3}), some_f64s({4, 3})},
                                       {some_f64s({1, 1}), some_f64s({1, 1, 1}), some_f64s({1, 1})},
                                       {some_f64s({2, 0}), some_f64s({2, 0, 0}), some_f64s({4, 0})}};
  boustro::PipelineOptions options;
  options.machine = boustro::parallel::Machine::cpu;
  Program program = before;
  for (const auto& pass : boustro::translate_passes(options)) {
    if (pass.name != "share") {
      program = pass.function(std::move(program));
      continue;
    }
    const Program once = after(pass.function, program, runs);
    BOOST_TEST(sums(once) == sums(program) - 2);
    // Two sums go, and one array of rows and one row come, however many need them.
    BOOST_TEST(results(once) == results(program));
    break;
  }
}

BOOST_AUTO_TEST_CASE(what_takes_no_loop_is_computed_again) {
  const Program before = simplified(
      "entry main [n] [k] (cs: [k]f64) (xs: [n]f64) : [n][k]f64 =\n"
      "  map (\\x -> let total = reduce (+) 0 (map (\\c -> f64.exp (c * x)) cs) in map (\\c -> f64.exp (c * x) / total) cs) xs\n");
  const Program fused = simplify::simplify(boustro::fuse::fuse(before, true));
  BOOST_TEST(to_string(shared(before)) == to_string(fused));
}

BOOST_AUTO_TEST_CASE(loops_over_other_arrays_differ) {
  const Program before = simplified(density +
      "entry main [n] [k] [d] (qs: [k][d]f64) (rs: [k][d]f64) (xs: [n][d]f64) : [n](f64, [k]f64) =\n"
      "  map (\\x -> (reduce f64.max 0 (map (\\q -> dot q x + 1) qs), map (\\r -> dot r x) rs)) xs\n");
  const Program fused = simplify::simplify(boustro::fuse::fuse(before, true));
  BOOST_TEST(sums(shared(before)) == sums(fused));
}

BOOST_AUTO_TEST_CASE(a_producer_stays_where_others_take_its_results) {
  const Program before = simplified(
      "entry main [n] [k] (is: [n]i64) (xs: [n]f64) (zs: *[k]f64) : ([k]f64, [n]f64) =\n"
      "  let ys = map (\\x -> f64.exp (x - 9)) xs\n"
      "  in (reduce_by_index zs (+) 0 is (map f64.sqrt ys), scan (+) 0 ys)\n");
  after(whole_points, before,
        {{some_i64s({4}, 3), some_f64s({4}), some_f64s({3})}, {some_i64s({0}, 3), some_f64s({0}), some_f64s({3})}});
}

BOOST_AUTO_TEST_CASE(a_producer_that_reads_what_is_added_to_stays_before_it) {
  const Program before = simplified(
      "def add [n] [k] (is: [n]i64) (ys: [n]f64) (zs: [k]f64) : f64 =\n"
      "  reduce (+) 0 (reduce_by_index (copy zs) (+) 0 is (map2 (\\i y -> y * zs[i %% k]) is ys))\n"
      "entry main [n] [k] (is: [n]i64) (ys: [n]f64) (zs: [k]f64) : ([n]f64, [k]f64) =\n"
      "  vjp (\\(ys, zs) -> add is ys zs) (ys, zs) 1\n");
  after(shared, before, {{some_i64s({4}, 3), some_f64s({4}), some_f64s({3})}, {some_i64s({0}, 3), some_f64s({0}), some_f64s({3})}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace share_tests
