#include "emit/plan/polish/common_places.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::common_places_tests {
namespace {

const Type pointer = pointer_to(type(f64));
const Expr i = var("i"), j = var("j"), n = var("n"), m = var("m"), y = var("y", f64), c = var("c", PrimType::boolean);
const Expr xs = var("xs", pointer), row = var("xs_row", pointer), own = var("own_xs", pointer);

/// The body of a kernel of these parameters.
Stms pointed(Stms body) {
  Kernel kernel{.name = "f_kernel", .params = {Param{"xs", restricted(pointer)}, Param{"i", type(i64)}, Param{"j", type(i64)}, Param{"n", type(i64)}, Param{"m", type(i64)}}};
  kernel.body = std::move(body);
  Program plan;
  plan.entries.emplace_back().kernels.push_back(std::move(kernel));
  point_at_common_places(plan);
  return plan.entries[0].kernels[0].body;
}

Stm set(Expr place, Expr value = y) { return Assign{xs[std::move(place)], std::move(value)}; }
Stm set_by(const Expr& to, Expr place, Expr value = y) { return Assign{to[std::move(place)], std::move(value)}; }
Stm loop(Stms body) { return For{.name = "k", .type = type(i64), .from = lit(0), .to = n, .body = std::move(body)}; }
Stm when(Stms then_body, Stms else_body = {}) { return If{.condition = c, .then_body = std::move(then_body), .else_body = std::move(else_body)}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(common_places)

BOOST_AUTO_TEST_CASE(elements_of_a_row_are_reached_by_a_pointer_to_it) {
  const Stm first = Let{"x", type(f64), y + y};
  const Stms stms = pointed({first, set(i * n), set(i * n + lit(1), xs[i * n] + y), set(i * n + j)});
  BOOST_TEST((stms == Stms{first, Let{"xs_row", pointer, xs + i * n}, set_by(row, lit(0, i32)), set_by(row, lit(1), row[lit(0, i32)] + y), set_by(row, j)}));
}

BOOST_AUTO_TEST_CASE(those_of_one_place_in_several_rows_by_one_to_the_first) {
  const Stms stms = pointed({set(i * n + j), set(i * n + m + j), set(i * n + lit(2) * m + j)});
  BOOST_TEST((stms == Stms{Let{"own_xs", pointer, xs + (i * n + j)}, set_by(own, lit(0, i32)), set_by(own, m), set_by(own, lit(2) * m)}));
}

BOOST_AUTO_TEST_CASE(one_element_that_is_often_used_keeps_its_place_in_the_row) {
  const Stms stms = pointed({when({set(i * n + j)}, {set(i * n + j, -y), set(i * n + j, y + y)})});
  BOOST_TEST((stms == Stms{Let{"xs_row", pointer, xs + i * n}, when({set_by(row, j)}, {set_by(row, j, -y), set_by(row, j, y + y)})}));
}

BOOST_AUTO_TEST_CASE(the_pointer_stands_where_all_of_them_are_in_sight) {
  const Expr k = var("k");
  const Stms body{set(i * n + k), set(k * n + j), set(k * n + m), set(k * n)};
  BOOST_TEST((pointed({loop(body)}) == Stms{loop(body)}));  // `i * n` is not in all
  const Stms rows{set(k * n + j), set(k * n + m), set(k * n)};
  const Stms stms = pointed({loop(rows)});
  BOOST_TEST((stms == Stms{loop({Let{"xs_row", pointer, xs + k * n}, set_by(row, j), set_by(row, m), set_by(row, lit(0, i32))})}));
}

BOOST_AUTO_TEST_CASE(or_in_the_only_body_that_has_them) {
  const Stms row_of_branch{set(i * n), set(i * n + j), set(i * n + m)};
  const Stms stms = pointed({when(row_of_branch)});
  BOOST_TEST((stms == Stms{when({Let{"xs_row", pointer, xs + i * n}, set_by(row, lit(0, i32)), set_by(row, j), set_by(row, m)})}));
}

BOOST_AUTO_TEST_CASE(indices_of_several_loops_are_different_ones) {
  const Expr k = var("k");
  const Stms stms{loop({set(k * n)}), loop({set(k * n + j), set(k * n + m)})};
  BOOST_TEST((pointed(stms) == stms));
}

BOOST_AUTO_TEST_CASE(few_elements_or_places_without_a_row_are_left_alone) {
  const Stms few{set(i * n + j), set(i * n)};
  BOOST_TEST((pointed(few) == few));
  const Stms flat{set(i + j), set(i + m), set(i + n)};
  BOOST_TEST((pointed(flat) == flat));
  const Stms rows{set(i * n + j), set(i * m + j), set(i * n)};
  BOOST_TEST((pointed(rows) == rows));
  const Stms single{set(i * n), set(i * n), set(i * n)};
  BOOST_TEST((pointed(single) == single));
}

BOOST_AUTO_TEST_CASE(what_changes_is_no_part_of_it) {
  const Stm at = Let{.name = "at", .type = type(i64), .value = lit(0), .changes = true};
  const Expr row_number = var("at");
  const Stms stms{at, set(row_number * n), set(row_number * n + j), Assign{row_number, i}, set(row_number * n + m)};
  BOOST_TEST((pointed(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nor_is_what_reads_memory_or_may_fail) {
  const Expr keys = var("keys", const_pointer_to(type(i64)));
  for (const Expr& number : {keys[i], j / i, j % i}) {
    const Stms stms{set(number * n), set(number * n + j), set(number * n + m)};
    BOOST_TEST((pointed(stms) == stms));
  }
}

BOOST_AUTO_TEST_CASE(elements_in_places_of_elements) {
  const Expr inside = xs[i * n];
  const Stms stms = pointed({Do{call("f", type(i64), {xs[i * n + cast(PrimType::i64, inside)], xs[i * n + j]})}});
  BOOST_TEST((stms == Stms{Let{"xs_row", pointer, xs + i * n}, Do{call("f", type(i64), {row[cast(PrimType::i64, row[lit(0, i32)])], row[j]})}}));
}

BOOST_AUTO_TEST_CASE(names_that_are_taken_are_not_given_again) {
  const Stms stms = pointed({Let{"xs_row", type(i64), i + j}, set(i * n), set(i * n + j), set(i * n + var("xs_row"))});
  BOOST_TEST((std::get<Let>(stms.at(1).what).name == "other_xs_row"));
  const Stms inside = pointed({set(i * n), set(i * n + j), when({Let{"xs_row", type(i64), i + j}, set(i * n + var("xs_row"))})});
  BOOST_TEST((std::get<Let>(inside.at(0).what).name == "other_xs_row"));
  // But one that is out of sight is free.
  const Stms row_of_branch{set(j * n), set(j * n + i), set(j * n + m)};
  const Stms both = pointed({when({set(i * n), set(i * n + j), set(i * n + m)}), when(row_of_branch)});
  for (const Stm& stm : both) BOOST_TEST(std::get<Let>(std::get<If>(stm.what).then_body.at(0).what).name == "xs_row");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::common_places_tests
