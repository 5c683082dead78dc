// Negations of factors, in what differentiation made.
#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

namespace negations_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

Program simplified(const Program& p, const std::vector<Arguments>& runs) {
  return after([](Program q) { return boustro::simplify::simplify(std::move(q)); }, p, runs);
}

const std::vector<Arguments> numbers = {{f64_value(2), f64_value(-3)}, {f64_value(0), f64_value(5)}};

/// -(-x * y / y)
Program twice_negated(const Provenance& origin) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  f.origin = origin;
  const Name x = f.param("x", real), y = f.param("y", real);
  const Atom product = f.binop("product", BinOpKind::mul, f.unop("n", UnOpKind::neg, x), y);
  const Atom quotient = f.binop("quotient", BinOpKind::div, product, y);
  f.returns({f.unop("z", UnOpKind::neg, quotient)});
  return p.program;
}

const Provenance derived{{}, "reverse_scalar", Sweep::reverse};

}  // namespace

BOOST_AUTO_TEST_SUITE(negations)

BOOST_AUTO_TEST_CASE(negations_of_a_product_meet) {
  BOOST_TEST(statements(simplified(twice_negated(derived), numbers)) == 2);
}

BOOST_AUTO_TEST_CASE(formulas_of_the_user_stay) {
  BOOST_TEST(statements(simplified(twice_negated({}), numbers)) == 4);
}

BOOST_AUTO_TEST_CASE(a_negation_that_is_used_twice_stays) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  f.origin = derived;
  const Name x = f.param("x", real), y = f.param("y", real);
  const Atom negated = f.unop("n", UnOpKind::neg, x);
  f.returns({f.binop("a", BinOpKind::mul, negated, y), f.binop("b", BinOpKind::div, negated, y)});
  BOOST_TEST(statements(simplified(p.program, numbers)) == 3);
}

/// Of y + x * -2, y - -2 * x and the like; whether a sum or a difference comes of it.
BOOST_AUTO_TEST_CASE(negative_numbers_leave_sums) {
  const auto kind_of_sum = [](BinOpKind kind, double number, bool number_first, const Provenance& origin, bool used_twice = false) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    f.origin = origin;
    const Name x = f.param("x", real), y = f.param("y", real);
    const Atom product = number_first ? f.binop("p", BinOpKind::mul, f64(number), x) : f.binop("p", BinOpKind::mul, x, f64(number));
    const Atom sum = f.binop("z", kind, y, product);
    f.returns(used_twice ? std::vector<Atom>{sum, product} : std::vector<Atom>{sum});
    return std::get<BinOp>(simplified(p.program, numbers).functions[0].body.stms.back().exp).kind;
  };
  for (const bool first : {false, true}) {
    BOOST_TEST((kind_of_sum(BinOpKind::add, -2, first, derived) == BinOpKind::sub));
    BOOST_TEST((kind_of_sum(BinOpKind::sub, -2, first, derived) == BinOpKind::add));
    BOOST_TEST((kind_of_sum(BinOpKind::sub, 2, first, derived) == BinOpKind::sub));
    BOOST_TEST((kind_of_sum(BinOpKind::add, -2, first, {}) == BinOpKind::add));
    BOOST_TEST((kind_of_sum(BinOpKind::add, -2, first, derived, true) == BinOpKind::add));
  }
}

BOOST_AUTO_TEST_CASE(a_negation_stays_out_of_loops) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  f.origin = derived;
  const Name x = f.param("x", real), ys = f.param("ys", array_of(i64(3), real));
  const Atom negated = f.unop("n", UnOpKind::neg, x);
  const Lambda fn = f.lambda({{"y", real}}, [&](Builder& b, const std::vector<Name>& element) {
    return std::vector<Atom>{b.binop("z", BinOpKind::mul, negated, b.math("s", MathFn::sin, {element[0]}))};
  });
  const Name zs = f.let("zs", Map{i64(3), fn, {ys}, {}});
  f.returns({zs});
  const Program result = simplified(p.program, {});
  for (const Stm& stm : result.functions.back().body.stms)
    for_each_body(stm.exp, [](const Body& body) {
      for (const Stm& inner : body.stms) BOOST_TEST(!std::holds_alternative<UnOp>(inner.exp));
    });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace negations_tests
