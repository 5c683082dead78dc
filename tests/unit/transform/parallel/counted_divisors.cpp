// Sizes that nests count points of: transform/parallel/recompute/counted_divisors.cpp.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace counted_divisors_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

/// us[b] = b % made, for each b of the space, behind the statements; made = max of least.
std::string program(const std::string& statements, const std::string& space, const std::string& of = "k", const std::string& least = "1i64", const std::string& made = "matrices") {
  return "entry main [k] [n] (s: i64) (xs: [k]f64) (ys: [n]f64) =\n  let " + made + " = i64.max " + of + " " + least + "\n" + statements + "  let (us: [" + space +
         "]i64) = #[grid_thread] core.nest " + space + " (\\(b: i64) -> let u = b % " + made + " in u) (core.store 1)\n  in us";
}

/// What the nest divides by then; the values stay.
std::string divisor_in(const std::string& text) {
  std::string reasons;
  auto before = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(before, reasons << text);
  const auto run = [](std::int64_t s, std::int64_t k, std::int64_t n) { return Arguments{i64_value(s), some_f64s({k}), some_f64s({n})}; };
  const Program result = after(parallel::divide_by_counted_sizes, std::move(*before), {run(3, 2, 4), run(0, 0, 3), run(2, 0, 0), run(1, 5, 1)});
  for (const Stm& stm : result.functions[0].body.stms) {
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (nest) return std::get<Name>(std::get<BinOp>(nest->point.body.stms[0].exp).rhs).base;
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(counted_divisors)

BOOST_AUTO_TEST_CASE(a_size_with_points_needs_no_clipping) {
  BOOST_TEST(divisor_in(program("", "k")) == "k");
  BOOST_TEST(divisor_in(program("  let blocks = #[is_size] n * k\n", "blocks")) == "k");
  BOOST_TEST(divisor_in(program("  let rows = #[is_size] n * k\n  let blocks = #[is_size] rows * n\n", "blocks")) == "k");
}

BOOST_AUTO_TEST_CASE(others_do) {
  BOOST_TEST(divisor_in(program("", "n")) == "matrices");
  BOOST_TEST(divisor_in(program("  let blocks = #[is_size] n + k\n", "blocks")) == "matrices");
}

BOOST_AUTO_TEST_CASE(so_do_numbers_and_other_bounds) {
  BOOST_TEST(divisor_in(program("", "k", "s")) == "matrices");
  BOOST_TEST(divisor_in(program("", "k", "k", "2i64")) == "matrices");
}

BOOST_AUTO_TEST_CASE(maxima_of_the_program_are_its_own) { BOOST_TEST(divisor_in(program("", "k", "k", "1i64", "least")) == "least"); }

// The planner gives a product a name then, and does not see the factors.
BOOST_AUTO_TEST_CASE(nor_does_a_product_that_others_use_tell) {
  BOOST_TEST(divisor_in(program("  let blocks = #[is_size] n * k\n  let others = #[is_size] blocks * n\n  let zs = replicate others 0f64\n", "blocks")) == "matrices");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace counted_divisors_tests
