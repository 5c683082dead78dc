#include "emit/plan/independent.hpp"

#include <boost/test/unit_test.hpp>

#include "../shorthand.hpp"

namespace exemplars::independent_tests {
namespace {

const Expr n = var("n"), i = var("i"), j = var("j");

Expr piece(const std::string& name) { return scratch_field(name, pointer_to(f64)); }

/// Stores to four pieces what is read from four others: more pairs than compilers compare.
Stms wide(const Stms& more = {}) {
  Stms body;
  for (const char* const name : {"a", "b", "c", "d"})
    body.push_back(Assign{piece(name)[i], piece(std::string("from_") + name)[j * n + i]});
  body.insert(body.end(), more.begin(), more.end());
  return body;
}

/// Whether the loop over such a body, behind the statements, is marked.
bool marked(Stms body, Stms before = {}) {
  before.push_back(count_up("i", type(i64), n, std::move(body)));
  Entry entry{.name = "f", .body = std::move(before)};
  mark_independent_loops(entry);
  return std::get<For>(entry.body.back().what).independent;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(independent_loops)

BOOST_AUTO_TEST_CASE(a_loop_over_many_arrays_is_marked) {
  BOOST_TEST(marked(wide()));
  BOOST_TEST(marked(wide({If{i < 3, {Assign{piece("a")[i], lit_float(0, f64)}}, {}}})));
  BOOST_TEST(marked(wide({Assign{piece("a")[i], piece("b")[i], Op::add}})));
}

BOOST_AUTO_TEST_CASE(compilers_see_to_few_arrays_themselves) {
  BOOST_TEST(!marked({Assign{piece("a")[i], piece("b")[i]}}));
}

BOOST_AUTO_TEST_CASE(an_iteration_that_touches_what_another_one_writes_depends_on_it) {
  BOOST_TEST(!marked(wide({let("x", piece("a")[i + 1])})));
  BOOST_TEST(!marked(wide({Assign{piece("e")[lit(0)], lit_float(0, f64)}})), "the same element");
  BOOST_TEST(!marked(wide({Assign{piece("e")[i * n], lit_float(0, f64)}})), "perhaps the same element");
  BOOST_TEST(!marked(wide({Assign{var("total", f64), piece("a")[i], Op::add}})), "a sum");
}

BOOST_AUTO_TEST_CASE(rows_of_one_array_are_apart) {
  const auto of_rows = [](const Expr& read, const Expr& written) {
    return marked(wide({Assign{piece("e")[j * (lit(8) * n) + written * n + i], piece("e")[j * (lit(8) * n) + read * n + i]}}));
  };
  BOOST_TEST(of_rows(lit(3), lit(7)));
  BOOST_TEST(of_rows(lit(7), lit(3)));
  BOOST_TEST(of_rows(lit(3), lit(3)), "the same element");
  BOOST_TEST(!of_rows(var("k"), lit(3)), "perhaps the same row");
  BOOST_TEST(!marked(wide({Assign{piece("e")[lit(4) * n + i], piece("e")[lit(3) * var("m") + i]}})), "rows of another size");
  BOOST_TEST(!marked(wide({Assign{piece("e")[lit(4) * n + i], piece("e")[lit(3) * n + lit(2) * i]}})), "not the same element");
}

BOOST_AUTO_TEST_CASE(what_differs_between_iterations_leads_to_elements_of_others) {
  const Expr offset = var("offset");
  const Stm own = let("offset", select(i < 3, lit(1), lit(0)));
  const Stm addition = Assign{piece("e")[i + offset], lit_float(1, f64), Op::add};
  BOOST_TEST(!marked(wide({own, addition})));
  BOOST_TEST(!marked(wide({Assign{piece("e")[var("ks", const_pointer_to(type(i64)))[lit(0)] + i], lit_float(1, f64)}})), "what is found in memory");
  BOOST_TEST(marked(wide({addition}), {let("offset", j * n)}));
}

BOOST_AUTO_TEST_CASE(views_are_in_the_array_that_they_show) {
  const Expr row = var("row", pointer_to(f64));
  const Stm view = let("row", piece("a") + j * n);
  BOOST_TEST(!marked(wide({Assign{piece("e")[i], row[i]}}), {view}));
  BOOST_TEST(marked(wide({Assign{row[i], lit_float(0, f64)}}), {let("row", piece("e") + j * n)}));
  const Stm either = let("row", select(equal(j, lit(0)), piece("a"), piece("e")));
  BOOST_TEST(!marked(wide({Assign{row[i], lit_float(0, f64)}}), {either}));
}

BOOST_AUTO_TEST_CASE(pointers_that_change_may_point_anywhere) {
  const Expr row = var("row", pointer_to(f64));
  BOOST_TEST(!marked(wide({let("x", row[i])}), {variable("row", piece("e"))}));
  BOOST_TEST(!marked(wide({let("x", row[i])}), {Swap{"row", "other", false}}));
}

BOOST_AUTO_TEST_CASE(loops_over_lanes_need_no_hint) {
  Entry entry{.name = "f", .body = {ForLanes{"k", type(i64), lit(0), n, {count_up("i", type(i64), n, wide())}}}};
  mark_independent_loops(entry);
  BOOST_TEST(!std::get<For>(std::get<ForLanes>(entry.body[0].what).body[0].what).independent);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace exemplars::independent_tests
