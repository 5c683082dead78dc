// Short arithmetic on numbers that the host knows: transform/parallel/recompute/short_scalars.cpp.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace short_scalars_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

/// us[i] = c * xs[i], where statements bind c.
std::string program(const std::string& statements, const std::string& c = "product", const std::string& space = "n", const std::string& result = "us", const std::string& type = "[n]f64") {
  return "entry main [n] [m] (g: f64) (k: i64) (xs: [n]f64) (ys: [m]f64) : " + type + " =\n" + statements +
         "  let (us: [n]f64) = #[grid_thread] core.nest " + space + " (\\(i: i64) -> let x = #[unsafe] xs[i] let u = " + c + " * x in u) (core.store 1)\n  in " + result;
}

/// How many statements are left in front of the last one, which has `inside` more than before; the values stay.
struct Counts {
  std::size_t outside = 0, inside = 0;
};
Counts counts(const std::string& text) {
  std::string reasons;
  auto before = boustro::tests::lowered(text, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(before, reasons << text);
  const auto run = [](double g, std::int64_t k, std::int64_t n) { return Arguments{f64_value(g), i64_value(k), some_f64s({n}), some_f64s({n + 1})}; };
  const Program result = after(parallel::compute_short_scalars, std::move(*before), {run(0.3, 2, 4), run(-1.7, 0, 0), run(2.5, -3, 1)});
  const auto& stms = result.functions[0].body.stms;
  for (std::size_t i = 0; i < stms.size(); ++i)
    if (const auto* nest = std::get_if<Nest>(&stms[i].exp)) return {i, nest->point.body.stms.size() - 2};
  return {};
}

void moves(const std::string& text, std::size_t number) {
  const Counts found = counts(text);
  BOOST_TEST(found.outside == 0u, text);
  BOOST_TEST(found.inside == number, text);
}
void stays(const std::string& text, std::size_t number) {
  const Counts found = counts(text);
  BOOST_TEST(found.outside == number, text);
  BOOST_TEST(found.inside == 0u, text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(short_scalars)

BOOST_AUTO_TEST_CASE(products_sums_and_differences_of_floats_move) {
  moves(program("  let product = 0.5f64 * g\n"), 1);
  moves(program("  let product = 0.5f64 * g\n  let sum = product + g\n", "sum"), 2);
  moves(program("  let sum = g + 1f64\n  let difference = sum - g\n", "difference"), 2);
  moves(program("  let neg = -g\n", "neg"), 1);
}

BOOST_AUTO_TEST_CASE(so_do_floats_of_integers) {
  moves(program("  let k_real = f64.i64 k\n", "k_real"), 1);
  moves(program("  let k_real = f64.i64 k\n  let product = k_real * g\n"), 2);
  moves(program("  let n_real = f64.i64 n\n", "n_real"), 1);
}

BOOST_AUTO_TEST_CASE(but_not_of_sizes_that_the_nest_does_not_have) { stays(program("  let m_real = f64.i64 m\n", "m_real"), 1); }

BOOST_AUTO_TEST_CASE(what_has_a_name_keeps_it) {
  stays(program("  let degrees = 0.5f64 * g\n", "degrees"), 1);
  const Counts of_named = counts(program("  let degrees = 0.5f64 * g\n  let product = degrees * g\n"));
  BOOST_TEST(of_named.outside == 1u);
  BOOST_TEST(of_named.inside == 1u);
}

BOOST_AUTO_TEST_CASE(long_or_slow_arithmetic_stays) {
  const Counts most = counts(program("  let product = 0.5f64 * g\n  let sum = product + g\n  let difference = sum - 1f64\n", "difference"));
  BOOST_TEST(most.outside == 3u);
  BOOST_TEST(most.inside == 0u);
  stays(program("  let quotient = g / 3f64\n", "quotient"), 1);
  stays(program("  let exp = f64.exp g\n", "exp"), 1);
  stays(program("  let product = k * k\n  let product_real = f64.i64 product\n", "product_real"), 2);
}

BOOST_AUTO_TEST_CASE(what_only_the_device_knows_stays) {
  const std::string element = "  let x_1 = #[unsafe] ys[0i64]\n";
  stays(program(element + "  let product = 0.5f64 * x_1\n"), 2);
  stays(program(element + "  let rate = 0.5f64 * x_1\n  let product = rate * g\n"), 3);
}

BOOST_AUTO_TEST_CASE(what_else_needs_it_keeps_it) {
  const Counts both = counts(program("  let product = 0.5f64 * g\n", "product", "n", "(us, product)", "([n]f64, f64)"));
  BOOST_TEST(both.outside == 1u);
  BOOST_TEST(both.inside == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace short_scalars_tests
