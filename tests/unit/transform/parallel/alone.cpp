// Loops that run in one thread, and loops that the host keeps.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/parallel/parallel.hpp"
#include "transform/simplify/simplify.hpp"

namespace alone_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;
namespace simplify = boustro::simplify;

namespace {

/// What the host does in the end, one after the other: `thread` for what one thread does, `loop`, `map`; in loops, if there are threads in them.
std::string by_host(const Body& body) {
  std::string result;
  for (const Stm& stm : body.stms) {
    const auto* map = std::get_if<Map>(&stm.exp);
    const bool is_loop = std::holds_alternative<Loop>(stm.exp);
    if (!map && !is_loop) continue;
    const std::string inside = is_loop ? by_host(std::get<Loop>(stm.exp).body) : "";
    result += (result.empty() ? "" : ", ") + std::string(is_loop ? "loop" : map->width == Atom(PrimValue::of_int(PrimType::i64, 1)) ? "thread" : "map");
    if (inside.find("thread") != std::string::npos) result += " (" + inside + ")";
  }
  return result;
}

/// Of an entry with xs: [2]i64, ys: [m]i64, unique as, and n, that yields `results`.
std::string alone(const std::string& results, const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered("entry main [m] (xs: *[2]i64) (ys: *[m]i64) (n: i64) : " + results + " =\n  " + text + "\n", "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  std::vector<Arguments> runs;
  for (const std::int64_t n : {4, 1, 0}) runs.push_back({some_i64s({2}, 50), some_i64s({3}, 50, 2), i64_value(n)});
  const auto run_alone = [](Program p) {
    p = parallel::run_alone(std::move(p));
    check_verified(p);
    return p;
  };
  const Program before = simplify::simplify(boustro::lower::inline_functions(simplify::simplify(std::move(*program))));
  return by_host(after(run_alone, before, runs).functions.back().body);
}

const std::string step = "[x[1], x[0] * 3 + i]";

}  // namespace

BOOST_AUTO_TEST_SUITE(loops_alone)

BOOST_AUTO_TEST_CASE(loops_of_a_few_elements_run_in_one_thread) {
  BOOST_TEST(alone("[2]i64", "loop x = [1, 2] for i < n do " + step) == "thread");
  BOOST_TEST(alone("[2]i64", "loop x = [1, n] while x[1] < 100 do map (\\y -> 2 * y + 3) x") == "thread");
  BOOST_TEST(alone("[2]i64", "if n > 2 then loop x = [1, 2] for i < n do " + step + " else [n, n]") == "thread");
}

BOOST_AUTO_TEST_CASE(more_elements_have_threads_of_their_own) {
  BOOST_TEST(alone("[16]i64", "loop x = iota 16 for i < n do map (+ i) x") == "thread");
  BOOST_TEST(alone("[17]i64", "loop x = iota 17 for i < n do map (+ i) x") == "loop");
  BOOST_TEST(alone("[5]i64", "loop x = iota 5 for i < n do map (\\a -> i64.sum (map (\\b -> a * b + i) x)) x") == "loop");  // 25 at a time
  BOOST_TEST(alone("[m]i64", "loop x = ys for i < n do map (+ i) x") == "loop");
}

BOOST_AUTO_TEST_CASE(loops_of_scalars_stay) {
  BOOST_TEST(alone("i64", "loop x = 1 for i < n do (x * 3 + ys[i % 2]) % 100") == "loop");
}

BOOST_AUTO_TEST_CASE(neighbours_come_along) {
  BOOST_TEST(alone("i64", "let a = loop x = [1, 2] for i < n do " + step + "\nlet b = loop x = map (+ 1) a for i < n do " + step + "\nin a[0] + b[1]") == "thread");
  BOOST_TEST(alone("([2]i64, [m]i64)", "let a = loop x = [1, 2] for i < n do " + step +
                                           "\nlet zs = map (+ a[0]) ys\nin (loop x = [zs[0], 2] for i < n do " + step + ", zs)") == "thread, map, thread");
}

BOOST_AUTO_TEST_CASE(rows_are_written_one_after_the_other) {
  const std::string log = "(replicate n [0, 0])", body = "(" + step + ", log with [i] = x)";
  BOOST_TEST(alone("([2]i64, [n][2]i64)", "loop (x, log) = ([1, 2], " + log + ") for i < n do " + body) == "thread");
  BOOST_TEST(alone("([2]i64, [n][m]i64)", "loop (x, log) = ([1, 2], replicate n ys) for i < n do (" + step + ", log with [i] = replicate m x[0])") == "loop");
}

BOOST_AUTO_TEST_CASE(sizes_are_known_before) {
  const std::string count = "let (x, c) = loop (x, c) = ([1, 2], 0) while x[0] < 90 do (map (\\y -> 2 * y + c) x, c + 1)\n";
  const std::string log = "let (_, log) = loop (x, log) = (x, replicate c [0, 0]) for i < c do (" + step + ", log with [i] = x)\nin log";
  BOOST_TEST(alone("[][2]i64", count + log) == "thread, thread");
}

BOOST_AUTO_TEST_CASE(small_arrays_from_outside_are_copied_large_ones_stay) {
  BOOST_TEST(alone("[2]i64", "loop x = xs for i < n do x with [i % 2] = x[0] + i") == "thread");
  BOOST_TEST(alone("[m]i64", "loop y = ys for i < n do y with [i % 2] = y[0] + i") == "loop");
}

BOOST_AUTO_TEST_CASE(what_the_host_knows_it_computes) {
  // The size of the map behind it does not come from the thread.
  BOOST_TEST(alone("([2]i64, []i64)", "let a = loop x = [1, 2] for i < n do " + step + "\nlet k = n * 2\nin (map (+ k) a, map (+ 1) (iota k))") == "thread, map");
}

BOOST_AUTO_TEST_CASE(loops_inside_of_large_ones_run_alone) {
  BOOST_TEST(alone("[m]i64", "loop y = ys for i < n do let a = loop x = [i, 2] for i < 3 do " + step + " in map (+ a[1]) y") == "loop (thread, map)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace alone_tests
