// What the threads of a warp ask for, by the dimension along which they are neighbours.
#include "transform/facts/neighbours.hpp"

#include "tests/unit/transform/before_pass.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace neighbours_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

/// Of the first nest that the host of a GPU runs, when all arrays lie row after row.
std::vector<Sectors> sectors_of(const std::string& text) {
  const Program program = before_pass("slabs", text);
  std::unordered_map<Name, std::size_t> ranks;
  for (const Param& param : program.functions[0].params) ranks[param.name] = static_cast<std::size_t>(param.type.rank());
  for (const Stm& stm : program.functions[0].body.stms) {
    for (const Param& param : stm.pattern) ranks[param.name] = static_cast<std::size_t>(param.type.rank());
    const auto* nest = std::get_if<Nest>(&stm.exp);
    if (!nest || nest->over != Level::grid) continue;
    return sectors_along(stm, *nest, [&](const Name& name) {
      return ranks.contains(name) ? std::optional(row_major(ranks.at(name))) : std::nullopt;
    });
  }
  return {};
}

using Expected = std::vector<Sectors>;

}  // namespace

BOOST_AUTO_TEST_SUITE(neighbours)

BOOST_AUTO_TEST_CASE(elements_beside_each_other_share_sectors) {
  // Read and written: 32 f64 take 8 sectors along a row, and 32 across rows.
  BOOST_TEST((sectors_of("entry main [n] [m] (xss: [n][m]f64) = map (map (* 2)) xss\n") == Expected{{64}, {16}}));
  BOOST_TEST((sectors_of("entry main [n] [m] (xss: [n][m]f32) = map (map (* 2)) xss\n") == Expected{{64}, {8}}));
  BOOST_TEST((sectors_of("entry main [n] [m] (xss: [n][m]i8) = map (map (* 2)) xss\n") == Expected{{64}, {2}}));
}

BOOST_AUTO_TEST_CASE(an_element_for_all_is_one_sector) {
  // ys[j] and the result; xs[i] and the result.
  const std::string outer = "entry main [n] [m] (xs: [n]f64) (ys: [m]f64) = map (\\x -> map (\\y -> x * y) ys) xs\n";
  BOOST_TEST((sectors_of(outer) == Expected{{8 + 1 + 32}, {1 + 8 + 8}}));
}

BOOST_AUTO_TEST_CASE(rows_are_read_in_loops) {
  // Of xss[i, t] * yss[j, t]: one is the same for all neighbours, the other is 32 rows.
  const std::string products =
      "entry main [n] [m] [d] (xss: [n][d]f64) (yss: [m][d]f64) : [n][m]f64 =\n"
      "  map (\\xs -> map (\\ys -> f64.sum (map2 (*) xs ys)) yss) xss\n";
  BOOST_TEST((sectors_of(products) == Expected{{32, 33}, {8, 33}}));
  // Of yss[j, t] alone, so that neighbours along i are better, whatever is stored outside of the loop.
  const std::string sums =
      "entry main [n] [m] [d] (xs: [n]f64) (yss: [m][d]f64) : [n][m]f64 =\n"
      "  map (\\x -> map (\\ys -> f64.sum (map (* x) ys)) yss) xs\n";
  const auto along = sectors_of(sums);
  BOOST_TEST_REQUIRE(along.size() == 2u);
  BOOST_TEST(is_less(along[0], along[1]));
  BOOST_TEST(!is_less(along[1], along[0]));
  BOOST_TEST(difference(along[0], along[1]) == "1 instead of 32 sectors in a loop");
}

BOOST_AUTO_TEST_CASE(digits_of_a_number_go_on_or_stay) {
  // xs[j % d] goes on as j does, xs[j / d] stays; as does xs[j / 2] half as fast.
  const std::string digits =
      "entry main [n] [m] (d: i64) (xs: [n]f64) (ys: [m]f64) : [m][n]f64 =\n"
      "  tabulate_2d m n (\\_ j -> #[unsafe] (xs[j % d] + ys[j / d]))\n";
  BOOST_TEST((sectors_of(digits) == Expected{{1 + 1 + 32}, {8 + 1 + 8}}));
  const std::string pairs =
      "entry main [n] [m] (xs: [n]f64) (ys: [m]f64) : [m][n]f64 =\n"
      "  tabulate_2d m n (\\_ j -> #[unsafe] (xs[(4 * j) / 2] + ys[(4 * j) / 5 + 1]))\n";
  BOOST_TEST((sectors_of(pairs) == Expected{{1 + 1 + 32}, {16 + 1 + 8}}));
}

BOOST_AUTO_TEST_CASE(more_loops_outweigh_all_else) {
  BOOST_TEST(is_less({100, 1}, {1, 2}));
  BOOST_TEST(is_less({100}, {1, 1}));
  BOOST_TEST(!is_less({3, 1}, {3, 1}));
  BOOST_TEST(difference({3, 1}, {3, 1}) == "as many sectors");
  BOOST_TEST(difference({3, 1}, {2, 1}) == "3 instead of 2 sectors");
  BOOST_TEST(difference({3, 1, 8}, {2, 1}) == "8 instead of 0 sectors in 2 loops");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace neighbours_tests
