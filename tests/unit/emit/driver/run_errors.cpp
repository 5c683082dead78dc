// What a user reads when a program fails.
#include <filesystem>
#include <fstream>

#include <boost/test/unit_test.hpp>

#include "emit/driver/runner.hpp"
#include "frontend/values/read.hpp"
#include "transform/facts/history.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;

/// The message of an entry of the program that fails; empty if it does not.
std::string failure(const std::string& text, const std::string& input, const ir::EvaluateOptions& options = {}) {
  const fs::path path =
      fs::temp_directory_path() / ("boustro_fails_" + std::to_string(getpid()) + ".fut");
  std::ofstream(path) << text;
  Session session;
  auto core = load_core(session, path.string());
  fs::remove(path);
  BOOST_REQUIRE(core.has_value());
  const auto run = make_runner(session, std::move(*core), "evaluate", "plain", {}, options);
  BOOST_REQUIRE(run.has_value());
  try {
    (*run)("main", values::read_values(input));
  } catch (const RunError& error) {
    std::string message = error.what();
    const std::string name = path.filename().string();
    for (std::size_t at = 0; (at = message.find(name)) != message.npos;)
      message.replace(at, name.size(), "f.fut");
    return message;
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_place_and_its_callers_are_named) {
  BOOST_TEST(failure("#[noinline] def get (xs: []i32) (i: i64) : i32 = xs[i]\n"
                     "def twice (xs: []i32) (i: i64) : i32 = get xs i\n"
                     "entry main (xs: []i32) (i: i64) : i32 = twice xs i\n",
                     "[1, 2] 5i64") ==
             "f.fut:1:50: index [5] out of bounds for array of shape [2]\n"
             "  called from f.fut:2:40\n"
             "  called from f.fut:3:41");
}

BOOST_AUTO_TEST_CASE(failures_in_the_prelude_are_failures_where_it_is_used) {
  BOOST_TEST(failure("entry main (xs: []i32) (i: i64) = take i xs\n", "[1] 2i64") ==
             "f.fut:1:35: slice [0:2:1] is out of bounds for an array of size 1");
}

BOOST_AUTO_TEST_CASE(operators_of_reductions_fail_like_all_else) {
  BOOST_TEST(failure("entry main (xs: []i32) = reduce (\\x y -> assert (x < 3) (x + y)) 0 xs\n",
                     "[2, 2, 2]") ==
             "f.fut:1:42: assertion `(x < 3)` failed\n"
             "  called from f.fut:1:26");
}

BOOST_AUTO_TEST_CASE(a_loop_that_exceeds_its_bound_is_named) {
  const std::string text = "def f (x: f64) =\n  #[bound(2)] loop y = x while y < 100 do y * y + 1\nentry main (x: f64) = vjp f x 1\n";
  BOOST_TEST(failure(text, "5f64") == "");
  BOOST_TEST(failure(text, "1f64") == "f.fut:2:15: this loop takes more iterations than its `#[bound(2)]` says\n  called from f.fut:3:23");
}

BOOST_AUTO_TEST_CASE(broken_promises_are_named_if_asked_for) {
  const std::string text = "entry main [n] (xs: [n]f64) =\n  vjp (\\(xs: [n]f64) -> loop #[true_dep] ys = copy xs for i < n - 1 do ys with [i] = ys[i + 1] * ys[i + 1]) xs xs\n";
  BOOST_TEST(failure(text, "[1f64, 2f64, 3f64]") == "");
  BOOST_TEST(failure(text, "[1f64, 2f64, 3f64]", {.versions = facts::versions_of}) ==
             "f.fut:2:25: `#[true_dep]` does not hold for `ys`: iteration 1 overwrites element [1], which iteration 0 read\n  called from f.fut:2:3");
}

BOOST_AUTO_TEST_CASE(each_kind_of_failure_has_its_words) {
  BOOST_TEST(failure("entry main (x: i32) (y: i32) = x / y\n", "1 0") ==
             "f.fut:1:32: division by zero");
  BOOST_TEST(failure("entry main (n: i64) = replicate n 0i32\n", "-1i64") ==
             "f.fut:1:23: negative array size -1");
  BOOST_TEST(failure("entry main [n] (xs: [n]i32) (m: i64) = xs :> [m]i32\n", "[1] 2i64") ==
             "f.fut:1:40: array of shape [1] cannot be coerced to [2]");
  BOOST_TEST(failure("entry main (x: i64) = 0..x..<5i64\n", "0i64") ==
             "f.fut:1:23: the first two elements of a range are equal");
}

}  // namespace boustro::driver
