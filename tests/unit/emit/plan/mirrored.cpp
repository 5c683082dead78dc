#include "emit/plan/formula/mirrored.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::formula {
namespace {

const Expr i = var("i"), n = var("n"), m = var("m"), xs = var("xs", const_pointer_to(f64));
std::string shorter(const Expr& expr) { return to_string(with_short_sums(expr)); }

}  // namespace

BOOST_AUTO_TEST_CASE(mirrored_indices_are_short) {
  const Expr last = n - 1 - i;
  BOOST_TEST(shorter(n - 1 - last) == to_string(i));
  BOOST_TEST(shorter(n - last) == to_string(i + 1));
  BOOST_TEST(shorter(n - 1 - last - 1) == to_string(i - 1));
  BOOST_TEST(shorter(xs[n - last] * xs[m - lit(0)]) == to_string(xs[i + 1] * xs[m]));
  BOOST_TEST(shorter(n - n) == to_string(lit(0)));
  // Not of floats, nor what is there twice.
  BOOST_TEST(shorter(i + i) == to_string(i + i));
  const Expr x = var("x", f64);
  BOOST_TEST(shorter(x - x) == to_string(x - x));
  // Narrow numbers wrap around.
  const Expr narrow = cast(PrimType::i64, cast(PrimType::i8, n - i));
  BOOST_TEST(shorter(narrow + i) == to_string(narrow + i));
  const Expr wide = cast(PrimType::i64, cast(PrimType::i32, n - i));
  BOOST_TEST(shorter(wide + i) == to_string(n));
}

BOOST_AUTO_TEST_CASE(mirrored_are_formulas_all_of_whose_indices_go_backwards) {
  BOOST_TEST(are_backwards({xs[n - 1 - i] * xs[m], xs[n - i]}, "i"));
  BOOST_TEST(!are_backwards({xs[n - 1 - i], xs[i]}, "i"));
  BOOST_TEST(!are_backwards({xs[n - i * 2]}, "i"));
  BOOST_TEST(!are_backwards({xs[i - (n - i) - i * 2]}, "i"));
  BOOST_TEST(!are_backwards({xs[m], i}, "i"));
}

}  // namespace boustro::plan::formula
