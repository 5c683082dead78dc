// What derivatives call their values and functions.
#include "tests/unit/transform/ad/check_derivative.hpp"
#include "tests/unit/transform/ad/programs.hpp"

namespace boustro::ad::testing {

namespace {

void add_bases(const Body& body, std::set<std::string>& bases) {
  for (const Stm& stm : body.stms) {
    for (const Param& param : stm.pattern) bases.insert(param.name.base);
    for_each_body(stm.exp, [&](const Body& inner) { add_bases(inner, bases); });
  }
}

/// Of all variables of the derivatives in the entry `f`.
std::set<std::string> bases_in(const std::string& text) {
  std::set<std::string> bases;
  for (const Function& function : differentiated(compiled(text)).functions) add_bases(function.body, bases);
  return bases;
}

/// Of the function, which has to be there.
std::string doc_of(const Program& program, const std::string& name) {
  for (const Function& function : program.functions)
    if (function.name.base == name) return function.doc;
  return "no such function";
}

}  // namespace

BOOST_AUTO_TEST_CASE(terms_are_called_after_what_they_are_the_adjoint_of) {
  const auto bases = bases_in("def g (rate: f64) = let speed = rate * rate * 3 in f64.exp (speed * 2)\nentry f (x: f64) = vjp g x 1");
  BOOST_TEST(bases.contains("speed_adj"));
}

BOOST_AUTO_TEST_CASE(terms_are_called_after_what_they_are_the_tangent_of) {
  const auto bases = bases_in("def g (rate: f64) = let speed = f64.sin rate in f64.exp speed\nentry f (x: f64) = jvp g x 1");
  BOOST_TEST(bases.contains("speed_tan"));
}

/// They would say no more than `term` does.
BOOST_AUTO_TEST_CASE(not_after_letters_and_operations) {
  const auto bases = bases_in("def g (x: f64) = f64.exp (f64.sin (-x) * x)\nentry f (x: f64) = vjp g x 1");
  BOOST_TEST(bases.contains("term"));
  for (const char* name : {"product_adj", "neg_adj"}) BOOST_TEST(!bases.contains(name), name);
}

BOOST_AUTO_TEST_CASE(derived_functions_say_what_they_are) {
  const std::string g = "-- | Says nothing of its derivative.\n#[noinline] def g (x: f64) (y: f64) (i: i64) = if i > 0 then (x * y, x) else (y, f64.sin x)\n";
  const auto derived = [&](const std::string& f) { return differentiated(compiled(g + f)); };
  BOOST_TEST(doc_of(derived("entry f (x: f64) (y: f64) = vjp (\\(x, y) -> let (a, b) = g x y 1 in a * b) (x, y) 1"), "g_vjp") ==
             "The adjoints of x and y, given those of g's results.\n");
  BOOST_TEST(doc_of(derived("entry f (x: f64) (y: f64) = vjp (\\x -> (g x y 1).0) x 1"), "g_vjp") == "The adjoint of x, given that of g's result.\n");
  BOOST_TEST(doc_of(derived("entry f (x: f64) (y: f64) = jvp (\\x -> (g x y 1).0) x 1"), "g_jvp") == "g, and the tangent of its result, given that of x.\n");
}

}  // namespace boustro::ad::testing
