#include "emit/plan/polish/rows.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::rows_tests {
namespace {

const Type pointer = pointer_to(type(f64));
const Expr i = var("i", i64), j = var("j", i64), n = var("n", i64);
const Expr xs = var("xs", pointer), row = var("row", pointer), values = var("values", pointer);

const Stm row_of_xs = Let{"row", pointer, xs + i * n};
Stm in_branch(Stms body) { return If{var("c", PrimType::boolean), std::move(body)}; }

Stms by_rows(Stms stms) {
  use_rows(stms);
  return stms;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elements_of_rows)

BOOST_AUTO_TEST_CASE(where_a_row_is_in_sight_elements_are_its) {
  const Stms stms = by_rows({row_of_xs, in_branch({Assign{xs[i * n + j], xs[i * n + lit(1)] + values[xs[i * n + j]]}})});
  BOOST_TEST((stms == Stms{row_of_xs, in_branch({Assign{row[j], row[lit(1)] + values[row[j]]}})}));
}

BOOST_AUTO_TEST_CASE(those_before_it_or_out_of_its_sight_are_not) {
  const Stms stms{Assign{xs[i * n + j], lit(1.0)}, in_branch({row_of_xs}), Assign{xs[i * n + j], lit(2.0)}};
  BOOST_TEST((by_rows(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nor_are_those_of_another_array_or_row) {
  const Stms stms{row_of_xs, Assign{values[i * n + j], lit(1.0)}, Assign{xs[j * n + i], lit(2.0)}, Assign{xs[i + i * n], lit(3.0)}, Assign{xs[i * n * j], lit(4.0)}};
  BOOST_TEST((by_rows(stms) == stms));
}

BOOST_AUTO_TEST_CASE(a_row_that_may_be_another_one_meanwhile_is_not_used) {
  const Stm store = Assign{xs[i * n + j], lit(1.0)};
  const Stms counted{Let{.name = "i", .type = type(i64), .value = lit(0), .changes = true}, row_of_xs, store};
  BOOST_TEST((by_rows(counted) == counted));
  const Stms swapped{row_of_xs, Swap{"values", "xs"}, store};
  BOOST_TEST((by_rows(swapped) == swapped));
  const Stms assigned{row_of_xs, Assign{xs, values}, store};
  BOOST_TEST((by_rows(assigned) == assigned));
  const Stms moved{Let{.name = "row", .type = pointer, .value = xs + i * n, .changes = true}, store};
  BOOST_TEST((by_rows(moved) == moved));
}

BOOST_AUTO_TEST_CASE(nor_is_one_whose_place_is_read) {
  const Expr keys = var("keys", pointer_to(type(i64)));
  const Stms stms{Let{"row", pointer, xs + keys[i] * n}, Assign{keys[i], j}, Assign{xs[keys[i] * n + j], lit(1.0)}};
  BOOST_TEST((by_rows(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nothing_is_stored_by_a_row_of_constants) {
  Type constant = pointer;
  constant.read_only = true;
  const Stms stms{Let{"row", constant, xs + i * n}, Assign{xs[i * n + j], lit(1.0)}};
  BOOST_TEST((by_rows(stms) == stms));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::rows_tests
