#include "transform/facts/aliases.hpp"

#include "frontend/source/diagnostics.hpp"
#include "tests/unit/transform/inspect.hpp"

namespace aliases_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::facts::Aliases;
using boustro::facts::consumed_by;

namespace {

using Shared = std::vector<Name>;

NameSet set(std::initializer_list<Name> names) { return NameSet(names); }

/// A function in the making with two arrays and a condition.
struct Bed : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name c = f.param("c", truth);
  Name xs = f.param("xs", reals({n}), true), ys = f.param("ys", reals({n}), true);

  Aliases aliases() const { return Aliases(f.stms, program); }
  /// xs with [0] = 1
  Name update(Builder& b, const Name& array) { return b.let("updated", Update{array, {i64(0)}, f64(1), true}); }
  template <typename Fill>
  Body body(Fill&& fill) {
    Builder b(names);
    std::vector<Atom> results = fill(b);
    return {b.stms, results};
  }
  /// The statement made last.
  const Exp& last() const { return f.stms.back().exp; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(views_lie_in_the_memory_of_their_array) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xss = f.param("xss", reals({n, n}));
  const Name row = f.let("row", Index{xss, {i64(0)}, false});
  const Name part = f.let("part", Index{xss, {Slice{i64(0), n, i64(1)}, i64(0)}, false});
  const Name columns = f.let("columns", Rearrange{{1, 0}, xss});
  const Name flat = f.let("flat", Reshape{{f.binop("nn", BinOpKind::mul, n, n)}, columns});
  const Name coerced = f.let("coerced", Coerce{{n, n}, xss});
  const Name same = f.let("same", AtomExp{xss});
  const Name copied = f.let("copied", Copy{xss});
  const Name element = f.let("element", Index{row, {i64(0)}, false});
  const Name filled = f.let("filled", Replicate{{n}, element});
  const Aliases aliases(f.stms, p.program);
  for (const Name& view : {row, part, columns, flat, coerced, same}) {
    BOOST_TEST_INFO_SCOPE(view.base);
    BOOST_TEST(aliases.may_alias(view, xss));
    BOOST_TEST(aliases.may_alias(row, view));
    BOOST_TEST((aliases.roots(view) == set({xss})));
  }
  for (const Name& fresh : {copied, filled}) {
    BOOST_TEST_INFO_SCOPE(fresh.base);
    BOOST_TEST(!aliases.may_alias(fresh, xss));
    BOOST_TEST((aliases.roots(fresh) == set({fresh})));
  }
}

BOOST_AUTO_TEST_CASE(an_update_consumes_all_names_of_its_array_and_yields_another_one) {
  Bed t;
  const Name view = t.f.let("view", AtomExp{t.xs});
  const Name updated = t.update(t.f, view);
  const Aliases aliases = t.aliases();
  BOOST_TEST(aliases.is_consumed(t.xs));
  BOOST_TEST(aliases.is_consumed(view));
  BOOST_TEST(!aliases.is_consumed(updated));
  BOOST_TEST(!aliases.is_consumed(t.ys));
  BOOST_TEST(!aliases.may_alias(updated, t.xs));
}

BOOST_AUTO_TEST_CASE(a_branch_may_yield_either_array) {
  Bed t;
  const Name either = t.f.let("either", If{t.c, {{}, {t.xs}}, {{}, {t.ys}}});
  BOOST_TEST((t.aliases().roots(either) == set({t.xs, t.ys})));
  BOOST_TEST(!t.aliases().may_alias(t.xs, t.ys));
  BOOST_TEST(consumed_by(t.last(), t.program).empty());
  t.update(t.f, either);
  BOOST_TEST(t.aliases().is_consumed(t.xs));
  BOOST_TEST(t.aliases().is_consumed(t.ys));
}

BOOST_AUTO_TEST_CASE(what_one_branch_consumes_and_the_other_yields_is_the_results_own) {
  Bed t;
  Body updating = t.body([&](Builder& b) { return std::vector<Atom>{t.update(b, t.xs)}; });
  const Name result = t.f.let("result", If{t.c, updating, {{}, {t.xs}}});
  BOOST_TEST((consumed_by(t.last(), t.program) == Shared{t.xs}));
  BOOST_TEST(!t.aliases().may_alias(result, t.xs));
  BOOST_TEST(!t.aliases().is_consumed(result));
}

BOOST_AUTO_TEST_CASE(a_branch_consumes_through_its_own_views_branches_and_loops) {
  Bed t;
  Body updating = t.body([&](Builder& b) {
    const LoopParam p{b.names.fresh_param("p", reals({t.n})), t.ys};
    const LoopParam q{b.names.fresh_param("q", reals({t.n})), t.ys};
    const Name i = b.names.bind_fresh("i", integer);
    const Name view = b.let("view", Rearrange{{0}, t.xs});
    // After an iteration, p is what q was before.
    const auto last = b.let_all({"last"}, Loop{{p, q}, ForLoop{i, PrimType::i64, t.n}, {{}, {q.param.name, view}}});
    const Name inner = b.let("inner", If{t.c, {{}, {last[0]}}, {{}, {last[0]}}});
    return std::vector<Atom>{t.update(b, inner)};
  });
  t.f.let("result", If{t.c, updating, t.body([&](Builder& b) {
                         return std::vector<Atom>{b.let("copied", Copy{t.ys})};
                       })});
  auto consumed = consumed_by(t.last(), t.program);
  BOOST_TEST((NameSet(consumed.begin(), consumed.end()) == set({t.xs, t.ys})));
}

BOOST_AUTO_TEST_CASE(a_loop_may_yield_what_any_iteration_gave_it) {
  Bed t;
  const LoopParam p{t.names.fresh_param("p", reals({t.n})), t.xs}, q{t.names.fresh_param("q", reals({t.n})), t.ys};
  const Name i = t.names.bind_fresh("i", integer);
  const auto last = t.f.let_all({"last"}, Loop{{p, q}, ForLoop{i, PrimType::i64, t.n}, {{}, {q.param.name, p.param.name}}});
  for (const Name& name : {last[0], last[1], p.param.name, q.param.name}) {
    BOOST_TEST_INFO_SCOPE(to_string(name));
    BOOST_TEST((t.aliases().roots(name) == set({t.xs, t.ys})));
  }
  BOOST_TEST(consumed_by(t.last(), t.program).empty());
}

BOOST_AUTO_TEST_CASE(a_loop_that_updates_owns_its_array) {
  Bed t;
  const LoopParam p{t.names.fresh_param("p", reals({t.n}), true), t.xs};
  const Name i = t.names.bind_fresh("i", integer);
  Body updating = t.body([&](Builder& b) { return std::vector<Atom>{t.update(b, p.param.name)}; });
  const Name last = t.f.let("last", Loop{{p}, ForLoop{i, PrimType::i64, t.n}, updating});
  BOOST_TEST((consumed_by(t.last(), t.program) == Shared{t.xs}));
  BOOST_TEST((t.aliases().roots(last) == set({last})));
  BOOST_TEST(!t.aliases().may_alias(p.param.name, t.xs));
}

BOOST_AUTO_TEST_CASE(rows_in_a_map_are_views) {
  TestProgram p;
  FunctionMaker f = p.function("main");
  const Name n = f.size("n");
  const Name xss = f.param("xss", reals({n, n}));
  Name row, fresh;
  const Lambda fn = f.lambda({{"row", reals({n})}}, [&](Builder& b, const std::vector<Name>& params) {
    row = params[0];
    fresh = b.let("fresh", Copy{row});
    return std::vector<Atom>{row};
  });
  const Name mapped = f.let("mapped", Map{n, fn, {xss}, {}});
  const Aliases aliases(f.stms, p.program);
  BOOST_TEST(aliases.may_alias(row, xss));
  BOOST_TEST(!aliases.may_alias(fresh, xss));
  BOOST_TEST(!aliases.may_alias(mapped, xss));
}

BOOST_AUTO_TEST_CASE(the_body_of_a_with_acc_runs_once) {
  Bed t;
  Type type = reals({t.n});
  type.accumulator = true;
  Name other;
  const Lambda fn = t.f.lambda({{"acc", type}}, [&](Builder& b, const std::vector<Name>& acc) {
    const Name view = b.let("view", Coerce{{t.n}, t.ys});
    other = t.update(b, view);
    return std::vector<Atom>{b.let("acc", UpdateAcc{acc[0], {i64(0)}, f64(1), false}), other};
  });
  const auto results = t.f.let_all({"sums", "others"}, WithAcc{{{t.xs, AddUp{}}}, fn});
  BOOST_TEST((consumed_by(t.last(), t.program) == Shared{t.xs, t.ys}));
  BOOST_TEST(t.aliases().may_alias(results[1], other));
  BOOST_TEST(!t.aliases().may_alias(results[0], t.xs));
}

BOOST_AUTO_TEST_CASE(a_nest_consumes_its_destinations) {
  Bed t;
  const Lambda point = t.f.lambda({{"i", integer}}, [](Builder&, const std::vector<Name>& params) {
    return std::vector<Atom>{params[0], f64(1)};
  });
  Out out;
  out.kind = OutKind::scatter;
  out.bins = {t.n};
  out.destinations = {t.xs};
  const Name written = t.f.let("written", Nest{Level::thread, Level::thread, {t.n}, point, {}, {out}});
  BOOST_TEST((consumed_by(t.last(), t.program) == Shared{t.xs}));
  BOOST_TEST(t.aliases().is_consumed(t.xs));
  BOOST_TEST(!t.aliases().may_alias(written, t.xs));
}

// ---- Calls

namespace {

/// pick xs ys = (ys, copied, copied), where copied = copy xs
struct Calling : Bed {
  Calling() {
    FunctionMaker callee = function("pick");
    const Name m = callee.size("m");
    const Name first = callee.param("first", reals({m})), second = callee.param("second", reals({m}));
    const Name copied = callee.let("copied", Copy{first});
    pick = callee.returns({callee.let("same", AtomExp{second}), copied, copied});
  }
  Name pick;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_call_yields_what_its_function_does) {
  Calling t;
  const auto results = t.f.let_all({"a", "b", "c"}, Call{t.pick, {t.n, t.xs, t.ys}});
  const Aliases aliases = t.aliases();
  BOOST_TEST(aliases.may_alias(results[0], t.ys));
  BOOST_TEST(!aliases.may_alias(results[0], t.xs));
  BOOST_TEST(!aliases.may_alias(results[1], t.xs));
  BOOST_TEST(!aliases.may_alias(results[1], t.ys));
  BOOST_TEST(aliases.may_alias(results[1], results[2]));
  BOOST_TEST(!aliases.may_alias(results[0], results[2]));
}

BOOST_AUTO_TEST_CASE(a_branch_consumes_through_calls) {
  Calling t;
  Body updating = t.body([&](Builder& b) {
    const auto results = b.let_all({"a", "b", "c"}, Call{t.pick, {t.n, t.xs, t.ys}});
    return std::vector<Atom>{t.update(b, results[0])};
  });
  t.f.let("result", If{t.c, updating, t.body([&](Builder& b) { return std::vector<Atom>{b.let("copied", Copy{t.xs})}; })});
  BOOST_TEST((consumed_by(t.last(), t.program) == Shared{t.ys}));
}

BOOST_AUTO_TEST_CASE(a_call_consumes_what_its_function_updates) {
  Bed t;
  FunctionMaker callee = t.function("set");
  const Name m = callee.size("m");
  const Name array = callee.param("array", reals({m}), true);
  const Name set_ = callee.returns({t.update(callee, array)});
  const Name view = t.f.let("view", AtomExp{t.xs});
  const Name result = t.f.let("result", Call{set_, {t.n, view}});
  BOOST_TEST((consumed_by(t.last(), t.program) == Shared{view}));
  BOOST_TEST(t.aliases().is_consumed(t.xs));
  BOOST_TEST(!t.aliases().may_alias(result, t.xs));
}

BOOST_AUTO_TEST_CASE(an_unknown_function_is_an_error_of_ours) {
  Bed t;
  t.f.stms.push_back({{{t.names.bind_fresh("r", real), real, false}}, Call{t.names.fresh("nobody"), {}}, {}, {}});
  BOOST_CHECK_THROW(t.aliases(), boustro::source::InternalError);
}

// ---- Settled arrays

BOOST_AUTO_TEST_CASE(arrays_are_settled_if_no_alias_is_ever_consumed) {
  Bed t;
  const Name kept = t.f.let("kept", Copy{t.ys});
  const Name view = t.f.let("view", AtomExp{t.xs});
  const Name updated = t.update(t.f, view);
  t.f.returns({updated, kept});
  const Aliases aliases(t.program);
  BOOST_TEST(!aliases.settled(t.xs));
  BOOST_TEST(!aliases.settled(view));
  BOOST_TEST(!aliases.settled(t.ys));  // its caller has given it up
  BOOST_TEST(aliases.settled(kept));
  BOOST_TEST(aliases.settled(updated));
  BOOST_TEST(!aliases.settled(t.names.fresh("unknown")));
}

BOOST_AUTO_TEST_CASE(the_next_value_of_an_updated_parameter_is_not_settled) {
  Bed t;
  const LoopParam p{t.names.fresh_param("p", reals({t.n}), true), t.xs};
  const Name i = t.names.bind_fresh("i", integer);
  Name made, next, row;
  Body making = t.body([&](Builder& b) {
    t.update(b, p.param.name);
    made = b.let("made", Replicate{{t.n}, f64(0)});
    next = b.let("next", AtomExp{made});
    row = b.let("row", Index{next, {Slice{i64(0), i64(1), i64(1)}}, false});
    return std::vector<Atom>{next};
  });
  t.f.returns({t.f.let("last", Loop{{p}, ForLoop{i, PrimType::i64, t.n}, making})});
  const Aliases aliases(t.program);
  BOOST_TEST(!aliases.settled(made));
  BOOST_TEST(!aliases.settled(next));
  BOOST_TEST(aliases.settled(row));  // which ends with the iteration
}

BOOST_AUTO_TEST_CASE(what_callers_consume_is_not_settled_in_the_function) {
  Calling t;
  const Name given = t.f.let("given", Copy{t.xs}), other = t.f.let("other", Copy{t.xs});
  const auto results = t.f.let_all({"a", "b", "c"}, Call{t.pick, {t.n, other, given}});
  t.update(t.f, results[1]);
  t.f.returns({t.update(t.f, given)});
  const Aliases aliases(t.program);
  const Body& callee = t.program.functions.at(0).body;
  const std::vector<Param>& params = t.program.functions[0].params;
  BOOST_TEST(!aliases.settled(std::get<Name>(callee.result.at(1))));
  BOOST_TEST(!aliases.settled(params.at(2).name));
  BOOST_TEST(aliases.settled(params.at(1).name));
}

BOOST_AUTO_TEST_CASE(a_united_array_is_a_view) {
  Bed t;
  const Name made = t.f.let("made", Replicate{{t.n}, f64(0)});
  const Name copied = t.f.let("copied", Copy{made});
  t.f.returns({copied, made});
  Aliases aliases(t.program);
  BOOST_TEST(!aliases.may_alias(copied, made));
  aliases.unite(copied, made);
  BOOST_TEST((aliases.roots(copied) == set({made})));
}

}  // namespace aliases_tests
