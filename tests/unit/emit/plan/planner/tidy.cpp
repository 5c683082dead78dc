#include "emit/plan/planner/tidy.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::planner::tidy_tests {
namespace {

const Expr xs = var("xs", pointer_to(f64)), x = var("x", f64);
const Stm array = LocalArray{"xs", type(f64), lit(2)};

Stm set(std::int64_t i, Expr value) { return Assign{xs[lit(i)], std::move(value)}; }

/// The values that the array begins with; none if there is no array with such.
std::vector<Expr> values_in(Stms stms) {
  tidy(stms);
  for (const Stm& stm : stms)
    if (const auto* local = std::get_if<LocalArray>(&stm.what)) return local->values;
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_array_begins_with_its_elements) {
  const Stm other = Let{"y", type(f64), x + x};
  Stms stms{array, other, set(0, x), set(1, lit_float(2, f64)), Return{xs[lit(0)]}};
  BOOST_TEST((values_in(stms) == std::vector<Expr>{x, lit_float(2, f64)}));
  tidy(stms);
  BOOST_TEST(stms.size() == 3u);
}

BOOST_AUTO_TEST_CASE(an_array_that_is_set_in_another_order_or_in_part_does_not) {
  BOOST_TEST(values_in({array, set(1, x), set(0, x)}).empty());
  BOOST_TEST(values_in({array, set(0, x)}).empty());
  BOOST_TEST(values_in({array, set(0, x), Let{"y", type(f64), xs[lit(0)]}, set(1, x)}).empty());
}

BOOST_AUTO_TEST_CASE(an_element_that_needs_another_one_comes_later) {
  BOOST_TEST(values_in({array, set(0, x), set(1, xs[lit(0)] + x)}).empty());
}

BOOST_AUTO_TEST_CASE(elements_of_a_narrower_type_are_not_in_braces) {
  BOOST_TEST(values_in({array, set(0, x), set(1, var("n", i64))}).empty());
}

BOOST_AUTO_TEST_CASE(short_conditions_stand_where_they_are_asked) {
  const Expr i = var("i"), holds = var("holds", PrimType::boolean);
  const auto asked = [&](Expr condition, Stms behind) {
    behind.insert(behind.begin(), Let{"holds", type(PrimType::boolean), std::move(condition)});
    tidy(behind);
    return behind;
  };
  const Stms set_one{set(0, x)}, in_branch = asked(i < lit(3), {If{holds, set_one}});
  BOOST_REQUIRE(in_branch.size() == 1u);
  BOOST_TEST((std::get<If>(in_branch[0].what).condition == (i < lit(3))));
  BOOST_TEST(asked(i < lit(3), {Return{select(holds, x, -x)}}).size() == 1u);
  BOOST_TEST(asked(i < lit(3), {If{holds, {If{holds, set_one}}}}).size() == 2u);
  BOOST_TEST(asked(i < lit(3), {If{lit(true), {If{holds, set_one}}}}).size() == 2u);
  BOOST_TEST(asked(i < lit(3), {set(0, -x), If{holds, set_one}}).size() == 3u);
  BOOST_TEST(asked(i * i < i * lit(3), {If{holds, set_one}}).size() == 2u);
}

BOOST_AUTO_TEST_CASE(variables_begin_with_what_they_are_given) {
  const Let y{"y", type(f64), xs[lit(1)]}, other{"n", type(i64), var("m", i64) * lit(2)};
  const auto begun = [&](const Stms& behind) {
    Stms stms{y};
    stms.insert(stms.end(), behind.begin(), behind.end());
    tidy(stms);
    return stms;
  };
  const Let z{"z", type(f64), var("y", f64), true};
  const Stm change = Assign{var("z", f64), x, Op::add};
  const Stms at_once = begun({other, z, change});
  BOOST_REQUIRE(at_once.size() == 3u);
  BOOST_TEST((*std::get<Let>(at_once[1].what).value == xs[lit(1)]));
  BOOST_TEST(begun({set(1, x), z, change}).size() == 4u);
  BOOST_TEST(begun({z, change, set(0, var("y", f64))}).size() == 4u);
  BOOST_TEST(begun({Let{"z", type(f64), var("y", f64) * x, true}, change}).size() == 3u);
}

BOOST_AUTO_TEST_CASE(long_values_are_returned_without_a_name) {
  Expr sum = x;
  for (int k = 0; k < 20; ++k) sum = sum + x;
  Stms stms{Let{"y", type(f64), sum}, Return{var("y", f64)}};
  tidy(stms);
  BOOST_TEST(stms.size() == 1u);
  Stms stored{Let{"y", type(f64), sum}, set(0, var("y", f64))};
  tidy(stored);
  BOOST_TEST(stored.size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_is_returned_is_read_where_it_is) {
  const Expr row = var("row", pointer_to(f64)), i = var("i"), j = var("j");
  const auto of_row = [&](Stms stms) {
    stms.insert(stms.begin(), Let{"row", pointer_to(f64), xs + i * lit(3)});
    tidy(stms);
    return stms;
  };
  const Stms read = of_row({Let{"j", type(i64), i + lit(1)}, Return{-row[j]}});
  BOOST_REQUIRE(read.size() == 2u);
  BOOST_TEST(to_string(*std::get<Return>(read[1].what).value) == "-xs[i * 3 + j]");
  BOOST_TEST(of_row({Return{row[i] + row[j]}}).size() == 2u);
  BOOST_TEST(of_row({set(0, x), Return{row[j]}}).size() == 3u);
}

/// Of an entry on a GPU, whose statements stay as they are otherwise.
BOOST_AUTO_TEST_CASE(sizes_that_are_only_compared_need_no_name) {
  const Expr m = var("m"), l = var("l"), rows = var("rows"), other = var("other");
  const auto tidied = [](Stms body) {
    Entry entry;
    entry.body = std::move(body);
    tidy(entry, Target::gpu);
    return entry.body;
  };
  const Stm size = Let{"rows", type(i64), l * 2}, kept = Let{"other", type(i64), l * 3};
  const Stms stms = tidied({size, kept, RejectIf{not_equal(m, rows) || not_equal(l, other)}, Do{call("f", type(i64), {other})}});
  BOOST_TEST((stms == Stms{kept, RejectIf{not_equal(m, l * 2) || not_equal(l, other)}, Do{call("f", type(i64), {other})}}));
  // What is compared twice keeps its name, and so does what takes long to write.
  for (const Stms& body : {Stms{size, RejectIf{not_equal(m, rows) || not_equal(l, rows)}}, Stms{Let{"rows", type(i64), (l + m) * (l + 2)}, RejectIf{not_equal(m, rows)}},
                           Stms{Let{"rows", type(i64), l, true}, RejectIf{not_equal(m, rows)}}})
    BOOST_TEST((tidied(body) == body));
}

}  // namespace boustro::plan::planner::tidy_tests
