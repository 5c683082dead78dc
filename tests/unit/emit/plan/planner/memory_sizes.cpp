// Which numbers the host has to know so that it can make room for what threads store.
#include "emit/plan/planner/memory_sizes.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/dumps/read_dump.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::memory_sizes_tests {
namespace {

/// What is needed for the last nest of the entry, of whose parameters nobody knows a bound but of those in `bounded`.
std::string needed(const std::string& body, const std::set<std::string>& bounded = {}) {
  std::string reasons;
  auto program = tests::lowered("entry main [n] (xs: [n]i64) (k: i64) (l: i64) (b: bool) : [n]i64 = " + body, "main.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  for (const Pass& pass : translate_passes()) *program = pass.function(std::move(*program));
  const auto& stms = program->functions[0].body.stms;
  const auto nest = std::find_if(stms.rbegin(), stms.rend(), [](const ir::Stm& stm) { return std::holds_alternative<ir::Nest>(stm.exp); });
  const facts::Callees callees(*program);
  std::set<std::string> names;
  for (const ir::Name& name : needed_bounds(*nest, callees, [&](const ir::Name& of) { return of.base == "n" || bounded.contains(of.base); }))
    names.insert(name.base);
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_sizes)

BOOST_AUTO_TEST_CASE(an_array_of_a_thread_needs_a_bound_of_its_size) {
  const std::string scans = "map (\\x -> let ys = scan (+) 0 (map (* x) (iota k)) in ys[0] + ys[k - 1]) xs";
  BOOST_TEST(needed(scans) == "k");
  BOOST_TEST(needed(scans, {"k"}) == "");
}

BOOST_AUTO_TEST_CASE(small_constant_arrays_and_views_need_none) {
  BOOST_TEST(needed("map (\\x -> let ys = scan (+) 0 (map (* x) (iota 8)) in ys[k] + ys[7]) xs") == "");
  BOOST_TEST(needed("map (\\x -> let ys = xs[:k] in i64.sum (map (* x) ys)) xs") == "");
}

BOOST_AUTO_TEST_CASE(sizes_are_followed_through_arithmetic_and_branches) {
  const auto scans = [](const std::string& size) {
    return "map (\\x -> loop s = 0 for i < n do let m = " + size +
           " let ys = scan (+) s (map (* x) (iota m)) in if m == 0 then s else ys[0] + ys[m - 1]) xs";
  };
  BOOST_TEST(needed(scans("i * k + l")) == "k l");
  BOOST_TEST(needed(scans("i * k + l"), {"l"}) == "k");
  BOOST_TEST(needed(scans("i64.max (i + k) (l - i)")) == "k l");
}

BOOST_AUTO_TEST_CASE(of_a_minimum_one_operand_is_enough) {
  const std::string scans = "map (\\x -> let m = i64.min (i64.max 0 x) k let ys = scan (+) 0 (map (* x) (iota m)) in if m == 0 then 0 else ys[0] + ys[m - 1]) xs";
  BOOST_TEST(needed(scans, {"k"}) == "");
  BOOST_TEST(needed(scans) == "k");
  // What the pass `sizes` has found.
  BOOST_TEST(needed("map (\\x -> let m = if x == l then k else l let ys = scan (+) 0 (map (* x) (iota m)) in if m == 0 then 0 else ys[0] + ys[m - 1]) xs") == "m_max");
}

BOOST_AUTO_TEST_CASE(sizes_that_count_with_a_loop_are_bounded_by_its_end) {
  BOOST_TEST(needed("map (\\x -> loop s = 0 for i < k do let ys = scan (+) s (map (* x) (iota i)) in if i == 0 then s else ys[0] + ys[i - 1]) xs") == "k");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::memory_sizes_tests
