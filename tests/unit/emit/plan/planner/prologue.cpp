// What the query for scratch memory runs, too: emit/plan/planner/prologue.cpp.
#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"
#include "emit/plan/planner/entry.hpp"

namespace boustro::plan::planner::prologue_tests {
namespace {

const Expr m = var("m"), w = var("w"), l = var("l"), size = var("size"), other = var("other");
const Stm layers = Let{"l", type(i64), m / lit(2)};
Stm reject(const Expr& x, const Expr& y) { return RejectIf{not_equal(x, y)}; }

/// An entry of m and w whose scratch memory has l elements: its prologue.
Stms prologue_of(Stms body) {
  Entry entry;
  for (const Expr& param : {m, w}) entry.params.push_back({.name = std::get<Var>(param.head).name, .type = param.type});
  entry.scratch.pieces.push_back({.name = "xs", .elem = type(f64), .count = l});
  entry.body = std::move(body);
  hoist_prologue(entry);
  return entry.prologue;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prologue)

BOOST_AUTO_TEST_CASE(checks_of_sizes_move_with_these) { BOOST_TEST((prologue_of({layers, reject(l, w)}) == Stms{layers, reject(l, w)})); }

BOOST_AUTO_TEST_CASE(so_does_what_is_computed_for_them_alone) {
  const Stm twice = Let{"size", type(i64), l * 2};
  BOOST_TEST((prologue_of({layers, twice, reject(m, size)}) == Stms{layers, twice, reject(m, size)}));
}

BOOST_AUTO_TEST_CASE(checks_of_other_values_stay) {
  const Stm late = Let{.name = "other", .type = type(i64), .value = l, .changes = true};
  BOOST_TEST((prologue_of({layers, late, reject(m, other)}) == Stms{layers}));
  const Stm read = Let{"other", type(i64), var("xs", pointer_to(i64))[lit(0)]};
  BOOST_TEST((prologue_of({layers, read, reject(l, other)}) == Stms{layers}));
  // Nothing of them says how much memory there is.
  const Stm of_parameters = Let{"other", type(i64), w * 4};
  BOOST_TEST((prologue_of({layers, of_parameters, reject(w, other)}) == Stms{layers}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::planner::prologue_tests
