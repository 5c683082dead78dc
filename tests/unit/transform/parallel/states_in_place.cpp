// Loops that keep their states: which make them where they are kept.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/simplify/simplify.hpp"

namespace states_in_place_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;
namespace simplify = boustro::simplify;

namespace {

Program kept(Program program) {
  for (;;) {
    Program next = parallel::keep_states_in_place(program);
    check_verified(next);
    if (next == program) return program;
    program = simplify::simplify(std::move(next));
  }
}

const Loop* first_loop(const Body& body) {
  for (const Stm& stm : body.stms)
    if (const auto* loop = std::get_if<Loop>(&stm.exp)) return loop;
  return nullptr;
}

const std::string log = "(core.scratch n : [n][m]i64)";
const std::string next = "let y = map (\\j -> x[j] * 2 - x[m - 1 - j] + i) (iota m)\n";

/// Of an entry with xs, ys: [m]i64 and n, for several n.
Program in_place(const std::string& results, const std::string& text, const std::vector<std::int64_t>& steps = {4, 1, 0}) {
  std::string reasons;
  auto program = boustro::tests::lowered("entry main [m] (xs: [m]i64) (ys: [m]i64) (n: i64) : " + results + " =\n  " + text + "\n", "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  std::vector<Arguments> runs;
  for (const std::int64_t n : steps) runs.push_back({some_i64s({3}, 50), some_i64s({3}, 50, 2), i64_value(n)});
  return after(kept, simplify::simplify(boustro::lower::inline_functions(simplify::simplify(std::move(*program)))), runs);
}

/// How many values the loop carries then.
std::size_t carried(const std::string& results, const std::string& text, const std::vector<std::int64_t>& steps = {4, 1, 0}) {
  const Program program = in_place(results, text, steps);
  const Loop* loop = first_loop(program.functions.back().body);
  BOOST_REQUIRE(loop);
  return loop->params.size();
}

const std::string both = "([n][m]i64, [m]i64)";
/// A loop of a log and a state.
std::size_t carried_of(const std::string& body, const std::string& start = log) {
  return carried(both, "loop (log, x) = (" + start + ", xs) for i < n do\n" + body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(states_in_place)

BOOST_AUTO_TEST_CASE(a_state_that_is_kept_is_in_the_log_alone) {
  BOOST_TEST(carried_of(next + "in (log with [i] = x, y)") == 1);
  BOOST_TEST(carried_of("let log = log with [i] = x\n" + next + "in (log, y)") == 1);
}

BOOST_AUTO_TEST_CASE(the_last_state_need_not_be_needed) {
  const Program program = in_place("[n][m]i64", "let (log, _) = loop (log, x) = (" + log + ", xs) for i < n do\n" + next + "in (log with [i] = x, y)\nin log");
  BOOST_TEST(first_loop(program.functions.back().body)->params.size() == 1);
  BOOST_TEST(count<Copy>(program) == 0);
}

BOOST_AUTO_TEST_CASE(a_loop_without_steps_ends_with_the_first) {
  BOOST_TEST(carried("([4][m]i64, [m]i64)", "let (log, x) = loop (log, x) = ((core.scratch 4 : [4][m]i64), xs) for i < n do\n" + next +
                     "in (#[unsafe] (log with [i] = x), y)\nin (if n < 4 then replicate 4 xs else log, x)", {4, 2, 0, -1, -3}) == 1);
}

BOOST_AUTO_TEST_CASE(several_states_each) {
  BOOST_TEST(carried("([n][m]i64, [n][m]i64, [m]i64, [m]i64)",
                     "loop (log, others, x, z) = (" + log + ", " + log + ", xs, ys) for i < n do\n" + next +
                     "let w = map2 (\\a b -> a * b + y[0]) x z\nin (log with [i] = x, others with [i] = z, y, w)") == 2);
}

BOOST_AUTO_TEST_CASE(a_state_may_be_kept_twice) {
  BOOST_TEST(carried("([n][m]i64, [n][m]i64, [m]i64)", "loop (log, others, x) = (" + log + ", " + log + ", xs) for i < n do\n" + next +
                     "in (log with [i] = x, others with [i] = x, y)") == 2);
}

BOOST_AUTO_TEST_CASE(numbers_of_steps_may_be_narrow) {
  const auto narrow = [](const std::string& type, const std::string& row) {
    return carried("([128][m]i64, [m]i64)", "let (log, x) = loop (log, x) = ((core.scratch 128 : [128][m]i64), xs) for k < " + type + ".i64 n do\n"
                   "let i = i64." + type + " k\n" + next + "in (#[unsafe] (log with [" + row + "] = x), y)\n"
                   "in (if n < 128 then replicate 128 (copy xs) else log, x)", type == "u8" ? std::vector<std::int64_t>{4, 0, 127} : std::vector<std::int64_t>{4, 0, -2, 127});
  };
  BOOST_TEST(narrow("i8", "i") == 1);
  BOOST_TEST(narrow("i32", "i") == 1);
  BOOST_TEST(narrow("u8", "i") == 2);  // but have a sign
  BOOST_TEST(narrow("i8", "i64.i8 (k / 2)") == 2);
}

BOOST_AUTO_TEST_CASE(the_old_state_may_be_read_beside_the_next) {
  const std::string results = "([n][m]i64, [m]i64, i64)", start = "loop (log, x, s) = (" + log + ", xs, 0) for i < n do\n";
  BOOST_TEST(carried(results, start + next + "let t = i64.sum (map2 (*) x y)\nin (log with [i] = x, y, s + t)") == 2);
  BOOST_TEST(carried(results, start + "let part = x[1:]\n" + next + "let t = i64.sum part + y[0]\nin (log with [i] = x, y, s * 3 + t)") == 2);
  BOOST_TEST(carried(results, start + next + "let log = log with [i] = x\nlet t = i64.sum (map2 (*) (reverse x) y)\nin (log, y, s + t)") == 2);
}

BOOST_AUTO_TEST_CASE(who_updates_the_last_state_has_a_copy) {
  const auto copies = [](const std::string& last) {
    const Program program = in_place(both, "let (log, x) = loop (log, x) = (" + log + ", copy xs) for i < n do\n" + next + "in (log with [i] = x, y)\nin (log, " + last + ")");
    return first_loop(program.functions.back().body)->params.size() == 1 ? count<Copy>(program) : -1;
  };
  BOOST_TEST(copies("x with [1] = 7") == copies("map (+ 1) x") + 1);
}

// ---- Not

BOOST_AUTO_TEST_CASE(rows_that_no_step_stores_keep_their_values) {
  BOOST_TEST(carried_of(next + "in (log with [i] = x, y)", "replicate n (replicate m 5)") == 2);
}

BOOST_AUTO_TEST_CASE(the_log_is_only_stored_to) {
  BOOST_TEST(carried_of("let log = log with [i] = x\nlet before = log[i / 2]\nlet y = map2 (\\a b -> a * 2 - b + i) x before\nin (log, y)") == 2);
  BOOST_TEST(carried_of("let before = if i == 0 then 0 else #[unsafe] log[i - 1, 0]\nlet y = map (\\a -> a * 2 + before) x\nin (log with [i] = x, y)") == 2);
}

BOOST_AUTO_TEST_CASE(logs_do_not_take_turns) {
  BOOST_TEST(carried("([n][m]i64, [n][m]i64, [m]i64)", "let (a, b, x) = loop (log, other, x) = (" + log + ", " + log + ", xs) for i < n do\n" + next +
                     "in (other, log with [i] = x, y)\nin (if n < 9 then replicate n xs else a, if n < 9 then replicate n xs else b, x)") == 3);
}

BOOST_AUTO_TEST_CASE(each_step_stores_its_own_row) {
  BOOST_TEST(carried_of(next + "in (log with [n - 1 - i] = x, y)") == 2);
  const std::string all = "(replicate n (replicate m (if m < 0 then 1 else i64.sum x)), x)";
  BOOST_TEST(carried(both, "let (log, x) = loop (log, x) = ((core.scratch 9 : [9][m]i64), xs) for i < n do\n" + next + "in (log with [0] = x, y)\n"
                     "let x = map2 (+) x (if n < 1 then xs else log[0])\nin " + all) == 2);
  BOOST_TEST(carried(both, "let (log, x) = loop (log, x) = ((core.scratch n : [n][1][m]i64), xs) for i < n do\n" + next + "in (log with [i, 0] = x, y)\n"
                     "in (map (\\r -> r[0]) log, x)") == 2);
}

BOOST_AUTO_TEST_CASE(rows_that_are_checked_stay) {
  BOOST_TEST(carried("[m]i64", "let (log, x) = loop (log, x) = ((core.scratch 9 : [9][m]i64), xs) for i < n do\n" + next + "in (log with [i] = x, y)\n"
                     "in map2 (+) x (if n < 1 then xs else log[0])") == 2);
}

BOOST_AUTO_TEST_CASE(what_is_kept_is_a_state) {
  BOOST_TEST(carried_of(next + "in (log with [i] = ys, y)") == 2);
  BOOST_TEST(carried_of(next + "in (log with [i] = y, y)") == 2);
  BOOST_TEST(carried("([n]i64, i64)", "loop (log, x) = ((core.scratch n : [n]i64), n) for i < n do (log with [i] = x, x * 2 + i)") == 2);
}

BOOST_AUTO_TEST_CASE(a_step_makes_the_next_state) {
  BOOST_TEST(carried_of("(log with [i] = x, ys)") == 2);
  BOOST_TEST(carried("([n][m]i64, [m]i64, [m]i64)", "loop (log, x, z) = (" + log + ", xs, ys) for i < n do\n" + next + "in (log with [i] = x, z, y)") == 3);
  BOOST_TEST(carried_of("(log with [i] = x, reverse x)") == 2);
}

BOOST_AUTO_TEST_CASE(no_step_updates_its_state) {
  BOOST_TEST(carried(both, "loop (log, x) = (" + log + ", copy xs) for i < n do\nlet log = log with [i] = x\nin (log, x with [0] = x[1] + i)") == 2);
}

BOOST_AUTO_TEST_CASE(nobody_updates_the_log_behind_the_loop) {
  BOOST_TEST(carried("([n][m]i64, [m]i64)", "let (log, x) = loop (log, x) = (" + log + ", xs) for i < n do\n" + next + "in (log with [i] = x, y)\n"
                     "in (if n < 1 then log else log with [0] = map (+ 1) x, x)") == 2);
}

BOOST_AUTO_TEST_CASE(other_states_share_no_memory_with_it) {
  const std::string start = "loop (log, x, z) = (" + log + ", xs, ys) for i < n do\nlet y = map2 (\\a b -> a * 2 - b + i) x z\n";
  BOOST_TEST(carried("([n][m]i64, [m]i64, [m]i64)", start + "in (log with [i] = x, y, reverse x)") == 3);
  BOOST_TEST(carried("([n][m]i64, [m]i64, [m]i64)", start + "in (log with [i] = x, y, reverse y)") == 3);
  BOOST_TEST(carried("([n][m]i64, [m]i64, [m]i64)", start + "in (log with [i] = x, y, map (+ 1) z)") == 2);
}

BOOST_AUTO_TEST_CASE(only_loops_that_count) {
  BOOST_TEST(carried("([n][m]i64, [m]i64, i64)", "loop (log, x, i) = (" + log + ", xs, 0) while i < n && x[0] != 7777 do\n" + next + "in (#[unsafe] (log with [i] = x), y, i + 1)") == 4);  // and the condition
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace states_in_place_tests
