// What `translate --deterministic` asks for: no order is left open that shows in the last bits of floats.
#include "transform/fixed_order.hpp"

#include "frontend/values/read.hpp"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "tests/unit/transform/together.hpp"
#include "transform/parallel/parallel.hpp"

namespace fixed_order_tests {

using namespace boustro;
using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

/// In fixed order: the values of before but for rounding, and nothing that threads do together, though there was otherwise.
void check_fixed(const std::string& text, const std::string& input) {
  const Program before = before_pass("flatten", text);
  const Program after = flatten_in_fixed_order(before);
  check_verified(after);
  const Arguments args = values::read_values(input);
  const auto expected = run_entry(before, "main", args), got = run_entry(after, "main", args);
  BOOST_TEST_REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k)
    for (std::int64_t i = 0; i < got[k].size(); ++i)
      BOOST_TEST(got[k].element(i).as_float() == expected[k].element(i).as_float(), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(together(parallel::choose(after)) == 0, to_string(after));
  BOOST_TEST(together(parallel::choose(parallel::flatten(before, parallel::Machine::gpu))) > 0);
}

const std::string places = "[0i64, 1i64, 0i64, 0i64, 1i64, 0i64, 2i64, 0i64, 1i64, 0i64]";
const std::string numbers = "[0.1f64, 1e10f64, 0.3f64, -7e9f64, 0.7f64, 1.1f64, 0.01f64, 3e9f64, 1e-3f64, 0.9f64]";
const std::string table = "[0.5f64, 1.5f64, -2f64]";

}  // namespace

BOOST_AUTO_TEST_SUITE(fixed_order)

BOOST_AUTO_TEST_CASE(histograms) {
  check_fixed("entry main [n][k] (ys: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 = reduce_by_index (copy ys) (+) 0 is xs", table + places + numbers);
}

BOOST_AUTO_TEST_CASE(additions_of_return_sweeps) {
  check_fixed("entry main [n][k] (ys: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 = vjp (\\ys -> f64.sum (map2 (\\i x -> x * ys[i]) is xs)) ys 1",
              table + places + numbers);
}

BOOST_AUTO_TEST_CASE(in_branches_and_loops_of_the_host) {
  check_fixed("entry main [n][k] (ys: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 =\n"
        "  loop ys for step < 2 do\n"
        "    if ys[0] > f64.i64 step then reduce_by_index (copy ys) (+) 0 is xs else vjp (\\ys -> f64.sum (map2 (\\i x -> x * ys[i] * ys[i]) is xs)) ys 1",
        table + places + numbers);
}

BOOST_AUTO_TEST_CASE(as_often_as_data_say) {
  check_fixed("entry main [n][k] (ys: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 =\n"
        "  vjp (\\ys -> f64.sum (map2 (\\i x -> loop s = x for j < i + 1 do s * 1e-5 + x * ys[(i + j) % k]) is xs)) ys 1",
        table + places + numbers);
}

BOOST_AUTO_TEST_CASE(scans) {
  check_fixed("entry main [n] (xs: [n]f64) : [n]f64 = scan (+) 0 xs", numbers);
  const std::string recurrence =
      "entry main [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys) |> map (.1)";
  check_fixed(recurrence, "[0.1f64, 0.2f64, 0.3f64] [1f64, 2f64, 3f64]");
}

BOOST_AUTO_TEST_CASE(what_never_rounds_stays_as_it_is) {
  for (const char* const text : {"entry main [n][k] (ys: [k]i64) (is: [n]i64) (xs: [n]i64) : [k]i64 = reduce_by_index (copy ys) (+) 0 is xs",
                                 "entry main [n][k] (ys: [k]f64) (is: [n]i64) (xs: [n]f64) : [k]f64 = reduce_by_index (copy ys) f64.max (-f64.inf) is xs",
                                 "type~ acc 't = intrinsics.acc t\n"
                                 "entry main [n][k] (ys: [k]i64) (is: [n]i64) : [k]i64 =\n"
                                 "  intrinsics.hist_stream (copy ys) (+) 0 (\\(acc: *acc ([k]i64)) i -> loop acc for j < i do intrinsics.acc_write acc (j % k) i) is",
                                 "entry main [n] (xs: [n]i64) : [n]i64 = scan (+) 0 xs", "entry main [n] (xs: [n]f64) : [n]f64 = scan f64.min f64.inf xs"}) {
    const Program program = before_pass("flatten", text);
    BOOST_TEST(to_string(flatten_in_fixed_order(program)) == to_string(parallel::flatten(program, parallel::Machine::gpu)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fixed_order_tests
