// Scans and histograms that round, if the order in which threads come must not show.
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "tests/unit/transform/together.hpp"
#include "transform/parallel/parallel.hpp"

namespace in_fixed_order_tests {

using namespace boustro;
using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

struct Together {
  int any, fixed;
  bool operator==(const Together&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Together& counts) { return out << counts.any << " and " << counts.fixed; }

Together counts_of(const std::string& text) {
  const auto count = [&](parallel::Order order) {
    const Program flat = parallel::flatten(before_pass("flatten", text), parallel::Machine::gpu, order);
    check_verified(flat);
    return together(flat);
  };
  return {count(parallel::Order::any), count(parallel::Order::fixed)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(in_fixed_order)

BOOST_AUTO_TEST_CASE(what_rounds_is_computed_in_chunks) {
  BOOST_TEST(counts_of("entry main [n][k] (ys: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 = reduce_by_index (copy ys) (+) 0 is xs") == (Together{1, 0}));
  BOOST_TEST(counts_of("entry main [n] (xs: [n]f64) : [n]f64 = scan (*) 1 xs") == (Together{1, 0}));
  BOOST_TEST(counts_of("entry main [n] (xs: [n]f64) : [n]f64 = scan (+) 0 (map (\\x -> x * x) xs)") == (Together{1, 0}));
}

BOOST_AUTO_TEST_CASE(what_does_not_round_stays) {
  BOOST_TEST(counts_of("entry main [n][k] (ys: [k]i64) (is: [n]i64) (xs: [n]i64) : [k]i64 = reduce_by_index (copy ys) (+) 0 is xs") == (Together{1, 1}));
  BOOST_TEST(counts_of("entry main [n][k] (ys: [k]f32) (is: [n]i64) (xs: [n]f32) : [k]f32 = reduce_by_index (copy ys) f32.max (-f32.inf) is xs") == (Together{1, 1}));
  BOOST_TEST(counts_of("entry main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs") == (Together{1, 1}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace in_fixed_order_tests
