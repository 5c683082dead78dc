// What is said over the loops of a cpu's entry.
#include <boost/test/unit_test.hpp>

#include "../shorthand.hpp"
#include "emit/plan/build.hpp"
#include "emit/plan/formula.hpp"
#include "emit/plan/walk.hpp"

namespace exemplars::formula_loops_tests {
namespace {

const Expr n = var("n"), m = var("m"), i = var("i"), j = var("j");
const Expr xss = var("xss", const_pointer_to(f64)), ys = var("ys", pointer_to(f64)), total = var("total", f64);
const Expr sums = scratch_field("sums", pointer_to(f64));

/// total = sum_j xss[i, j], to where it is stored.
Stms sum_to(const Expr& place) {
  return {variable("total", lit_float(0, f64)), count_up("j", type(i64), m, {Assign{total, xss[i * m + j], Op::add}}), Assign{place[i], total}};
}

Stm made_for(Stm stm, const std::string& text, boustro::ir::Sweep sweep = boustro::ir::Sweep::none) {
  stm.origin = {text, sweep};
  return stm;
}

/// What stands over the first statement of the entry, and of those in it.
std::string above(Stm stm) {
  Entry entry{.name = "f",
              .params = {array("ys", pointer_to(f64), {"n"}, Access::written), array("xss", const_pointer_to(f64), {"n", "m"}, Access::read)},
              .scratch = {.name = "FScratch", .pieces = {{.name = "sums", .elem = type(f64), .count = n, .shape = {"n"}}}},
              .body = {std::move(stm)}};
  say_loops(entry, [](const MadeFor& origin) {
    return (origin.sweep == boustro::ir::Sweep::reverse ? "return sweep of " : "") + origin.text.substr(origin.text.find('|') + 1);
  });
  std::string result = entry.body[0].above;
  for_each_body(entry.body[0], [&](const Stms& inside) { result += inside.back().above.empty() ? "" : " in: " + inside.back().above; });
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(formulas_of_loops)

BOOST_AUTO_TEST_CASE(loops_say_what_they_compute_and_for_what) {
  BOOST_TEST(above(made_for(count_up("i", type(i64), n, sum_to(ys)), "|f.fut:3")) == "ys[i] = sum_{j < m} xss[i, j]\n  f.fut:3");
  BOOST_TEST(above(made_for(count_up("i", type(i64), n, sum_to(sums)), "reverse_map|f.fut:3", boustro::ir::Sweep::reverse)) ==
             "sums[i] = sum_{j < m} xss[i, j]\n  return sweep of f.fut:3: reverse_map");
  BOOST_TEST(above(count_up("i", type(i64), n, sum_to(ys))) == "ys[i] = sum_{j < m} xss[i, j]");
}

BOOST_AUTO_TEST_CASE(what_no_formula_says_has_its_source) {
  const Stms steps = {variable("total", lit_float(0, f64)), While{total < 1.0, {Assign{total, xss[i], Op::add}}}, Assign{ys[i], total}};
  BOOST_TEST(above(made_for(count_up("i", type(i64), n, steps), "|f.fut:3")) == "f.fut:3");
}

BOOST_AUTO_TEST_CASE(short_loops_speak_for_themselves) {
  BOOST_TEST(above(made_for(count_up("i", type(i64), n, {Assign{ys[i], lit_float(0, f64)}}), "|f.fut:3")) == "");
}

BOOST_AUTO_TEST_CASE(loops_of_the_program_are_looked_into) {
  For steps{.name = "k", .type = type(i64), .from = lit(0), .to = n, .in_turn = true, .body = {made_for(count_up("i", type(i64), n, sum_to(ys)), "|f.fut:3")}};
  BOOST_TEST(above(steps) == " in: ys[i] = sum_{j < m} xss[i, j]\n  f.fut:3");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace exemplars::formula_loops_tests
