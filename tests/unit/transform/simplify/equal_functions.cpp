#include "transform/simplify/equal_functions.hpp"

#include <boost/test/unit_test.hpp>

#include "transform/ir/builder.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/verify.hpp"

namespace equal_functions_tests {

using namespace boustro::ir;

namespace {

/// def f x = x * factor
Function scaled(Names& names, const std::string& called, double factor) {
  Function function;
  function.name = names.fresh(called);
  function.params = {names.fresh_param("x", scalar(PrimType::f64))};
  function.result_types = {scalar(PrimType::f64)};
  Builder body(names, {});
  const Atom product = body.binop("product", BinOpKind::mul, function.params[0].name, PrimValue::of_float(PrimType::f64, factor));
  function.body = {std::move(body.stms), {product}};
  return function;
}

/// Of an entry that adds what both functions yield.
Program sum_of(Names& names, Function f, Function g) {
  Function entry;
  entry.name = names.fresh("main");
  entry.entry = Entry{"main", {{"y", "f64"}}, {{"", "f64"}}};
  entry.params = {names.fresh_param("y", scalar(PrimType::f64))};
  entry.result_types = {scalar(PrimType::f64)};
  Builder body(names, {});
  const Param a = names.fresh_param("a", scalar(PrimType::f64)), b = names.fresh_param("b", scalar(PrimType::f64));
  body.let({a}, Call{f.name, {entry.params[0].name}});
  body.let({b}, Call{g.name, {entry.params[0].name}});
  const Atom sum = body.binop("sum", BinOpKind::add, a.name, b.name);
  entry.body = {std::move(body.stms), {sum}};
  return {{std::move(f), std::move(g), std::move(entry)}};
}

/// The functions that the entry calls.
std::pair<Name, Name> called(const Program& program) {
  const auto& stms = program.functions.back().body.stms;
  return {std::get<Call>(stms[0].exp).function, std::get<Call>(stms[1].exp).function};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(equal_functions)

BOOST_AUTO_TEST_CASE(copies_become_one) {
  Names names;
  Program program = sum_of(names, scaled(names, "f", 2), scaled(names, "f", 2));
  BOOST_TEST(boustro::simplify::merge_equal_functions(program));
  BOOST_TEST(program.functions.size() == 2u);
  const auto [a, b] = called(program);
  BOOST_TEST((a == b && a == program.functions[0].name));
}

BOOST_AUTO_TEST_CASE(others_stay) {
  Names names;
  for (Program program : {sum_of(names, scaled(names, "f", 2), scaled(names, "f", 3)), sum_of(names, scaled(names, "f", 2), scaled(names, "g", 2))}) {
    BOOST_TEST(!boustro::simplify::merge_equal_functions(program));
    BOOST_TEST(program.functions.size() == 3u);
  }
}

BOOST_AUTO_TEST_CASE(what_has_attributes_is_no_copy_of_what_has_none) {
  Names names;
  Program program = sum_of(names, scaled(names, "f", 2), scaled(names, "f", 2));
  program.functions[0].attributes.push_back({"noinline", {}});
  BOOST_TEST(!boustro::simplify::merge_equal_functions(program));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace equal_functions_tests
