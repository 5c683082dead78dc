#include "tests/unit/transform/inspect.hpp"
#include "transform/simplify/simplify.hpp"

namespace control_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;

namespace {

Program simplified(const Program& p, const std::vector<Arguments>& runs = {}) {
  return after([](Program q) { return boustro::simplify::simplify(std::move(q)); }, p, runs);
}

/// loop x = start for i < bound do x * 2 + i
Name counting_loop(FunctionMaker& f, const Atom& start, const Atom& bound) {
  const Param x = f.names.fresh_param("x", integer);
  const Name i = f.names.bind_fresh("i", integer);
  Builder body(f.names);
  const Atom twice = body.binop("twice", BinOpKind::mul, x.name, i64(2));
  const Atom next = body.binop("next", BinOpKind::add, twice, i);
  return f.let("last", Loop{{{x, start}}, ForLoop{i, PrimType::i64, bound}, {body.stms, {next}}});
}

Body yielding(std::vector<Atom> results) { return {{}, std::move(results)}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(control)

BOOST_AUTO_TEST_CASE(loops_of_known_count_unroll) {
  for (const std::int64_t bound : {-1, 0, 1, 2}) {
    TestProgram p;
    FunctionMaker f = p.function("main");
    const Name x = f.param("x", integer);
    f.returns({counting_loop(f, x, i64(bound))});
    BOOST_TEST(count<Loop>(simplified(p.program, {{i64_value(3)}})) == (bound == 2 ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(constant_condition_takes_its_branch) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", integer);
  const Atom yes = f.cmp("yes", CmpOpKind::le, i64(1), i64(2));
  f.returns({f.let("y", If{yes, yielding({x}), yielding({i64(0)})})});
  BOOST_TEST(statements(simplified(p.program, {{i64_value(3)}})) == 0);
}

BOOST_AUTO_TEST_CASE(condition_is_known_inside_of_its_branches) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name c = f.param("c", truth), x = f.param("x", integer), y = f.param("y", integer);
  Builder inner(p.names);
  const Name z = inner.let("z", If{c, yielding({x}), yielding({y})});
  const Atom w = inner.binop("w", BinOpKind::add, z, i64(1));
  f.returns({f.let("r", If{c, {inner.stms, {w}}, yielding({y})})});
  const auto yes = boustro::values::Value::of(PrimValue::of_bool(true));
  const auto no = boustro::values::Value::of(PrimValue::of_bool(false));
  const Program q =
      simplified(p.program, {{yes, i64_value(1), i64_value(2)}, {no, i64_value(1), i64_value(2)}});
  BOOST_TEST(count<If>(q) == 1);
}

BOOST_AUTO_TEST_CASE(equal_results_leave_branches) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name c = f.param("c", truth), x = f.param("x", integer), y = f.param("y", integer);
  const auto r = f.let_all({"a", "b"}, If{c, yielding({x, x}), yielding({x, y})});
  f.returns({f.binop("s", BinOpKind::add, r[0], r[1])});
  const Program q = simplified(p.program);
  BOOST_TEST(q.functions[0].body.stms[0].pattern.size() == 1u);
}

BOOST_AUTO_TEST_CASE(branches_that_protect_from_failure_stay) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", integer);
  const Atom zero = f.cmp("zero", CmpOpKind::eq, x, i64(0));
  Builder dividing(p.names);
  const Atom q = dividing.binop("q", BinOpKind::div, i64(10), x);
  const Atom big = dividing.cmp("big", CmpOpKind::lt, i64(3), q);
  f.returns({f.let("r", If{zero, yielding({PrimValue::of_bool(false)}), {dividing.stms, {big}}})});
  simplified(p.program, {{i64_value(0)}, {i64_value(2)}, {i64_value(20)}});
}

BOOST_AUTO_TEST_CASE(invariant_loop_parameters_leave) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", integer), y = f.param("y", integer);
  const Param a = p.names.fresh_param("a", integer), b = p.names.fresh_param("b", integer);
  const Name i = p.names.bind_fresh("i", integer);
  Builder body(p.names);
  const Atom next = body.binop("next", BinOpKind::mul, b.name, a.name);
  const auto r = f.let_all(
      {"a_last", "b_last"},
      Loop{{{a, y}, {b, i64(1)}}, ForLoop{i, PrimType::i64, n}, {body.stms, {a.name, next}}});
  f.returns({f.binop("s", BinOpKind::add, r[0], r[1])});
  const Program q =
      simplified(p.program, {{i64_value(0), i64_value(3)}, {i64_value(4), i64_value(3)}});
  BOOST_TEST(q.functions[0].body.stms[0].pattern.size() == 1u);
}

BOOST_AUTO_TEST_CASE(loop_results_that_only_feed_themselves_die) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", integer);
  const Param a = p.names.fresh_param("a", integer), b = p.names.fresh_param("b", integer);
  const Name i = p.names.bind_fresh("i", integer);
  Builder body(p.names);
  const Atom a_next = body.binop("a_next", BinOpKind::add, a.name, i64(3));
  const Atom b_next = body.binop("b_next", BinOpKind::mul, b.name, a.name);
  const auto r = f.let_all({"a_last", "b_last"}, Loop{{{a, i64(0)}, {b, i64(1)}},
                                                      ForLoop{i, PrimType::i64, n},
                                                      {body.stms, {a_next, b_next}}});
  f.returns({r[0]});
  const Program q = simplified(p.program, {{i64_value(4)}});
  BOOST_TEST(statements(q) == 2);
}

BOOST_AUTO_TEST_CASE(loop_results_that_feed_live_ones_stay) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.param("n", integer);
  const Param a = p.names.fresh_param("a", integer), b = p.names.fresh_param("b", integer);
  const Name i = p.names.bind_fresh("i", integer);
  Builder body(p.names);
  const Atom sum = body.binop("sum", BinOpKind::add, a.name, b.name);
  const auto r = f.let_all(
      {"a_last", "b_last"},
      Loop{{{a, i64(0)}, {b, i64(1)}}, ForLoop{i, PrimType::i64, n}, {body.stms, {b.name, sum}}});
  f.returns({r[0]});
  const Program q = simplified(p.program, {{i64_value(10)}});
  BOOST_TEST(q.functions[0].body.stms[0].pattern.size() == 2u);
}

BOOST_AUTO_TEST_CASE(assertions_live_as_long_as_their_scope) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", integer);
  const Atom good = f.cmp("good", CmpOpKind::lt, i64(0), x);
  f.add({{}, Assert{good, "too small", {}}, {}, {}});
  f.returns({x});
  const Program q = simplified(p.program, {{i64_value(1)}});
  BOOST_TEST(count<Assert>(q) == 1);
  BOOST_CHECK_THROW(run_entry(q, "main", {i64_value(0)}), RuntimeFailure);
}

BOOST_AUTO_TEST_CASE(dead_results_of_functions_die) {
  TestProgram p;
  FunctionMaker g = p.function("g");
  const Name y = g.param("y", real), z = g.param("z", real);
  const Name callee =
      g.returns({g.binop("s", BinOpKind::add, y, y), g.math("t", MathFn::sin, {z})});
  p.program.functions.back().entry.reset();
  FunctionMaker f = p.function("main");
  const Name x = f.param("x", real);
  f.returns({f.let_all({"a", "b"}, Call{callee, {x, x}})[0]});
  const Program q = simplified(p.program, {{f64_value(2)}});
  BOOST_TEST(q.functions[0].params.size() == 1u);
  BOOST_TEST(q.functions[0].result_types.size() == 1u);
  BOOST_TEST(statements(q) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// with_acc over `inputs` zero arrays of n, in it a map over iota n that adds i to each at i.
struct Histogramming : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name xs = f.param("xs", reals({n}));

  std::vector<Name> sums(int inputs, const std::function<Atom(Builder&, int, const Name&)>& value,
                         const AccumulatorKind& kind = AddUp{}) {
    std::vector<AccumulatorInput> in;
    std::vector<std::pair<std::string, Type>> params;
    for (int k = 0; k < inputs; ++k) {
      in.push_back({f.let("zeros", Replicate{{n}, f64(0)}), kind});
      Type type = reals({n});
      type.accumulator = true;
      params.emplace_back("acc", type);
    }
    const Name is = f.let("is", Iota{n});
    const Lambda fn = f.lambda(params, [&](Builder& b, const std::vector<Name>& accs) {
      auto inner = params;
      inner.emplace_back("i", integer);
      inner.emplace_back("x", real);
      const Lambda each = b.lambda(inner, [&](Builder& c, const std::vector<Name>& q) {
        const auto count = static_cast<std::size_t>(inputs);
        std::vector<Atom> results;
        for (std::size_t k = 0; k < count; ++k) {
          const Atom v = value(c, static_cast<int>(k), q[count + 1]);
          results.push_back(c.let("acc", UpdateAcc{q[k], {q[count]}, v, true}));
        }
        return results;
      });
      const auto done = b.let_all({"acc"}, Map{n, each, {is, xs}, accs});
      return std::vector<Atom>(done.begin(), done.end());
    });
    return f.let_all({"sums"}, WithAcc{in, fn});
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(accumulators)

BOOST_AUTO_TEST_CASE(unread_accumulator_dies_through_maps) {
  Histogramming p;
  const auto sums = p.sums(2, [](Builder& b, int k, const Name& x) {
    return k == 0 ? Atom(x) : b.math("y", MathFn::sin, {x});
  });
  p.f.returns({sums[0]});
  const Program q = simplified(p.program, {{some_f64s({3})}, {some_f64s({0})}});
  BOOST_TEST(count<MathOp>(q) == 0);
  BOOST_TEST(count<UpdateAcc>(q) == 1);
  BOOST_TEST(count<Replicate>(q) == 1);
}

BOOST_AUTO_TEST_CASE(zeros_are_not_added) {
  Histogramming p;
  p.f.returns({p.sums(1, [](Builder&, int, const Name&) { return f64(0); })[0]});
  const Program q = simplified(p.program, {{some_f64s({3})}});
  BOOST_TEST(count<WithAcc>(q) == 0);
  BOOST_TEST(count<Map>(q) == 0);
}

BOOST_AUTO_TEST_CASE(operators_that_add_become_additions) {
  for (const BinOpKind kind : {BinOpKind::add, BinOpKind::max}) {
    Histogramming p;
    const Lambda op = binop_lambda(p.f, kind, PrimType::f64);
    const auto itself = [](Builder&, int, const Name& x) { return Atom(x); };
    p.f.returns({p.sums(1, itself, Combine{op, f64(0)})[0]});
    const Program q = simplified(p.program, {{some_f64s({3})}});
    const Stm& last = q.functions[0].body.stms.back();
    BOOST_TEST(std::holds_alternative<AddUp>(std::get<WithAcc>(last.exp).inputs[0].kind) ==
               (kind == BinOpKind::add));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace control_tests
