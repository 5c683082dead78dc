#include "emit/plan/polish/indices.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::indices_tests {
namespace {

const Type i64_type = type(i64);
const Expr xs = var("xs", pointer_to(f64)), i = var("i", i64), s = var("s", i64), b = var("b", i64);

Expr polished_value(Expr value) {
  Program plan;
  plan.entries.emplace_back();
  plan.entries[0].body = {Let{"x", value.type, std::move(value)}};
  polish_indices(plan);
  return *std::get<Let>(plan.entries[0].body[0].what).value;
}

std::string polished(Expr value) { return to_string(polished_value(std::move(value))); }

}  // namespace

BOOST_AUTO_TEST_CASE(literals_are_multiplied) {
  BOOST_TEST(polished(xs[i + s * (lit(2) * (lit(4) * b))]) == "xs[s * (8 * b) + i]");
  BOOST_TEST(polished(xs + s * (lit(2) * (lit(4) * b))) == "xs + s * (8 * b)");
}

/// `const int64_t t = b - 1 - i; x = value;`, and what x is then, behind other statements.
std::string behind_name(Expr named, Expr value, Stms between = {}) {
  Program plan;
  plan.entries.emplace_back();
  Stms& body = plan.entries[0].body;
  body = {Let{"t", i64_type, std::move(named)}};
  body.insert(body.end(), between.begin(), between.end());
  body.push_back(If{lit(true), {Let{"x", value.type, value}}});
  polish_indices(plan);
  return to_string(*std::get<Let>(std::get<If>(plan.entries[0].body.back().what).then_body[0].what).value);
}

BOOST_AUTO_TEST_CASE(what_has_a_name_is_called_by_it) {
  const Expr back = b - lit(1) - i;
  BOOST_TEST(behind_name(back, xs[back]) == "xs[t]");
  BOOST_TEST(behind_name(back, xs[s * b + back]) == "xs[s * b + t]");
  BOOST_TEST(behind_name(back, xs + back) == "xs + t");
  BOOST_TEST(behind_name(back, xs[i]) == "xs[i]");
  BOOST_TEST(behind_name(back, back) == to_string(back));
  BOOST_TEST(behind_name(b * b, xs[s * (b * b)]) == to_string(xs[s * (b * b)]));
  BOOST_TEST(behind_name(back, xs[back], {Assign{i, lit(1), Op::add}}) == to_string(xs[back]));
  BOOST_TEST(behind_name(back, xs[back], {Assign{s, lit(1), Op::add}}) == "xs[t]");
}

BOOST_AUTO_TEST_CASE(terms_that_differ_in_their_numbers_are_added) {
  BOOST_TEST(polished(xs[i + lit(4) * b + lit(3) * b]) == "xs[i + 7 * b]");
  BOOST_TEST(polished(xs[i + b + b]) == "xs[i + 2 * b]");
}

BOOST_AUTO_TEST_CASE(what_is_short_stays) {
  BOOST_TEST(polished(xs[s * b + i]) == to_string(xs[s * b + i]));
  BOOST_TEST(polished(xs[i + lit(3) * b]) == to_string(xs[i + lit(3) * b]));
  BOOST_TEST(polished(xs[lit(3)]) == "xs[3]");
}

BOOST_AUTO_TEST_CASE(products_stay_within_what_their_type_holds) {
  const Expr narrow = var("k", PrimType::i32);
  const auto number = [](int value) { return lit(value, PrimType::i32); };
  BOOST_TEST((polished_value(xs[i * lit(1000) * (number(4) * narrow)]) == xs[i * (lit(4000) * narrow)]));
  BOOST_TEST((polished_value(xs[i * (number(2) * (number(4) * narrow))]) == xs[i * (number(8) * narrow)]));
}

BOOST_AUTO_TEST_CASE(rows_come_before_places_in_them) {
  BOOST_TEST(polished(xs[i + s * b]) == "xs[s * b + i]");
  BOOST_TEST(polished(xs[i + s * (lit(8) * b) + b]) == "xs[s * (8 * b) + b + i]");
  const Expr narrow = var("k", PrimType::i32), j = var("j", PrimType::i32);
  BOOST_TEST(polished(xs[i + narrow * j + j]) == to_string(xs[i + narrow * j + j]), "narrow numbers are not added first");
}

BOOST_AUTO_TEST_CASE(values_stay_as_the_source_has_them) {
  BOOST_TEST(polished(lit(2) * (lit(4) * b)) == to_string(lit(2) * (lit(4) * b)));
}

}  // namespace boustro::plan::indices_tests
