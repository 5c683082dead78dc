// Where states of loops are: whose places they take over, which are remade where they are, and what the host copies in its loops. That
// the numbers are right then is for tests/programs/taken_over.fut to say.
#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "emit/plan/planner.hpp"
#include "emit/plan/walk.hpp"
#include "tests/dumps/read_dump.hpp"
#include "transform/pipeline.hpp"

namespace boustro::plan::planner::loop_states_tests {
namespace {

struct States {
  int copies;                       // in loops of the host
  std::vector<std::string> pieces;  // of scratch memory, in the order of names
  bool operator==(const States&) const = default;
};
std::ostream& operator<<(std::ostream& out, const States& states) {
  out << states.copies << " copies";
  for (const std::string& piece : states.pieces) out << ", " << piece;
  return out;
}

int copies_in_loops(const Stms& stms, bool inside) {
  int count = 0;
  for (const Stm& stm : stms) {
    const bool loops = std::holds_alternative<For>(stm.what) || std::holds_alternative<While>(stm.what);
    count += inside && std::holds_alternative<Copy>(stm.what);
    for_each_body(stm, [&](const Stms& inner) { count += copies_in_loops(inner, inside || loops); });
  }
  return count;
}

/// Of the entry of a program for a gpu.
States states(const std::string& text) {
  std::string reasons;
  auto program = tests::lowered(text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  PipelineOptions pipeline;
  pipeline.machine = parallel::Machine::gpu;
  source::Diagnostics diagnostics;
  Options options;
  options.target = Target::gpu;
  options.name = "program";
  const Program plan = plan_program(run_pipeline(translate_passes(pipeline), std::move(*program), pipeline), options, diagnostics);
  BOOST_REQUIRE(!diagnostics.has_errors());
  const Entry& entry = plan.entries.at(0);
  States result{copies_in_loops(entry.body, false), {}};
  for (const Piece& piece : entry.scratch.pieces) result.pieces.push_back(piece.name);
  std::sort(result.pieces.begin(), result.pieces.end());
  return result;
}

const std::string entry = "entry main [n] (xs: [n]f64) (ys: [n]f64) (k: i64) (l: i64) : ";
/// A step, of the loop inside too, that needs other elements than its own.
const std::string step = "tabulate n (\\p -> f64.sin xs[p] * xs[n - 1 - p])";
const std::string inner = "loop (xs: [n]f64) = xs for j < l do " + step;
std::string outer(const std::string& body) { return "loop (xs: [n]f64) = xs for i < k do " + body; }

const States only_states{0, {"xs_memory", "xs_next_memory"}};

bool has(const States& found, const std::string& piece) { return std::count(found.pieces.begin(), found.pieces.end(), piece) > 0; }

}  // namespace

BOOST_AUTO_TEST_SUITE(loop_states)

BOOST_AUTO_TEST_CASE(a_loop_in_a_loop_goes_on_with_its_state) {
  BOOST_TEST(states(entry + "[n]f64 = " + outer(inner)) == only_states);
  BOOST_TEST(states(entry + "[n]f64 = " + outer("loop (xs: [n]f64) = xs for h < 3 do " + inner)) == only_states);
  BOOST_TEST(states(entry + "([n]f64, i64) = loop (xs: [n]f64, i) = (xs, 0) while i < k do ((" + inner + "), i + 1)") == only_states);
}

BOOST_AUTO_TEST_CASE(not_with_a_state_that_is_needed_again) {
  // After it, with what comes of it or without; and what it comes to, before the next step.
  BOOST_TEST(states(entry + "([n]f64, f64) = loop (xs: [n]f64, s) = (xs, 0) for i < k do let next = " + inner + " in (next, s + f64.sum (map2 (*) xs (reverse xs)))").copies == 2);
  BOOST_TEST(states(entry + "([n]f64, f64) = loop (xs: [n]f64, s) = (xs, 0) for i < k do let next = " + inner + " in (next, s + f64.sum (map2 (*) xs (reverse next)))").copies == 2);
  BOOST_TEST(states(entry + "[n]f64 = " + outer("let next = " + inner + " in tabulate n (\\p -> next[p] + next[(p * 2) % n])")).copies == 1);
  BOOST_TEST(states(entry + "([n]f64, f64) = loop (xs: [n]f64, s) = (xs, 0) for i < k do let next = " + inner + " in (next, s + f64.sum (map2 (*) next (reverse next)))").copies == 2);
}

BOOST_AUTO_TEST_CASE(not_with_another_one) {
  BOOST_TEST(states(entry + "([n]f64, [n]f64) = loop (xs: [n]f64, ys: [n]f64) = (xs, ys) for i < k do let next = " + inner + " in (ys, next)").copies == 3);
}

BOOST_AUTO_TEST_CASE(not_in_a_branch) {
  BOOST_TEST(states(entry + "[n]f64 = " + outer("if i % 2 == 0 then (" + inner + ") else tabulate n (\\p -> xs[n - 1 - p])")).copies == 2);
}

BOOST_AUTO_TEST_CASE(an_array_that_is_only_added_to_has_no_other_place) {
  const std::string others = "tabulate n (\\p -> f64.sin ys[p] + ys[n - 1 - p])";
  const States found = states(entry + "([n]f64, [n]f64) = loop (sums: [n]f64, ys: [n]f64) = (xs, ys) for i < k do (map2 (+) sums ys, " + others + ")");
  BOOST_TEST(found == (States{0, {"ys_memory", "ys_next_memory"}}));
  const States own = states(entry + "([n]f64, [n]f64) = loop (sums: [n]f64, ys: [n]f64) = (replicate n 0, ys) for i < k do (map2 (+) sums ys, " + others + ")");
  BOOST_TEST(own.copies == 0);
  BOOST_TEST(!has(own, "sums_next_memory"));
}

BOOST_AUTO_TEST_CASE(an_array_that_others_read_behind_its_sum_has_another_place) {
  const std::string others = "tabulate n (\\p -> f64.sin ys[p] + sums[n - 1 - p])";
  BOOST_TEST(has(states(entry + "([n]f64, [n]f64) = loop (sums: [n]f64, ys: [n]f64) = (xs, ys) for i < k do let next = map2 (+) sums ys in (next, tabulate n (\\p -> f64.sin next[n - 1 - p] + sums[(p * 2) % n]))"),
                 "sums_next_memory"));
}

namespace {

/// Rows of sums by index, in a loop; `use` is what else becomes of them, before or behind the store.
std::string rows_of_sums(const std::string& before, const std::string& result) {
  return "entry main [s] [n] (iss: [s][n]i64) (zs: [n]f64) (k: i64) : ([s][k]f64, [s]f64) =\n"
         "  loop (rows: *[s][k]f64, totals: *[s]f64) = (replicate s (replicate k 1), replicate s 0) for t < s do\n"
         "    let is = map (% k) iss[t]\n"
         "    let sums = vjp (\\(ws: [k]f64) -> f64.sum (map2 (\\i z -> ws[i] * z * z) is zs)) (replicate k 2) 1\n" +
         before + "    let rows = rows with [t] = sums\n" + result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(zeros_to_which_something_is_added_are_made_where_they_are_stored) {
  const States found = states(rows_of_sums("", "    in (rows, totals)"));
  BOOST_TEST(found.copies == 0);
  BOOST_TEST(!has(found, "ws_adj"));
}

BOOST_AUTO_TEST_CASE(not_if_the_row_is_needed_meanwhile) {
  const States found = states(rows_of_sums("    let total = f64.sum (map2 (*) (reverse rows[t]) sums)\n", "    in (rows, totals with [t] = total)"));
  BOOST_TEST(found.copies == 1);
  BOOST_TEST(has(found, "ws_adj"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::loop_states_tests
