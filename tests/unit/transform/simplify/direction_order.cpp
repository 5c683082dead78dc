// Directions of derivatives in the order in which their results are wanted.
#include "transform/simplify/direction_order.hpp"

#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/ad/ad.hpp"
#include "transform/lower/inline.hpp"
#include "transform/simplify/simplify.hpp"

namespace direction_order_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace simplify = boustro::simplify;

namespace {

const std::string definitions =
    "def f [n] (xs: [n]f64) : [n]f64 = map2 (\\x y -> x * y) xs (rotate 1 xs)\n"
    "def hot (n: i64) (i: i64) : [n]f64 = tabulate n (\\j -> f64.bool (i == j))\n"
    "entry main [n] (xs: [n]f64) (k: i64) (plain: bool) (seeds: [n][n]f64) : ([n][n]f64, [n]f64) =\n";

/// The derivative, with directions that are numbers.
const std::string jacobian = "let J = map (\\i -> jvp f xs (hot n i)) (iota n) ";

Program program_of(const std::string& text) {
  std::string reasons;
  auto program = boustro::tests::lowered(definitions + text, "program.fut", false, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons);
  return simplify::simplify(boustro::lower::inline_functions(std::move(*program)));
}

Program ordered(Program program) {
  simplify::order_directions(program);
  return program;
}

Program derived(const Program& program) { return boustro::ad::differentiate(program); }

/// Whether numbers change places, which keeps all values.
bool changes(const std::string& text) {
  const Program program = program_of(text);
  const Program result = after(ordered, program);
  const auto pass = [&](const Program&) { return derived(result); };
  using boustro::values::PrimValue;
  const auto run = [](std::int64_t k, bool plain) {
    return Arguments{some_f64s({3}, 1), i64_value(k), boustro::values::Value::of(PrimValue::of_bool(plain)), some_f64s({3, 3}, 2)};
  };
  after(pass, derived(program), {run(1, false), run(2, true), run(-1, false)});
  Program again = program;
  return simplify::order_directions(again);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(direction_order)

BOOST_AUTO_TEST_CASE(numbers_change_places_instead_of_rows) {
  BOOST_TEST(changes(jacobian + "in (if plain then J else rotate k J, xs)"));
  BOOST_TEST(changes(jacobian + "in (if plain then rotate k J else J, xs)"));
  BOOST_TEST(changes(jacobian + "in (if plain then J else (drop 1 J ++ take 1 J :> [n][n]f64), xs)"));
}

BOOST_AUTO_TEST_CASE(through_maps_and_changes_of_shape) {
  BOOST_TEST(changes("let hots = map (hot n) (iota n) let J = map (\\t -> jvp f xs t) hots in (if plain then J else rotate k J, xs)"));
  BOOST_TEST(changes("let g (ys: [n]f64) = map (\\y -> map (* y) ys) ys let J = map flatten (map (\\i -> jvp g xs (hot n i)) (iota n)) "
                     "let K = if plain then J else rotate k J in (map (take n) K, xs)"));
}

BOOST_AUTO_TEST_CASE(what_others_see_stays) {
  BOOST_TEST(!changes(jacobian + "in (if plain then J else rotate k J, map (\\r -> r[0]) J)"));
  BOOST_TEST(!changes("let hots = map (hot n) (iota n) let J = map (\\t -> jvp f xs t) hots in (if plain then J else rotate k J, hots[0])"));
  BOOST_TEST(!changes("let (J, s) = unzip (map (\\i -> let r = jvp f xs (hot n i) in (r, f64.sum r)) (iota n)) in (if plain then J else rotate k J, s)"));
}

BOOST_AUTO_TEST_CASE(directions_that_are_data_stay) {
  BOOST_TEST(!changes("let J = map (\\t -> jvp f xs t) seeds in (if plain then J else rotate k J, xs)"));
  BOOST_TEST(!changes("let J = map2 (\\i t -> jvp f xs (map2 (+) t (hot n i))) (iota n) seeds in (if plain then J else rotate k J, xs)"));
}

BOOST_AUTO_TEST_CASE(what_is_no_derivative_stays) { BOOST_TEST(!changes("let J = map (\\i -> f (hot n i)) (iota n) in (if plain then J else rotate k J, xs)")); }

BOOST_AUTO_TEST_CASE(rows_alone_change_places) {
  BOOST_TEST(!changes("let J = map (\\i -> f64.sum (jvp f xs (hot n i))) (iota n) let s = if plain then J else rotate k J in (seeds, s)"));
  BOOST_TEST(!changes(jacobian + "in (if plain then J else map (map (+ 1)) J, xs)"));
  BOOST_TEST(!changes(jacobian + "in (if plain then J else transpose J, xs)"));
  BOOST_TEST(!changes(jacobian + "in (if plain then J else J, xs)"));
  BOOST_TEST(!changes("let last = map (map (* 2)) (take 1 seeds) " + jacobian + "in (if plain then J else (drop 1 J ++ last :> [n][n]f64), xs)"));
  BOOST_TEST(!changes(jacobian + "in (if plain then J else rotate k J |> map (map (+ 1)), xs)"));
  BOOST_TEST(!changes("let g (ys: [n]f64) = [ys[0] * ys[1], ys[1], ys[0], ys[0] * ys[0]] let J = map (\\i -> jvp g xs (hot n i)) (iota n) "
                      "let K = unflatten (flatten J :> [4 * n]f64) let L = if plain then K else rotate k K in (seeds, map f64.sum (transpose L))"));
  BOOST_TEST(!changes(jacobian + "in (if plain then J else (drop 1 J ++ take 1 seeds :> [n][n]f64), xs)"));
}

BOOST_AUTO_TEST_CASE(places_that_are_known_late_stay) {
  BOOST_TEST(!changes(jacobian + "in (if plain then J else rotate (i64.f64 J[0, 0]) J, xs)"));
  BOOST_TEST(!changes("let seeded = map (\\i -> hot n i) (iota n) " + jacobian + "let late = f64.sum (map (\\row -> row[0]) seeds) in (if late > 0 then J else rotate k J, seeded[0])"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace direction_order_tests
