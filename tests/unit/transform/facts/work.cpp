#include "transform/facts/work.hpp"

#include "tests/unit/transform/inspect.hpp"

namespace work_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

struct Bed {
  TestProgram t;
  Callees callees{t.program};
  FunctionMaker f = t.function("main");
  Name n = f.size("n"), m = f.size("m");
  Name x = f.param("x", real), c = f.param("c", truth), xs = f.param("xs", reals({n})), xss = f.param("xss", reals({n, m}));

  Polynomial work() const { return Works(callees).of(f.stms); }
  /// map (\x -> exp x + x) xs
  Name map() {
    const Lambda fn = on_scalars(f, {PrimType::f64}, [](Builder& b, const std::vector<Name>& p) {
      return std::vector<Atom>{b.binop("y", BinOpKind::add, b.math("e", MathFn::exp, {p[0]}), p[0])};
    });
    return f.let("ys", Map{n, fn, {xs}, {}});
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(scalar_functions_take_more_than_additions) {
  const auto work = [](auto make) {
    Bed t;
    make(t);
    return *t.work().constant();
  };
  const auto binop = [&](BinOpKind kind) { return work([&](Bed& t) { t.f.binop("z", kind, t.x, t.x); }); };
  const auto math = [&](MathFn fn) { return work([&](Bed& t) { t.f.math("z", fn, {t.x}); }); };
  BOOST_TEST(binop(BinOpKind::add) == 1);
  BOOST_TEST(binop(BinOpKind::mul) == 1);
  BOOST_TEST(binop(BinOpKind::div) > binop(BinOpKind::mul));
  BOOST_TEST(math(MathFn::floor) == 1);
  BOOST_TEST(math(MathFn::sqrt) == binop(BinOpKind::div));
  BOOST_TEST(math(MathFn::exp) > math(MathFn::sqrt));
  BOOST_TEST(binop(BinOpKind::pow) > math(MathFn::exp));
  BOOST_TEST(work([](Bed& t) { t.f.binop("z", BinOpKind::quot, t.n, i64(4)); }) < work([](Bed& t) { t.f.binop("z", BinOpKind::quot, t.n, t.m); }));
}

BOOST_AUTO_TEST_CASE(views_are_free_and_copies_are_not) {
  Bed t;
  t.f.let("ts", Rearrange{{1, 0}, t.xss});
  t.f.let("row", Index{t.xss, {i64(0)}, false});
  t.f.let("is", Iota{t.n});
  t.f.let("zs", Replicate{{t.n}, t.x});
  BOOST_TEST((t.work() == Polynomial(0)));
  const Name copied = t.f.let("copied", Copy{t.xss});
  const Polynomial n(t.n), m(t.m);
  BOOST_TEST((t.work() == Polynomial(memory_work) * n * m));
  t.f.let("updated", Update{copied, {i64(0)}, t.f.let("row", Index{t.xss, {i64(0)}, false}), false});
  BOOST_TEST((t.work() == Polynomial(memory_work) * (n * m + m)));
}

BOOST_AUTO_TEST_CASE(loops_and_operators_multiply) {
  Bed t;
  t.map();
  const Polynomial n(t.n), m(t.m), once = function_work + 1;
  BOOST_TEST((t.work() == n * once));
  t.f.let("sum", Reduce{t.n, binop_lambda(t.f, BinOpKind::add, PrimType::f64), {f64(0)}, {t.xs}});
  BOOST_TEST((t.work() == n * once + n));
  const LoopParam p{t.f.names.fresh_param("p", real), t.x};
  Builder body(t.f.names);
  const Atom next = body.math("next", MathFn::sin, {p.param.name});
  const Atom twice = t.f.binop("twice", BinOpKind::mul, t.m, i64(2));
  t.f.let("last", Loop{{p}, ForLoop{t.f.names.bind_fresh("i", integer), PrimType::i64, twice}, {body.stms, {next}}});
  BOOST_TEST((t.work() == n * once + n + Polynomial(2 * function_work) * m + Polynomial(1)));
}

BOOST_AUTO_TEST_CASE(the_dearer_branch_counts) {
  Bed t;
  Builder yes(t.f.names), no(t.f.names);
  const Name copied = yes.let("copied", Copy{t.xs});
  const Name other = no.let("other", Copy{t.xs});
  no.math("e", MathFn::exp, {t.x});
  t.f.let("chosen", If{t.c, {yes.stms, {copied}}, {no.stms, {other}}});
  BOOST_TEST((t.work() == Polynomial(memory_work) * Polynomial(t.n) + Polynomial(function_work)));
}

BOOST_AUTO_TEST_CASE(calls_take_what_their_function_takes) {
  Bed t;
  FunctionMaker callee = t.t.function("copy_all");
  const Name size = callee.size("size");
  const Name array = callee.param("array", reals({size}));
  const Name function = callee.returns({callee.let("copied", Copy{array})});
  t.f.let("called", Call{function, {t.n, t.xs}});
  BOOST_TEST((t.work() == Polynomial(memory_work) * Polynomial(t.n)));
}

BOOST_AUTO_TEST_CASE(little_work_does_not_depend_on_sizes) {
  Bed t;
  t.f.binop("y", BinOpKind::add, t.x, t.x);
  BOOST_TEST(takes_at_most(t.work(), 1));
  BOOST_TEST(!takes_at_most(t.work(), 0));
  t.map();
  BOOST_TEST(!takes_at_most(t.work(), less_than_a_load));
}

BOOST_AUTO_TEST_CASE(what_is_repeated_consumes_and_stores_nothing) {
  Bed t;
  t.f.let("view", Rearrange{{0}, t.xs});
  t.f.let("zeros", Replicate{{t.n}, f64(0)});
  t.f.index("read", t.xs, {i64(0)});
  for (const Stm& stm : t.f.stms) BOOST_TEST(is_repeatable(stm));
  BOOST_TEST(is_cheap(t.f.stms));
  t.f.let("copied", Copy{t.xs});
  BOOST_TEST(!is_repeatable(t.f.stms.back()));
  t.f.let("updated", Update{t.xs, {i64(0)}, f64(1), true});
  BOOST_TEST(!is_repeatable(t.f.stms.back()));
}

BOOST_AUTO_TEST_CASE(cheap_in_sum_is_what_loads_take) {
  Bed t;
  for (int k = 0; k < 2; ++k) t.f.math("y", MathFn::exp, {t.x});
  BOOST_TEST(is_cheap(t.f.stms));
  t.f.binop("z", BinOpKind::add, t.x, t.x);
  BOOST_TEST(!is_cheap(t.f.stms));
  BOOST_TEST(is_cheap(t.f.stms, 2));
}

BOOST_AUTO_TEST_CASE(what_is_stored_for_a_statement_are_the_scalars_that_it_uses) {
  Bed t;
  const Atom y = t.f.binop("y", BinOpKind::add, t.x, t.x), z = t.f.binop("z", BinOpKind::mul, y, y);
  const Name row = t.f.let("row", Index{t.xss, {i64(0)}, true});
  const std::vector<Stm> stms = t.f.stms;
  t.f.index("element", row, {i64(0)});
  BOOST_TEST(values_for(t.f.stms.back(), stms) == 1u);
  t.f.binop("both", BinOpKind::add, y, z);
  BOOST_TEST(values_for(t.f.stms.back(), stms) == 2u);
}

}  // namespace work_tests
