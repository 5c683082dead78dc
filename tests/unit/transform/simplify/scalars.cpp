#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

namespace scalars_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

Program simplified(const Program& p, const std::vector<Arguments>& runs = {}) {
  return after([](Program q) { return boustro::simplify::simplify(std::move(q)); }, p, runs);
}

const Body& body_of(const Program& p) { return p.functions.back().body; }

/// main x y = x op y, simplified.
Program of_binop(PrimType type, BinOpKind kind, const std::function<BinOp(Name, Name)>& exp) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", scalar(type)), y = f.param("y", scalar(type));
  BinOp binop = exp(x, y);
  binop.kind = kind;
  binop.type = type;
  f.returns({f.let("z", binop)});
  return simplified(p.program);
}

int left_of(BinOpKind kind, PrimType type, std::optional<Atom> lhs, std::optional<Atom> rhs) {
  return statements(of_binop(type, kind, [&](Name x, Name y) {
    return BinOp{kind, type, lhs.value_or(x), rhs.value_or(y)};
  }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scalars)

BOOST_AUTO_TEST_CASE(constants_fold) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Atom a = f.binop("a", BinOpKind::add, i64(2), i64(3));
  const Atom b = f.binop("b", BinOpKind::mul, a, i64(7));
  f.returns({f.convert("c", PrimType::f64, b)});
  BOOST_TEST((body_of(simplified(p.program, {{}})).result == std::vector<Atom>{f64(35)}));
}

BOOST_AUTO_TEST_CASE(division_by_zero_is_not_folded) {
  BOOST_TEST(left_of(BinOpKind::div, PrimType::i64, i64(1), i64(0)) == 1);
}

BOOST_AUTO_TEST_CASE(integer_identities_hold) {
  using K = BinOpKind;
  const PrimType t = PrimType::i64;
  BOOST_TEST(left_of(K::add, t, {}, i64(0)) == 0);
  BOOST_TEST(left_of(K::add, t, i64(0), {}) == 0);
  BOOST_TEST(left_of(K::mul, t, {}, i64(0)) == 0);
  BOOST_TEST(left_of(K::mul, t, i64(1), {}) == 0);
  BOOST_TEST(left_of(K::div, t, {}, i64(1)) == 0);
  BOOST_TEST(left_of(K::sub, t, {}, {}) == 1);
  BOOST_TEST(left_of(K::div, t, i64(0), {}) == 1);  // fails for 0 / 0
}

BOOST_AUTO_TEST_CASE(float_identities_keep_ieee) {
  using K = BinOpKind;
  const PrimType t = PrimType::f64;
  BOOST_TEST(left_of(K::mul, t, {}, f64(1)) == 0);
  BOOST_TEST(left_of(K::sub, t, {}, f64(0)) == 0);
  BOOST_TEST(left_of(K::add, t, {}, f64(-0.0)) == 0);
  BOOST_TEST(left_of(K::add, t, {}, f64(0)) == 1);  // -0.0 + 0.0 is 0.0
  BOOST_TEST(left_of(K::mul, t, {}, f64(0)) == 1);  // infinity * 0 is NaN
  const Program difference =
      of_binop(t, K::sub, [&](Name x, Name) { return BinOp{K::sub, t, x, x}; });
  BOOST_TEST(statements(difference) == 1);  // infinity - infinity is NaN
}

BOOST_AUTO_TEST_CASE(zeros_of_derivatives_add_nothing) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", real);
  f.origin = {{}, "reverse_reduce_add", Sweep::reverse};
  f.returns({f.binop("y", BinOpKind::add, f64(0), x)});
  BOOST_TEST(statements(simplified(p.program)) == 0);
}

BOOST_AUTO_TEST_CASE(integer_sums_of_constants_combine) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", integer);
  const Atom a = f.binop("a", BinOpKind::add, x, i64(2));
  const Atom b = f.binop("b", BinOpKind::sub, a, i64(2));
  f.returns({b});
  BOOST_TEST((body_of(simplified(p.program)).result == std::vector<Atom>{x}));
}

BOOST_AUTO_TEST_CASE(float_sums_keep_their_order) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", real);
  const Atom a = f.binop("a", BinOpKind::add, x, f64(1e30));
  f.returns({f.binop("b", BinOpKind::sub, a, f64(1e30))});
  BOOST_TEST(statements(simplified(p.program, {{f64_value(1)}})) == 2);
}

BOOST_AUTO_TEST_CASE(negated_comparison_of_floats_stays) {
  for (const PrimType type : {PrimType::f64, PrimType::i64}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name x = f.param("x", scalar(type)), y = f.param("y", scalar(type));
    const Atom less = f.cmp("less", CmpOpKind::lt, x, y);
    f.returns({f.unop("not", UnOpKind::complement, less)});
    BOOST_TEST(statements(simplified(p.program)) == (type == PrimType::f64 ? 2 : 1));
  }
}

BOOST_AUTO_TEST_CASE(conversions_compose_only_if_exact) {
  const auto conversions = [](PrimType first, PrimType second) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name x = f.param("x", scalar(PrimType::i32));
    f.returns({f.convert("b", second, f.convert("a", first, x))});
    return statements(simplified(p.program));
  };
  BOOST_TEST(conversions(PrimType::i64, PrimType::f64) == 1);
  BOOST_TEST(conversions(PrimType::i8, PrimType::f64) == 2);
  BOOST_TEST(conversions(PrimType::f32, PrimType::i64) == 2);
}

BOOST_AUTO_TEST_CASE(equal_expressions_are_computed_once) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", real), y = f.param("y", real);
  const Atom a = f.binop("a", BinOpKind::mul, x, y), b = f.binop("b", BinOpKind::mul, y, x);
  f.returns({f.binop("c", BinOpKind::sub, f.math("d", MathFn::sin, {a}), b)});
  BOOST_TEST(statements(simplified(p.program, {{f64_value(2), f64_value(3)}})) == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace scalars_tests
