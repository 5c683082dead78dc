// Which cells neighbours of a nest add to.
#include "transform/facts/meetings.hpp"

#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace meetings_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

/// Of the first nest that adds something, or combines it with bins, along a dimension; of one accumulator or out.
std::optional<Meeting> meeting_of(const Body& body, std::size_t dimension) {
  for (const Stm& stm : body.stms) {
    if (const auto* nest = std::get_if<Nest>(&stm.exp)) {
      const bool combines = !nest->outs.empty() && nest->outs[0].kind == OutKind::histogram;
      if (nest->over == Level::grid && (combines || !nest->accumulators.empty())) return meetings_along(*nest, dimension).at(0);
    }
    std::optional<Meeting> inside;
    for_each_body(stm.exp, [&](const Body& inner) { inside = inside ? inside : meeting_of(inner, dimension); });
    if (inside) return inside;
  }
  return std::nullopt;
}

std::optional<Meeting> meeting_in(const std::string& text, std::size_t dimension = 0) {
  return meeting_of(before_pass("slabs", text).functions[0].body, dimension);
}

/// What points i < n read of xs is added there on the way back.
std::optional<Meeting> of_reads(const std::string& read) {
  return meeting_in("entry main [n] [m] (xs: [m][m]f64) (is: [n]i64) (js: [m]i64) (ys: [n]f64) (k: i64) : [m][m]f64 =\n"
                    "  vjp (\\xs -> tabulate n (\\i -> " + read + ")) xs ys\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(meetings)

BOOST_AUTO_TEST_CASE(bins_are_up_to_the_data) {
  BOOST_TEST((meeting_in("entry main [n] (is: [n]i64) (vs: [n]f32) (xs: *[70000]f32) = reduce_by_index xs (+) 0 is vs\n") == Meeting::by_data));
}

BOOST_AUTO_TEST_CASE(cells_that_go_on_are_apart) {
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[i, is[i]]) * (#[unsafe] xs[i, is[i] + 1])") == Meeting::never));
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[is[i], m - 2 * i]) * (#[unsafe] xs[is[i] + 1, m - 2 * i])") == Meeting::never));
}

BOOST_AUTO_TEST_CASE(cells_that_are_looked_up_or_computed_may_be_the_same) {
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[is[i], is[i]])") == Meeting::by_data));
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[k, is[i]])") == Meeting::by_data));
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[k, i / 3])") == Meeting::by_data));
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[k, i % 7])") == Meeting::by_data));
}

/// One of them is enough.
BOOST_AUTO_TEST_CASE(the_likeliest_addition_counts) {
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[i, is[i]]) * f64.cos (#[unsafe] xs[k, is[i]])") == Meeting::by_data));
  BOOST_TEST((of_reads("f64.sin (#[unsafe] xs[k, is[i]]) * f64.cos (#[unsafe] xs[i, is[i]])") == Meeting::by_data));
}

BOOST_AUTO_TEST_CASE(cells_of_all_outweigh_cells_by_data) {
  BOOST_TEST((of_reads("loop s = ys[i] for t < m do s * f64.sin (s + (#[unsafe] xs[js[t], t]) * (#[unsafe] xs[is[i], k]))") == Meeting::always));
  BOOST_TEST((of_reads("loop s = ys[i] for t < m do s * f64.sin (s + (#[unsafe] xs[is[i], k]) * (#[unsafe] xs[js[t], t]))") == Meeting::always));
}

/// In loops of a point neighbours are at the same step; what a loop carries may be anything.
BOOST_AUTO_TEST_CASE(cells_of_steps) {
  BOOST_TEST((of_reads("loop s = ys[i] for t < m do s * f64.sin (s + (#[unsafe] xs[js[t], t]))") == Meeting::always));
  BOOST_TEST((of_reads("loop s = ys[i] for t < m do s * f64.sin (s + (#[unsafe] xs[i + t, t]))") == Meeting::never));
  BOOST_TEST((of_reads("(loop (s, j) = (ys[i], i) for t < m do (s * f64.sin (s + (#[unsafe] xs[j, t])), j * 3 % m)).0") == Meeting::by_data));
}

BOOST_AUTO_TEST_CASE(cells_that_loops_carry_are_up_to_the_data) {
  BOOST_TEST((meeting_in("entry main [n] (xs: *[1000]f64) (is: [n]i64) : *[1000]f64 =\n"
                         "  core.with_add xs (\\(acc: *core.acc ([1000]f64)) ->\n"
                         "    let (last, ()) = core.fused_acc n\n"
                         "        (\\(acc_1: *core.acc ([1000]f64)) (i: i64) ->\n"
                         "          let (acc_4, j_2) = loop (acc_2: *core.acc ([1000]f64), j) = (acc_1, i) for t < 3 do\n"
                         "            let acc_3 = #[unsafe] core.update_1d acc_2 j 1.0f64\n"
                         "            in (acc_3, j * 3 % 7)\n"
                         "          in (acc_4, ()))\n"
                         "        acc (is) ()\n"
                         "    in core.finish last)\n") == Meeting::by_data));
}

/// Along rows of points the second index tells them apart, along columns none does.
BOOST_AUTO_TEST_CASE(dimensions_are_asked_one_by_one) {
  const std::string text =
      "entry main [n] [m] (xs: [m]f64) (is: [n]i64) (ys: [n][m]f64) : [m]f64 =\n"
      "  vjp (\\xs -> tabulate_2d n m (\\i j -> f64.sin (#[unsafe] xs[j]) * (#[unsafe] xs[j + is[i] % 2]))) xs ys\n";
  BOOST_TEST((meeting_in(text, 0) == Meeting::by_data));
  BOOST_TEST((meeting_in(text, 1) == Meeting::never));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace meetings_tests
