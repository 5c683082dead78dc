#include "emit/plan/polish/adjoints.hpp"

#include <boost/test/unit_test.hpp>

#include "emit/plan/build.hpp"

namespace boustro::plan::adjoints_tests {
namespace {

const Expr i = var("i", type(PrimType::i64));
const Expr params = var("params", pointer_to(type(f64))), params_adj = var("params_adj", pointer_to(type(f64)));
const Expr others_adj = var("others_adj", pointer_to(type(f64)));

Stm let(const std::string& name, Expr value) { return Let{.name = name, .type = type(f64), .value = std::move(value)}; }
Stm use(const std::string& name) { return Do{call("f", type(PrimType::i64), {var(name, f64)})}; }

Stms named(Stms stms) {
  Entry entry;
  entry.body = std::move(stms);
  name_adjoints(entry);
  return entry.body;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(names_of_adjoints)

BOOST_AUTO_TEST_CASE(an_element_of_the_adjoint_is_called_after_the_element) {
  const Stms stms = named({let("weight", params[i + 3]), let("part", params_adj[i + 3]), use("part")});
  BOOST_TEST((stms == Stms{let("weight", params[i + 3]), let("weight_adj", params_adj[i + 3]), use("weight_adj")}));
}

BOOST_AUTO_TEST_CASE(one_of_another_array_or_place_is_not) {
  const Stms stms{let("weight", params[i + 3]), let("part", params_adj[i]), use("part"), let("other", others_adj[i + 3])};
  BOOST_TEST((named(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nor_if_another_variable_has_the_name_of_one) {
  const Stms stms{let("weight", params[i + 3]), let("part", params_adj[i + 3]), If{var("b", PrimType::boolean), {let("part", params[i]), use("part")}}, use("part")};
  BOOST_TEST((named(stms) == stms));
}

BOOST_AUTO_TEST_CASE(nor_if_a_function_or_a_parameter_of_a_closure_has_it) {
  const Stms calls{let("weight", params[i + 3]), let("part", params_adj[i + 3]), Do{call("weight_adj", type(PrimType::i64), {var("part", f64)})}};
  BOOST_TEST((named(calls) == calls));
  const Stms closure{let("weight", params[i + 3]), let("part", params_adj[i + 3]), Closure{.name = "f", .params = {{"part", type(f64)}}, .body = {use("part")}}, use("part")};
  BOOST_TEST((named(closure) == closure));
}

BOOST_AUTO_TEST_CASE(nor_if_the_name_is_taken) {
  const Stms taken{let("weight_adj", params[i]), let("weight", params[i + 3]), let("part", params_adj[i + 3]), use("part")};
  BOOST_TEST((named(taken) == taken));
  const Stms twice = named({let("weight", params[i]), let("part", params_adj[i]), use("part"), let("again", params_adj[i]), use("again")});
  BOOST_TEST((twice.at(1) == let("weight_adj", params_adj[i])));
  BOOST_TEST((twice.at(3) == let("again", params_adj[i])));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace boustro::plan::adjoints_tests
