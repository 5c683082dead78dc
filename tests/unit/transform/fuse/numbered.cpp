// Arrays whose elements follow from their numbers.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/simplify/simplify.hpp"

namespace numbered_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// How many maps and reads of elements are left. The meaning stays.
struct Left {
  int maps, reads;
  bool operator==(const Left&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Left& left) { return out << left.maps << " maps, " << left.reads << " reads"; }

Left left_of(const std::string& array, const std::string& use, const std::string& type = "[]i64") {
  const std::string text = "entry main [n] (is: [n]i64) (first: i64) : " + type + " =\n  let numbers = iota n\n  " + array + "\n  " + use;
  std::string reasons;
  auto program = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  const auto computed = [](Program p) {
    boustro::fuse::compute_numbered(p);
    return boustro::simplify::simplify(std::move(p));
  };
  const Program done = after(computed, *program, {{i64s({2, 0, 1}), i64_value(5)}});
  return {count<Map>(done), count<Index>(done)};
}

const std::string sums = "let xs = map (\\(i: i64) -> let t = i * 3i64 in t + first) numbers";
const std::string gathered = "let ys = map (\\(j: i64) -> #[unsafe] xs[j]) is\n in ys";

}  // namespace

BOOST_AUTO_TEST_SUITE(numbered)

BOOST_AUTO_TEST_CASE(elements_are_computed_where_they_are_read) {
  BOOST_TEST(left_of(sums, gathered) == (Left{1, 0}));
  BOOST_TEST(left_of(sums, "let s = loop s = 0i64 for i < n do (let x = #[unsafe] xs[i] in s + x)\n in [s]") == (Left{0, 0}));
}

BOOST_AUTO_TEST_CASE(of_several_results_each_by_itself) {
  BOOST_TEST(left_of("let (ws, xs) = unzip (map (\\(i: i64) -> (i * first, i + first)) numbers)", "let ys = map2 (\\(j: i64) (w: i64) -> let x = #[unsafe] xs[j] in x + w) is ws\n in ys") == (Left{2, 0}));
}

BOOST_AUTO_TEST_CASE(arrays_that_are_needed_as_such_stay) {
  BOOST_TEST(left_of(sums, "let ys = map (\\(j: i64) -> #[unsafe] xs[j]) is\n in concat xs ys") == (Left{2, 1}));
  BOOST_TEST(left_of(sums, "let ys = map2 (\\(j: i64) (x: i64) -> let y = #[unsafe] xs[j] in x + y) is xs\n in ys") == (Left{2, 1}));
  BOOST_TEST(left_of(sums, "let ys = if first < 3i64 then xs else (map (\\(j: i64) -> #[unsafe] xs[j]) is)\n in ys") == (Left{2, 1}));
  BOOST_TEST(left_of(sums, "let ys = map (\\(j: i64) -> #[unsafe] xs[j]) is\n in (loop zs = ys for i < 2i64 do xs)") == (Left{2, 1}));
  BOOST_TEST(left_of(sums, "let ys = map (\\(j: i64) -> #[unsafe] xs[j]) is\n in (ys, xs)", "([]i64, []i64)") == (Left{2, 1}));
  BOOST_TEST(left_of(sums, "in xs") == (Left{1, 0}));
}

BOOST_AUTO_TEST_CASE(reads_that_may_fail_stay) { BOOST_TEST(left_of(sums, "let ys = map (\\(j: i64) -> xs[j]) is\n in ys") == (Left{2, 1})); }

BOOST_AUTO_TEST_CASE(what_may_fail_or_takes_long_stays) {
  BOOST_TEST(left_of("let xs = map (\\(i: i64) -> i / first) numbers", gathered) == (Left{2, 1}));
  BOOST_TEST(left_of("let xs = map (\\(i: i64) -> i // first) numbers", gathered) == (Left{2, 1}));
  BOOST_TEST(left_of("let xs = map (\\(i: i64) -> let t = f64.i64 i let u = f64.exp t in i64.f64 u) numbers", gathered) == (Left{2, 1}));
  BOOST_TEST(left_of("let xs = map (\\(i: i64) -> let t = f64.i64 i let u = 1.0f64 / t in i64.f64 u) numbers", gathered) == (Left{2, 1}));
  BOOST_TEST(left_of("let xs = map (\\(i: i64) -> let t = i * first let u = t + 1i64 let v = u * t let w = v + first in w * u) numbers", gathered) == (Left{2, 1}));
  BOOST_TEST(left_of("let last = n - 1i64\n let xs = map (\\(i: i64) -> let j = last - i in #[unsafe] is[j]) numbers", gathered) == (Left{2, 2}));
}

BOOST_AUTO_TEST_CASE(what_other_arrays_tell_stays) { BOOST_TEST(left_of("let xs = map2 (\\(i: i64) (j: i64) -> i + j) numbers is", gathered) == (Left{2, 1})); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace numbered_tests
