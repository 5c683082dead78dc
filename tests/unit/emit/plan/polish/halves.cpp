#include "emit/plan/polish/halves.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::halves_tests {
namespace {

const Expr i = var("i", PrimType::i64), x = var("x", PrimType::f64), y = var("y", PrimType::f64), total = var("total", PrimType::f64);
const Expr term = var("term", PrimType::f64), ys = var("ys", pointer_to(type(PrimType::f64)));

Expr number(double value) { return lit_float(value, PrimType::f64); }
Stm let(Expr value) { return Let{.name = "term", .type = type(PrimType::f64), .value = std::move(value)}; }
Stm store(Expr value) { return Assign{.target = ys[i], .value = std::move(value)}; }

Stms doubled(Stms stms, ir::Sweep sweep = ir::Sweep::reverse) {
  for (Stm& stm : stms) stm.origin.sweep = sweep;
  Entry entry;
  entry.body = std::move(stms);
  double_at_once(entry);
  return entry.body;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(halves)

BOOST_AUTO_TEST_CASE(twice_a_half_is_the_whole) {
  BOOST_TEST((doubled({let(number(0.5) * x * y), store(number(2) * term - total)}) == Stms{store(x * y - total)}));
  BOOST_TEST((doubled({let(number(0.5) * x), store(number(2) * term)}) == Stms{store(x)}));
  BOOST_TEST((doubled({let(number(-0.5) * x * y), store(number(2) * term)}) == Stms{store(-x * y)}));
  BOOST_TEST((doubled({let(number(0.5) * x), store(number(2) * term)}, ir::Sweep::tangent) == Stms{store(x)}));
}

BOOST_AUTO_TEST_CASE(any_number_is_doubled) {
  BOOST_TEST((doubled({let(number(-1.5) * x * y), store(number(2) * term)}) == Stms{store(number(-3) * x * y)}));
}

BOOST_AUTO_TEST_CASE(unless_there_is_no_such_number) {
  for (const double large : {1e308, -1e308}) {
    const Stms stms{let(number(large) * x), store(number(2) * term)};
    BOOST_TEST((doubled(stms) == stms));
  }
  const Expr narrow = var("x", PrimType::f32), of_narrow = var("term", PrimType::f32);
  const Stms stms{Let{.name = "term", .type = type(PrimType::f32), .value = lit_float(3e38, PrimType::f32) * narrow}, store(lit_float(2, PrimType::f32) * of_narrow)};
  BOOST_TEST((doubled(stms) == stms));
}

BOOST_AUTO_TEST_CASE(so_it_is_in_loops) {
  For loop;
  loop.name = "i", loop.to = i, loop.body = {let(number(0.5) * x), store(number(2) * term)};
  For expected = loop;
  expected.body = {store(x)};
  Stms stms{loop};
  for (Stm& stm : std::get<For>(stms[0].what).body) stm.origin.sweep = ir::Sweep::reverse;
  BOOST_TEST((doubled(stms) == Stms{expected}));
}

BOOST_AUTO_TEST_CASE(what_else_needs_the_product_keeps_it) {
  for (const Stms& stms : {Stms{let(number(0.5) * x), store(number(2) * term + term)}, Stms{let(number(0.5) * x), store(number(2) * term), store(term)},
                           Stms{let(number(0.5) * x), store(total), store(number(2) * term)}, Stms{let(number(0.5) * x), store(number(3) * term)},
                           Stms{let(x * y), store(number(2) * term)}, Stms{let(number(0.5) + x), store(number(2) * term)},
                           Stms{let(number(0.5) * x), store(number(2) + term)}})
    BOOST_TEST((doubled(stms) == stms));
}

BOOST_AUTO_TEST_CASE(the_program_is_as_it_was_written) {
  const Stms stms{let(number(0.5) * x), store(number(2) * term)};
  BOOST_TEST((doubled(stms, ir::Sweep::none) == stms));
  BOOST_TEST((doubled(stms, ir::Sweep::forward) == stms));
}

BOOST_AUTO_TEST_CASE(what_changes_is_left) {
  Stms stms{let(number(0.5) * x), store(number(2) * term)};
  std::get<Let>(stms[0].what).changes = true;
  BOOST_TEST((doubled(stms) == stms));
}

BOOST_AUTO_TEST_CASE(so_is_what_has_a_comment) {
  const Stms stms{let(number(0.5) * x).with_above("half of it"), store(number(2) * term)};
  BOOST_TEST((doubled(stms) == stms));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::halves_tests
