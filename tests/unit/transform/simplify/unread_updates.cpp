// Updates of an array that a loop carries, of elements that nobody reads any more.
#include <random>

#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/lower/inline.hpp"
#include "transform/simplify/simplify.hpp"

namespace unread_updates_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

const std::string head = "entry main [n][m] (k: i64) (is: [n]i64) (xs: [n]i64) (xss: [n][m]i64) = ";

/// The program simplified, which keeps all values; how often the rule applied is added to `applied`.
Program simplified(const std::string& text, const std::vector<Arguments>& runs, int* applied = nullptr) {
  std::string reasons;
  auto program = boustro::tests::lowered(head + text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons << text);
  const simplify::Trace trace = [&](std::string_view rule, const Stm&) {
    if (applied) *applied += rule == "unread_updates" ? 1 : 0;
  };
  return after([&](Program p) { return simplify::simplify(std::move(p), trace); }, boustro::lower::inline_functions(std::move(*program)), runs);
}

Program simplified(const std::string& text) {
  const auto run = [](std::int64_t n, std::int64_t m) {
    return Arguments{i64_value(2), some_i64s({n}, static_cast<unsigned>(n)), some_i64s({n}, 9, 2), some_i64s({n, m}, 9, 3)};
  };
  return simplified(text, {run(4, 4), run(3, 5), run(6, 3)});
}

/// The numbers of updates and of copies that are left of a loop whose first result, an array, is not wanted.
using Left = std::pair<int, int>;
Left left(const std::string& start, const std::string& count, const std::string& step) {
  const Program p = simplified("let (_, s) = loop (as, s) = (copy " + start + ", 0) for i < " + count + " do (" + step + ") in s");
  return {boustro::ir::testing::count<Update>(p), boustro::ir::testing::count<Copy>(p)};
}

const Left none = {0, 0};
int updates(const std::string& start, const std::string& count, const std::string& step) { return left(start, count, step).first; }

}  // namespace

BOOST_AUTO_TEST_SUITE(unread_updates)

BOOST_AUTO_TEST_CASE(elements_that_no_later_step_reads_are_not_written) {
  for (const char* step : {
           "let a = as[i] in (as with [i] = 0, s * 3 + a)",
           "let j = n - 1 - i let a = as[j] in (as with [j] = s, s * 3 + a)",
           "let a = as[i] + as[i + 1] in (as with [i] = 0, s * 3 + a)",                        // what is overwritten later
           "let a = as[i] let as = as with [i] = a * 2 in (as with [i] = a * 3, s * 3 + a)",
           "let a = as[i] let as = if a > k then as with [i] = 0 else as in (as, s * 3 + a)",
           "let a = as[i] let as = as with [i] = 0 in (as, s * 3 + a + as[i + 1])",            // behind it, but at another place
       })
    BOOST_TEST((left("xs", "n - 1", step) == none), step);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_are_told_apart_like_elements) {
  for (const char* step : {
           "let a = i64.sum as[i] in (as with [i] = replicate m 0, s * 3 + a)",
           "let a = as[i, m - 1] in (as with [i] = replicate m s, s * 3 + a)",
           "let a = i64.sum as[i] in (as with [i, 1] = s, s * 3 + a)",
           "let a = i64.sum (map (\\j -> as[i, j] * j) (iota m)) in (as with [i, 1:] = replicate (m - 1) s, s * 3 + a)",
       })
    BOOST_TEST((left("xss", "n", step) == none), step);
  BOOST_TEST((left("xss", "m", "let a = i64.sum as[:, i] in (as with [:, i] = replicate n 0, s * 3 + a)") == none));
}

BOOST_AUTO_TEST_CASE(inner_loops_are_looked_into) {
  for (const char* inner : {
           "let a = as[i, j] in (as with [i, j] = 0, s * 3 + a)",
           "let c = m - 1 - j let a = as[i, c] in (as with [i, c] = s, s * 3 + a)",
           "let a = as[i, j] in (if a > k then as with [i, j] = 0 else as with [i, j] = s, s * 3 + a)",
       })
    BOOST_TEST((left("xss", "n", "loop (as, s) for j < m do (" + std::string(inner) + ")") == none), inner);
  BOOST_TEST(updates("xss", "n", "loop (as, s) for j < m - 1 do let a = as[i, j] in (as with [i, j + 1] = a + s, s * 3 + a)") == 1);
  BOOST_TEST(updates("xss", "n", "loop (as, s) for j < n do let a = as[j, i % 2] in (as with [j, i % 2] = a + s, s * 3 + a)") == 1);
  BOOST_TEST((left("xss", "n", "loop (as, s) for j < m - 1 do let a = as[i, j] let as = as with [i, j] = 0 in (as, s * 3 + a + as[i, j + 1])") == none));
  // Behind the inner loop, in the same step.
  BOOST_TEST(updates("xss", "n", "let (as, s) = loop (as, s) for j < m do (let a = as[i, j] in (as with [i, j] = s * j, s * 3 + a)) in (as, s + as[i, k])") == 1);
  // Before it.
  BOOST_TEST((left("xss", "n", "let s = s + as[i, k] in loop (as, s) for j < m do let a = as[i, j] in (as with [i, j] = s, s * 3 + a)") == none));
}

BOOST_AUTO_TEST_CASE(what_an_inner_loop_reads_again_stays) {
  BOOST_TEST(updates("xs", "n", "loop (as, s) for j < m do let a = as[i] in (as with [i] = a + s, s * 3 + a)") == 1);
  BOOST_TEST(updates("xs", "n", "let (as, s, _) = loop (as, s, j) = (as, s, 0) while j < 3 do let a = as[i] in (as with [i] = a + j, s * 3 + a, j + 1) in (as, s)") == 1);
}

BOOST_AUTO_TEST_CASE(updates_behind_an_inner_loop_of_which_nothing_is_known_go) {
  BOOST_TEST(updates("xs", "n", "let (as, s, _) = loop (as, s, j) = (as, s, 0) while j < 3 do let a = as[i] in (as with [i] = a + j, s * 3 + a, j + 1) "
                                "in (as with [i] = s, s)") == 1);
}

BOOST_AUTO_TEST_CASE(elements_that_are_read_later_are_written) {
  for (const char* step : {
           "let a = as[i] in (as with [i + 1] = a + s, s * 3 + a)",                               // by the next step
           "let a = as[k] in (as with [k] = a + i, s * 3 + a)",                                   // by all
           "let a = as[is[i]] in (as with [is[i]] = a + 1, s * 3 + a)",                           // perhaps
           "let a = as[i] in (as with [n - 1 - i] = a + s, s * 3 + a)",
           "let a = as[i / 2] in (as with [i / 2] = a + s, s * 3 + a)",                           // no index is another one
           "let a = i64.sum as in (as with [i] = a, s * 3 + a)",
           "let a = i64.sum as[i:i + 2] in (as with [i:i + 2] = [a, s], s * 3 + a)",
           "let a = as[i] let as = as with [i] = s + 1 in (as, s * 3 + a + as[k])",               // in the same step
           "let as = as with [i] = s + 1 in (as, s * 3 + i64.sum (map (\\j -> as[j] * j) is))",
       })
    BOOST_TEST(updates("xs", "n - 1", step) == 1, step);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_wanted_is_written) {
  const Program p = simplified("loop (as, s) = (copy xs, 0) for i < n do let a = as[i] in (as with [i] = s, s * 3 + a)");
  BOOST_TEST(count<Update>(p) == 1);
}

BOOST_AUTO_TEST_CASE(single_updates_go_from_between_others) {
  // As the return sweep of as[i + 1] = f as[i] as[i + 1]: zeros behind, a sum before.
  const Program p = simplified(
      "let (_, s) = loop (as, s) = (copy xs, 0) for t < n - 1 do (let i = n - 1 - t let a = as[i] let as = as with [i] = 0 "
      "in (as with [i - 1] = as[i - 1] + a * 2, s * 3 + a)) in s");
  BOOST_TEST(count<Update>(p) == 1);
  // The first is read between, though the last overwrites it.
  BOOST_TEST(updates("xs", "n", "let as = as with [i] = s + 1 let b = as[k] in (as with [i] = b, s * 3 + b)") == 2);
}

namespace {

/// Loops of a matrix that read and write elements and rows, in branches and inner loops too.
class RandomUpdates {
 public:
  explicit RandomUpdates(unsigned seed) : random_(seed) {}

  std::string text() {
    indices_ = {"i"};
    return "let (_, s) = loop (as, s) = (copy xss, 0) for i < 4 do (" + steps(0) + ") in s";
  }

 private:
  int some(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  /// From 0 to 7, whatever the indices are from 0 to 3.
  std::string place() {
    const std::string index = indices_[static_cast<std::size_t>(some(static_cast<int>(indices_.size())))];
    switch (some(6)) {
      case 0: return "(3 - " + index + ")";
      case 1: return "(" + index + " + " + std::to_string(some(4)) + ")";
      case 2: return "(4 - " + index + ")";
      case 3: return std::to_string(some(8));
      case 4: return "(2 * " + index + " + " + std::to_string(some(2)) + ")";
      default: return index;
    }
  }
  std::string read() { return some(3) ? "as[" + place() + ", " + place() + "]" : "i64.sum as[" + place() + "]"; }
  std::string write() { return some(3) ? "as with [" + place() + ", " + place() + "] = s" : "as with [" + place() + "] = replicate m s"; }

  std::string steps(int depth) {
    std::string text;
    for (int count = 1 + some(3); count > 0; --count) text += step(depth);
    return text + "in (as, s)";
  }
  std::string step(int depth) {
    const std::string index = "i" + std::to_string(depth);
    switch (depth < 2 ? some(7) : 2 + some(4)) {
      case 0:
      case 1: {
        indices_.push_back(index);
        const std::string inner = "let (as, s) = loop (as, s) for " + index + " < " + std::to_string(1 + some(4)) + " do (" + steps(depth + 1) + ") ";
        indices_.pop_back();
        return inner;
      }
      case 2:
      case 3: return "let s = s * 3 + " + read() + " ";
      case 4:
      case 5: return "let as = " + write() + " ";
      default: return "let (as, s) = if s % 2 == 0 then (" + steps(depth + 1) + ") else (" + steps(depth + 1) + ") ";
    }
  }

  std::mt19937 random_;
  std::vector<std::string> indices_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(random_loops_keep_their_values) {
  int applied = 0, left = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const Program q = simplified(RandomUpdates(seed).text(), {{i64_value(2), some_i64s({8}, 9, 1), some_i64s({8}, 9, 2), some_i64s({8, 8}, 9, 3)}}, &applied);
      left += count<Update>(q) > 0 ? 1 : 0;
    }
  }
  BOOST_TEST(applied > 50);
  BOOST_TEST(left > 80);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace unread_updates_tests
