// Few sums of many summands that are added up slab by slab: transform/parallel/slabs.
#include "frontend/values/read.hpp"
#include "templates/sum_threads_for.cuh"
#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/facts/joint_sums.hpp"
#include "transform/facts/tiles.hpp"
#include "transform/ir/nest.hpp"
#include "transform/parallel/slabs/filling.hpp"

namespace slabs_tests {

using namespace boustro;
using namespace boustro::ir::testing;

namespace {

int tiles_in(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    const auto* nest = ir::has_attribute(stm, "tile") ? std::get_if<ir::Nest>(&stm.exp) : nullptr;
    count += nest && facts::tiling_of(*nest, [](const ir::Stm& stm) { return std::holds_alternative<ir::BinOp>(stm.exp); }).has_value();
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += tiles_in(inner); });
  }
  return count;
}

/// The program with slabs; with these arguments it has the same values, of numbers whose sums are exact.
ir::Program by_slabs(const std::string& text, const std::vector<std::string>& inputs) {
  const ir::Program before = before_pass("slabs", text, parallel::Machine::gpu);
  ir::Program after = parallel::sum_by_slabs(before);
  check_verified(after);
  for (const std::string& input : inputs) {
    const auto args = values::read_values(input);
    BOOST_TEST((ir::run_entry(before, "main", args) == ir::run_entry(after, "main", args)), input);
  }
  return after;
}

/// How many nests have parts, which tiles can compute.
int checked(const std::string& text, const std::vector<std::string>& inputs) {
  int count = 0;
  for (const ir::Function& function : by_slabs(text, inputs).functions) count += tiles_in(function.body);
  return count;
}

/// A matrix whose elements are small and different.
const std::string matrix =
    "def matrix (n: i64) (m: i64) (a: i64) : [n][m]f64 = opaque (tabulate_2d n m (\\i j -> f64.i64 ((i * a + j * 5 + i * j) % 11 - 4)))\n";

std::string product(const std::string& sum, const std::string& before = "", const std::string& width = "k") {
  return matrix + before + "entry main (n: i64) (m: i64) (k: i64) : [n][m]f64 =\n  let xss = matrix n " + width + " 3 let yss = matrix m " + width +
         " 7\n  in map (\\xs -> map (\\ys -> " + sum + ") yss) xss\n";
}

const std::string dot = "f64.sum (map2 (*) xs ys)";
/// Several slabs, the last one smaller; one slab; too few rows or columns; nothing.
const std::vector<std::string> sizes{"33i64 40i64 1000i64", "32i64 32i64 256i64", "33i64 34i64 255i64", "31i64 40i64 300i64", "40i64 31i64 300i64",
                                     "0i64 40i64 300i64",   "40i64 0i64 300i64",   "40i64 40i64 0i64"};

}  // namespace

BOOST_AUTO_TEST_SUITE(slabs)

BOOST_AUTO_TEST_CASE(products_of_matrices) { BOOST_TEST(checked(product(dot), sizes) == 1); }

BOOST_AUTO_TEST_CASE(what_comes_of_a_sum_is_computed_once) {
  BOOST_TEST(checked(product("let x = #[unsafe] xs[0] in x + f64.sqrt (f64.abs (" + dot + "))"), {"33i64 40i64 1000i64"}) == 1);
}

BOOST_AUTO_TEST_CASE(other_operators) {
  BOOST_TEST(checked(product("f64.maximum (map2 (-) xs ys)"), {"33i64 40i64 1000i64"}) == 1);
  BOOST_TEST(checked(product("f64.minimum (map2 (-) xs ys) - " + dot), {"33i64 40i64 1000i64"}) == 1);
}

/// Wherever the dimension that is neither rows nor columns is.
BOOST_AUTO_TEST_CASE(matrices_are_numbered_with_slabs) {
  const std::string matrices =
      matrix + "def matrices (b: i64) (n: i64) (m: i64) (a: i64) : [b][n][m]f64 = opaque (tabulate_3d b n m (\\l i j -> f64.i64 ((l + i * a + j * 5 + i * j) % 11 - 4)))\n";
  const std::vector<std::string> inputs{"3i64 33i64 40i64 700i64", "0i64 33i64 40i64 700i64", "1i64 33i64 40i64 700i64"};
  const auto entry = [&](const std::string& result) {
    return matrices + "entry main (b: i64) (n: i64) (m: i64) (k: i64) =\n  let xsss = matrices b n k 3 let ysss = matrices b m k 7 in " + result + "\n";
  };
  BOOST_TEST(checked(entry("map2 (\\xss yss -> map (\\xs -> map (\\ys -> " + dot + ") yss) xss) xsss ysss"), inputs) == 1);
  BOOST_TEST(checked(entry("tabulate_3d n b m (\\i l j -> f64.sum (map2 (*) xsss[l, i] ysss[l, j]))"), inputs) == 1);
}

BOOST_AUTO_TEST_CASE(in_branches_and_loops_of_the_host) {
  const std::string text = matrix +
                           "entry main (n: i64) (k: i64) : [n][n]f64 =\n"
                           "  let xss = matrix n k 3\n"
                           "  in loop zss = matrix n n 2 for i < 2 do map2 (\\xs zs -> map2 (\\ys z -> z + f64.sum (map2 (*) xs ys)) xss zs) xss zss\n";
  BOOST_TEST(checked(text, {"35i64 600i64"}) == 1);
}

BOOST_AUTO_TEST_CASE(the_host_has_to_know_how_many_summands_there_are) {
  BOOST_TEST(checked(product(dot, "", "(i64.max 1 (k / 2))"), {"33i64 40i64 1000i64"}) == 1);
  const std::string known_late = matrix +
                                 "entry main [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) (counts: [1]i64) : [n][m]f64 =\n"
                                 "  let count = #[unsafe] i64.min k (i64.max 0 counts[0])\n"
                                 "  in map (\\xs -> map (\\ys -> f64.sum (tabulate count (\\l -> #[unsafe] xs[l] * ys[l]))) yss) xss\n";
  BOOST_TEST(checked(known_late, {"[[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0]] [2i64]"}) == 0);
}

BOOST_AUTO_TEST_CASE(what_threads_cannot_share_stays) {
  BOOST_TEST(checked(product("reduce (\\a b -> if b > 0 then b else a) 0 (map2 (*) xs ys)"), {"33i64 40i64 300i64"}) == 0);
}

BOOST_AUTO_TEST_CASE(small_sizes_are_left_out) {
  const auto sized = [](const std::string& n, const std::string& m, const std::string& k) {
    return "entry main (xss: [" + n + "][" + k + "]f64) (yss: [" + m + "][" + k + "]f64) = map (\\xs -> map (\\ys -> " + dot + ") yss) xss\n";
  };
  BOOST_TEST(checked(sized("32", "32", "384"), {}) == 1);
  BOOST_TEST(checked(sized("31", "32", "384"), {}) == 0);
  BOOST_TEST(checked(sized("32", "31", "384"), {}) == 0);
  BOOST_TEST(checked(sized("32", "32", "383"), {}) == 0);
}

BOOST_AUTO_TEST_CASE(products_of_square_matrices_stay) {
  const auto sized = [](const std::string& xss, const std::string& yss) {
    return "entry main [n] [m] (xss: " + xss + "f64) (yss: " + yss + "f64) = map (\\xs -> map (\\ys -> " + dot + ") yss) xss\n";
  };
  BOOST_TEST(checked(sized("[n][n]", "[m][n]"), {}) == 0);
  BOOST_TEST(checked(sized("[n][m]", "[m][m]"), {}) == 0);
  BOOST_TEST(checked(sized("[n][m]", "[n][m]"), {}) == 1);
}

/// How many sums of slabs several threads compute.
int joint_parts_in(const ir::Body& body) {
  int count = 0;
  for (const ir::Stm& stm : body.stms) {
    const auto* nest = !stm.pattern.empty() && stm.pattern[0].name.base.ends_with("_parts") ? std::get_if<ir::Nest>(&stm.exp) : nullptr;
    count += nest && !ir::has_attribute(stm, "tile") && facts::joint_sums_of(*nest).has_value();
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { count += joint_parts_in(inner); });
  }
  return count;
}

BOOST_AUTO_TEST_CASE(adjoints_of_few_parameters) {
  const auto checked = [](const std::string& cost, const std::vector<std::string>& inputs, const std::string& more = "") {
    const std::string text =
        matrix + "def cube (k: i64) (n: i64) (m: i64) (a: i64) : [k][n][m]f64 = opaque (tabulate_3d k n m (\\i j l -> f64.i64 ((i * a + j * 5 + l * j) % 7 - 3)))\n"
                          "entry main (k: i64) (n: i64) (d: i64) = let ass = matrix k n 3 let xsss = cube k n d 4\n"
                          "  in vjp (\\ws -> f64.sum (map3 (\\w as xss -> f64.sum (map2 (\\a xs -> " + cost + ") as xss)) ws ass xsss)" + more + ") (matrix k d 2) 1\n";
    int count = 0;
    for (const ir::Function& function : by_slabs(text, inputs).functions) count += joint_parts_in(function.body);
    return count;
  };
  BOOST_TEST(checked("a * f64.sum (map2 (\\v x -> v * v * x) w xs)", {"2i64 1030i64 2i64", "1i64 512i64 3i64", "3i64 511i64 1i64", "2i64 0i64 2i64", "0i64 600i64 2i64"}) == 1);
  // Each goes on with its sum.
  BOOST_TEST(checked("a * f64.sum (map2 (\\v x -> v * v * x) w xs)", {"2i64 1030i64 2i64", "3i64 511i64 1i64", "2i64 0i64 2i64"},
                     " + f64.sum (map (\\w -> f64.sum (map (\\v -> v * v * v) w)) ws)") == 1);
  BOOST_TEST(checked("f64.sum (map2 (*) w xs)", {"2i64 1030i64 2i64"}) == 0);  // of one array alone
  // Not where people sum up something themselves.
  const ir::Program sums = before_pass("slabs", "entry main [n] [d] (as: [n]f64) (xss: [d][n]f64) : [d]f64 = map (\\xs -> f64.sum (map2 (\\a x -> a * a * x) as xs)) xss\n");
  BOOST_TEST((parallel::sum_by_slabs(sums) == sums));
}

BOOST_AUTO_TEST_CASE(sums_of_slabs_have_none) {
  const ir::Program sums = before_pass("slabs",
                                       "entry main [n] [m] (ws: [m]f64) (cs: [m]f64) (xss: [n][m]f64) =\n"
                                       "  vjp (\\(ws, cs) -> f64.sum (map (\\xs -> f64.sum (map3 (\\w c x -> f64.sin (w * x + c)) ws cs xs)) xss)) (ws, cs) 1\n",
                                       parallel::Machine::gpu);
  BOOST_TEST((parallel::sum_by_slabs(sums) == sums));
}

/// Sums of neighbouring results get as many threads as slabs reckon with.
BOOST_AUTO_TEST_CASE(devices_are_filled_as_by_joint_sums) {
  using namespace parallel::joint_sums;
  const std::int64_t width = 8, many = std::int64_t{1} << 40;
  BOOST_TEST(sum_threads_for(width, 1, many, Order::results) == threads_of_sum);
  const std::int64_t rows = enough_threads / threads_of_sum / width;
  BOOST_TEST(sum_threads_for(width, rows, many, Order::results) == threads_of_sum);
  BOOST_TEST(sum_threads_for(width, 2 * rows, many, Order::results) == threads_of_sum / 2);
  BOOST_TEST(sum_threads_for(width, 1, threads_of_sum * summands_of_thread, Order::results) == threads_of_sum);
  BOOST_TEST(sum_threads_for(width, 1, threads_of_sum * summands_of_thread / 2, Order::results) == threads_of_sum / 2);
}

/// Rows fold what comes of their columns, and nobody has parts of that.
BOOST_AUTO_TEST_CASE(folds_stay) {
  const ir::Program before = before_pass(
      "slabs", "entry main [n] [m] [k] (xss: [n][k]f64) (yss: [m][k]f64) : [n]f64 = map (\\xs -> f64.maximum (map (\\ys -> " + dot + ") yss)) xss\n");
  BOOST_TEST((parallel::sum_by_slabs(before) == before));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slabs_tests
