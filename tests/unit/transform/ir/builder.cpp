#include "transform/ir/builder.hpp"

#include <boost/test/unit_test.hpp>

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/operands.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/traversal.hpp"

namespace builder_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

const Type real_type = scalar(PrimType::f64);
const Type pair_type = array(PrimType::f64, {i64(2)});

struct Fixture {
  Names names;
  Builder b{names};
  Name n = names.bind_fresh("n", scalar(PrimType::i64));
  Name xs = names.bind_fresh("xs", array(PrimType::f64, {n}));
  Name x = names.bind_fresh("x", real_type);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(builder, Fixture)

BOOST_AUTO_TEST_CASE(types_follow_from_expressions) {
  const auto type = [&](Exp exp) { return to_string(names.types_of(exp).at(0)); };
  BOOST_TEST(type(Replicate{{i64(3)}, xs}) == "[3][n_1]f64");
  BOOST_TEST(type(Index{xs, {i64(0)}, true}) == "f64");
  BOOST_TEST(type(Index{xs, {Slice{i64(0), i64(4), i64(1)}}, true}) == "[4]f64");
  BOOST_TEST(type(CmpOp{CmpOpKind::lt, PrimType::f64, x, x}) == "bool");
  BOOST_TEST(type(MathOp{MathFn::to_bits, PrimType::f32, {x}}) == "u32");
  BOOST_TEST(type(Map{n, binop_lambda(b, BinOpKind::add, PrimType::f64), {xs, xs}, {}}) == "[n_1]f64");
}

BOOST_AUTO_TEST_CASE(calls_have_their_arguments_sizes) {
  TestProgram p;
  FunctionMaker g = p.function("same");
  const Name m = g.size("m");
  const Name ys = g.param("ys", array(PrimType::f64, {m}));
  const Name same = g.returns({ys});
  BOOST_TEST(to_string(p.names.types_of(Call{same, {i64(7), ys}}).at(0)) == "[7]f64");
}

BOOST_AUTO_TEST_CASE(fresh_names_differ_from_all_in_a_program) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name y = f.param("y", real_type);
  f.returns({y});
  Names known(p.program);
  BOOST_TEST((known.fresh("y") != y));
  BOOST_TEST((known.type_of(y) == real_type));
  BOOST_CHECK_THROW(known.type_of(Name{"z", 99}), boustro::source::InternalError);
}

BOOST_AUTO_TEST_CASE(renaming_follows_bindings_into_types) {
  Builder inner(names);
  const Atom k = inner.binop("k", BinOpKind::add, n, i64(1));
  const Name is = inner.let("is", Iota{k});
  const Body renamed = rename(Body{inner.stms, {k, is}}, names);
  BOOST_TEST((renamed.result[0] != k));
  const Param& new_is = renamed.stms[1].pattern[0];
  BOOST_TEST((new_is.type.shape[0] == renamed.result[0]));
  BOOST_TEST((names.type_of(new_is.name) == new_is.type));
  BOOST_TEST(free_names(renamed).size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_inlined_lambda_computes_with_its_arguments) {
  const Lambda square = b.lambda({{"y", real_type}}, [](Builder& inner, const std::vector<Name>& q) {
    return std::vector<Atom>{inner.binop("z", BinOpKind::mul, q[0], q[0])};
  });
  inline_lambda(b, square, {f64(3)});
  const auto results = inline_lambda(b, square, {f64(3)});
  BOOST_TEST(b.stms.size() == 2u);
  BOOST_TEST((b.stms[1].exp == Exp(BinOp{BinOpKind::mul, PrimType::f64, f64(3), f64(3)})));
  BOOST_TEST((results[0] == Atom(b.stms[1].pattern[0].name)));
  BOOST_TEST((b.stms[0].pattern[0].name != b.stms[1].pattern[0].name));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(traversal, Fixture)

BOOST_AUTO_TEST_CASE(free_names_are_what_comes_from_outside) {
  const Lambda fn = b.lambda({{"y", real_type}}, [&](Builder& inner, const std::vector<Name>& q) {
    const Atom sum = inner.binop("sum", BinOpKind::add, q[0], x);
    const Name row = inner.let("row", Replicate{{n}, sum});
    return std::vector<Atom>{inner.index("cell", row, {i64(0)})};
  });
  BOOST_TEST((free_names_in_order(fn) == std::vector<Name>{x, n}));
  BOOST_TEST((free_names(Exp(Map{n, fn, {xs}, {}})) == NameSet{x, n, xs}));
}

BOOST_AUTO_TEST_CASE(a_loop_does_not_use_what_it_binds) {
  const Param m = names.fresh_param("m", scalar(PrimType::i64));
  const Param ys = names.fresh_param("ys", array(PrimType::f64, {m.name}));
  const Name i = names.bind_fresh("i", scalar(PrimType::i64));
  const Exp loop = Loop{{{m, n}, {ys, xs}}, ForLoop{i, PrimType::i64, i64(3)}, {{}, {m.name, ys.name}}};
  std::vector<Atom> seen;
  for_each_atom(loop, [&](const Atom& atom) { seen.push_back(atom); });
  BOOST_TEST((seen == std::vector<Atom>{n, xs, i64(3)}));
  BOOST_TEST((free_names(loop) == NameSet{n, xs}));
}

BOOST_AUTO_TEST_CASE(substitution_reaches_bodies_and_types) {
  Builder inner(names);
  const Name ys = inner.let("ys", Replicate{{n}, x});
  Body body{inner.stms, {ys}};
  substitute(body, {{n, i64(5)}, {x, f64(2)}});
  BOOST_TEST((body.stms[0].exp == Exp(Replicate{{i64(5)}, f64(2)})));
  BOOST_TEST((body.stms[0].pattern[0].type.shape[0] == i64(5)));
}

BOOST_AUTO_TEST_CASE(consumption_by_meaning_and_by_unique_parameters) {
  BOOST_TEST((consumed_operands(Update{xs, {i64(0)}, x, true}) == std::vector<Name>{xs}));
  BOOST_TEST(consumed_operands(Copy{xs}).empty());
  const Param ys = names.fresh_param("ys", array(PrimType::f64, {n}), true);
  const Name i = names.bind_fresh("i", scalar(PrimType::i64));
  BOOST_TEST((consumed_operands(Loop{{{ys, xs}}, ForLoop{i, PrimType::i64, i64(3)}, {{}, {ys.name}}}) == std::vector<Name>{xs}));
  const Call call{names.fresh("f"), {n, xs}};
  const std::vector<Param> params{names.fresh_param("k", scalar(PrimType::i64)), ys};
  BOOST_TEST((consumed_operands(call, params) == std::vector<Name>{xs}));
  BOOST_CHECK_THROW(consumed_operands(call), boustro::source::InternalError);
}

BOOST_AUTO_TEST_CASE(what_may_fail) {
  const auto div = [&](PrimType type, Atom by) { return Exp(BinOp{BinOpKind::div, type, n, by}); };
  BOOST_TEST(may_fail(div(PrimType::i64, n)));
  BOOST_TEST(!may_fail(div(PrimType::i64, i64(2))));
  BOOST_TEST(!may_fail(div(PrimType::f64, x)));
  BOOST_TEST(may_fail(Index{xs, {n}, true}));
  BOOST_TEST(!may_fail(Index{xs, {n}, false}));
  const Lambda fn = b.lambda({{"i", scalar(PrimType::i64)}}, [&](Builder& inner, const std::vector<Name>& q) {
    return std::vector<Atom>{inner.index("y", xs, {q[0]}, true)};
  });
  BOOST_TEST(may_fail(Map{n, fn, {xs}, {}}));
}

BOOST_AUTO_TEST_CASE(recognises_binary_operators) {
  const auto lambda = [&](BinOpKind kind, int lhs, int rhs) {
    return b.lambda({{"x", real_type}, {"y", real_type}}, [&](Builder& inner, const std::vector<Name>& q) {
      const Name copy = inner.let("copy", AtomExp{q[static_cast<std::size_t>(lhs)]});
      const Name z = inner.let("z", BinOp{kind, PrimType::f64, copy, q[static_cast<std::size_t>(rhs)]});
      return std::vector<Atom>{inner.let("result", AtomExp{z})};
    });
  };
  BOOST_TEST((as_binop(lambda(BinOpKind::add, 0, 1)) == BinOpKind::add));
  BOOST_TEST((as_binop(lambda(BinOpKind::add, 1, 0)) == BinOpKind::add));
  BOOST_TEST((as_binop(lambda(BinOpKind::sub, 0, 1)) == BinOpKind::sub));
  BOOST_TEST(!as_binop(lambda(BinOpKind::sub, 1, 0)));
  BOOST_TEST(!as_binop(lambda(BinOpKind::add, 0, 0)));
}

BOOST_AUTO_TEST_CASE(recognises_vectorised_operators) {
  const Lambda rows = b.lambda({{"xs", pair_type}, {"ys", pair_type}}, [](Builder& inner, const std::vector<Name>& q) {
    return std::vector<Atom>{inner.let("zs", Map{i64(2), binop_lambda(inner, BinOpKind::add, PrimType::f64), {q[0], q[1]}, {}})};
  });
  const auto found = as_vectorised_binop(rows);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->kind == BinOpKind::add));
  BOOST_TEST(found->depth == 1);
  BOOST_TEST(!as_binop(rows));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace builder_tests
