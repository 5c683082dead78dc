// Sums over the leading dimension of an array: transform/parallel/flat_sums/flat_sums.cpp.
#include "tests/dumps/read_dump.hpp"
#include "tests/unit/transform/inspect.hpp"
#include "transform/parallel/parallel.hpp"

namespace flat_sums_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
namespace parallel = boustro::parallel;

namespace {

const std::string head = "entry main [n] [m] (k: i64) (as: [n]i64) (given: [k][n][m]i64) (bss: [n][m]i64) : [n][m]i64 =\n";
const std::string parts = "  let (xs: [k][n][m]i64) = #[grid_thread] core.nest (k, n, m) (\\(l: i64, i: i64, j: i64) -> let y = #[unsafe] given[l, i, j] let z = y * 3i64 in z) (core.store 3)\n";
/// The same with the first two dimensions numbered together.
const std::string numbered = "  let blocks = #[is_size] k * n\n"
                             "  let (xs: [blocks][m]i64) = #[grid_thread] core.nest (blocks, m) (\\(b: i64, j: i64) -> let y = b * 5i64 let z = y + j in z) (core.store 2)\n";

/// A nest that reads the sums, and is what is yielded.
const std::string read = "  let (us: [n][m]i64) = #[grid_thread] core.nest (n, m) (\\(i: i64, j: i64) -> let z = #[unsafe] zs[i, j] let b = #[unsafe] bss[i, j] let u = z * b in u) (core.store 2)\n  in us";

const std::string with_view = "  let (us: [n][m]i64) = #[grid_thread] core.nest (n, m) (\\(i: i64, j: i64) -> let z = #[unsafe] zs[i, j] let b = #[unsafe] ws[j, i] let u = z * b in u) (core.store 2)\n  in us";

/// zs[i, j] = the sum over l of x, which `element` binds; `behind` binds z of it.
std::string sums(const std::string& element, const std::string& extent = "k", const std::string& behind = "", const std::string& z = "y", const std::string& user = read) {
  return "  let (zs: [n][m]i64) = #[grid_thread] core.nest (n, m) (\\(i: i64, j: i64) -> let (y: i64) = #[thread_thread] core.nest " + extent + " (\\(l: i64) -> " + element +
         " in x) (core.reduce 0 (+) 0i64) " + behind + " in " + z + ") (core.store 2)\n" + user;
}

/// Of how many dimensions the nest that sums is then; the values stay.
std::size_t dimensions(const std::string& statements) {
  std::string reasons;
  auto program = boustro::tests::lowered(head + statements, "program.fut", true, reasons);
  BOOST_REQUIRE_MESSAGE(program, reasons << statements);
  const auto run = [](std::int64_t k, std::int64_t n, std::int64_t m) {
    return Arguments{i64_value(k), some_i64s({n}, 9, 4), some_i64s({k, n, m}, 9, 6), some_i64s({n, m}, 9, 7)};
  };
  const Program result = after(parallel::flatten_sums, std::move(*program), {run(2, 4, 3), run(3, 1, 5), run(0, 2, 2), run(2, 0, 3), run(2, 3, 0)});
  std::size_t found = 0;
  for (const Stm& stm : result.functions[0].body.stms)
    if (const auto* nest = std::get_if<Nest>(&stm.exp); nest && count<Nest>(nest->point.body) > 0) found = nest->space.size();
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flat_sums)

BOOST_AUTO_TEST_CASE(cells_are_one_dimension) { BOOST_TEST(dimensions(parts + sums("let x = #[unsafe] xs[l, i, j]")) == 1u); }

BOOST_AUTO_TEST_CASE(leading_dimensions_may_be_numbered) {
  BOOST_TEST(dimensions(numbered + sums("let f = l * n let b = f + i let x = #[unsafe] xs[b, j]")) == 1u);
  BOOST_TEST(dimensions(numbered + sums("let f = l * n let b = i + f let x = #[unsafe] xs[b, j]")) == 1u);
}

BOOST_AUTO_TEST_CASE(other_elements_stay_where_they_are) {
  for (const char* element : {"let x = #[unsafe] xs[l, i, 0i64]", "let x = #[unsafe] xs[l, 0i64, j]", "let p = n - 1i64 let q = p - i let x = #[unsafe] xs[l, q, j]"})
    BOOST_TEST(dimensions(parts + sums(element)) == 2u, element);
  BOOST_TEST(dimensions(parts + sums("let y = #[unsafe] xs[l, i, j] let x = y * 2i64")) == 2u);
  for (const char* number : {"let f = l * 1i64 let b = f + i", "let f = l * n let b = f + 0i64"})
    BOOST_TEST(dimensions(numbered + sums(std::string(number) + " let x = #[unsafe] xs[b, j]")) == 2u, number);
}

/// Cells of the sums do not lie as far apart as those of the array.
BOOST_AUTO_TEST_CASE(parts_of_rows_stay) {
  const auto wider = [](const std::string& rows, const std::string& columns) {
    return "  let more = m + 1i64\n  let higher = n + 1i64\n  let (xs: [k][" + rows + "][" + columns + "]i64) = #[grid_thread] core.nest (k, " + rows + ", " + columns +
           ") (\\(l: i64, i: i64, j: i64) -> let f = l * 100i64 let g = i * 10i64 let h = f + g let y = h + j in y) (core.store 3)\n";
  };
  BOOST_TEST(dimensions(wider("n", "m") + sums("let x = #[unsafe] xs[l, i, j]")) == 1u);
  BOOST_TEST(dimensions(wider("n", "more") + sums("let x = #[unsafe] xs[l, i, j]")) == 2u);
  BOOST_TEST(dimensions(wider("higher", "m") + sums("let x = #[unsafe] xs[l, i, j]")) == 2u);
  const std::string numbered_wider = "  let more = m + 1i64\n  let blocks = #[is_size] k * n\n"
                                     "  let (xs: [blocks][more]i64) = #[grid_thread] core.nest (blocks, more) (\\(b: i64, j: i64) -> let y = b * 5i64 let z = y + j in z) (core.store 2)\n";
  BOOST_TEST(dimensions(numbered_wider + sums("let f = l * n let b = f + i let x = #[unsafe] xs[b, j]")) == 2u);
}

/// Of the first slabs.
BOOST_AUTO_TEST_CASE(some_slabs_may_be_left_out) {
  BOOST_TEST(dimensions("  let some = i64.min k 1i64\n" + parts + sums("let x = #[unsafe] xs[l, i, j]", "some")) == 1u);
}

BOOST_AUTO_TEST_CASE(points_that_do_more_stay) {
  BOOST_TEST(dimensions(parts + sums("let x = #[unsafe] xs[l, i, j]", "k", "let b = #[unsafe] bss[i, j] let z = y + b", "z")) == 2u);
}

BOOST_AUTO_TEST_CASE(arrays_that_are_given_may_lie_otherwise) { BOOST_TEST(dimensions(sums("let x = #[unsafe] given[l, i, j]")) == 2u); }

BOOST_AUTO_TEST_CASE(what_is_no_nest_may_want_them_otherwise) {
  const std::string element = "let x = #[unsafe] xs[l, i, j]";
  BOOST_TEST(dimensions(parts + sums(element, "k", "", "y", "  in zs")) == 2u);
  BOOST_TEST(dimensions(parts + sums(element, "k", "", "y", "  let ws = (core.rearrange (1, 0) zs : [m][n]i64)\n  " + with_view)) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace flat_sums_tests
