#include "transform/facts/dependences.hpp"

#include "tests/unit/transform/inspect.hpp"

namespace dependences_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using boustro::facts::Dependence;
using boustro::facts::dependences_of;

namespace {

/// loop us = xs for i < n do us with [write] = us[read] + ..
struct Bed {
  TestProgram t;
  Builder b{t.names};
  Name n = t.names.bind_fresh("n", integer), k = t.names.bind_fresh("k", integer), i = t.names.bind_fresh("i", integer);
  Name xs = t.names.bind_fresh("xs", reals({n}));
  LoopParam us{t.names.fresh_param("us", reals({n}), true), xs};

  Atom plus(Builder& in, const Atom& x, std::int64_t y) { return in.binop("at", BinOpKind::add, x, i64(y)); }
  Atom scaled(Builder& in, std::int64_t a, const Atom& x, std::int64_t y) {
    return plus(in, in.binop("at", BinOpKind::mul, i64(a), x), y);
  }
  Name step(Builder& in, const Name& array, const Atom& write, const std::vector<Atom>& reads) {
    Atom sum = f64(0);
    for (const Atom& read : reads) sum = in.binop("sum", BinOpKind::add, sum, in.index("u", array, {read}, true));
    return in.let("us", Update{array, {write}, sum, true});
  }
  Loop loop(const Name& next) { return {{us}, ForLoop{i, PrimType::i64, n}, {b.stms, {next}}}; }
};

using Distances = std::vector<std::optional<std::int64_t>>;
Distances distances(const Loop& loop) {
  const auto found = dependences_of(loop, 0);
  BOOST_REQUIRE(found.has_value());
  Distances result;
  for (const Dependence& dependence : *found) result.push_back(dependence.distance);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(neighbours_are_one_iteration_away) {
  Bed t;
  const Name next = t.step(t.b, t.us.param.name, t.i, {t.plus(t.b, t.i, -1), t.i, t.plus(t.b, t.i, 2)});
  BOOST_TEST((distances(t.loop(next)) == Distances{1, 0, -2}));
}

BOOST_AUTO_TEST_CASE(places_that_never_meet_do_not_depend) {
  Bed t;
  const Atom even = t.scaled(t.b, 2, t.i, 0), odd = t.scaled(t.b, 2, t.i, 1), later = t.scaled(t.b, 2, t.i, 4);
  BOOST_TEST((distances(t.loop(t.step(t.b, t.us.param.name, even, {odd, later}))) == Distances{-2}));
}

BOOST_AUTO_TEST_CASE(places_that_are_not_linear_may_be_anywhere) {
  Bed t;
  const Name is = t.t.names.bind_fresh("is", integers({t.n}));
  const Atom gathered = t.b.index("g", is, {t.i}), other_stride = t.scaled(t.b, 2, t.i, 0);
  const Name next = t.step(t.b, t.us.param.name, t.i, {gathered, other_stride, t.k});
  BOOST_TEST((distances(t.loop(next)) == Distances(3)));
}

BOOST_AUTO_TEST_CASE(invariant_places_meet_always_or_never) {
  Bed t;
  const Name next = t.step(t.b, t.us.param.name, t.k, {t.k, t.plus(t.b, t.k, 1)});
  BOOST_TEST((distances(t.loop(next)) == Distances(1)));
}

BOOST_AUTO_TEST_CASE(what_other_iterations_compute_varies) {
  Bed t;
  const LoopParam s{t.t.names.fresh_param("s", integer), i64(0)};
  const Name next = t.step(t.b, t.us.param.name, s.param.name, {s.param.name});
  Loop loop = t.loop(next);
  loop.params.push_back(s);
  loop.body.result.push_back(t.i);
  BOOST_TEST((distances(loop) == Distances(1)));
}

BOOST_AUTO_TEST_CASE(inner_loops_and_branches_are_looked_into) {
  Bed t;
  const Type type = reals({t.n, t.n});
  const LoopParam outer{t.t.names.fresh_param("us", type, true), t.t.names.bind_fresh("xss", type)};
  const LoopParam inner{t.t.names.fresh_param("us", type, true), outer.param.name};
  const Name j = t.t.names.bind_fresh("j", integer);
  Builder body(t.t.names), yes(t.t.names);
  const Name u = body.index("u", inner.param.name, {t.plus(body, t.i, -1), t.plus(body, j, 1)});
  const Name updated = yes.let("us", Update{inner.param.name, {t.i, j}, u, true});
  const Name c = t.t.names.bind_fresh("c", truth);
  const Name either = body.let("us", If{c, {yes.stms, {updated}}, {{}, {inner.param.name}}});
  const Name last = t.b.let("us", Loop{{inner}, ForLoop{j, PrimType::i64, t.n}, {body.stms, {either}}});
  const Loop loop{{outer}, ForLoop{t.i, PrimType::i64, t.n}, {t.b.stms, {last}}};
  BOOST_TEST((distances(loop) == Distances{1}));
}

BOOST_AUTO_TEST_CASE(of_rows_the_indices_that_both_have_tell) {
  Bed t;
  const Type type = reals({t.n, t.n});
  const LoopParam us{t.t.names.fresh_param("us", type, true), t.t.names.bind_fresh("xss", type)};
  const Name row = t.b.let("row", Index{us.param.name, {t.plus(t.b, t.i, -1)}, true});
  t.b.index("u", us.param.name, {t.i, t.k}, true);
  t.b.let("column", Index{us.param.name, {Slice{i64(0), t.n, i64(1)}, t.i}, true});
  const Name next = t.b.let("us", Update{us.param.name, {t.i}, row, true});
  BOOST_TEST((distances({{us}, ForLoop{t.i, PrimType::i64, t.n}, {t.b.stms, {next}}}) == Distances{1, 0, std::nullopt}));
}

BOOST_AUTO_TEST_CASE(all_indices_must_be_the_same_distance_away) {
  Bed t;
  const Type type = reals({t.n, t.n});
  const LoopParam us{t.t.names.fresh_param("us", type, true), t.t.names.bind_fresh("xss", type)};
  const Atom before = t.plus(t.b, t.i, -1), twice_before = t.plus(t.b, t.i, -2);
  t.b.index("u", us.param.name, {before, twice_before}, true);
  const Name u = t.b.index("u", us.param.name, {before, before}, true);
  const Name next = t.b.let("us", Update{us.param.name, {t.i, t.i}, u, true});
  BOOST_TEST((distances({{us}, ForLoop{t.i, PrimType::i64, t.n}, {t.b.stms, {next}}}) == Distances{1}));
}

BOOST_AUTO_TEST_CASE(arrays_that_are_used_as_a_whole_are_refused) {
  Bed t;
  t.b.let("total", Reduce{t.n, binop_lambda(t.b, BinOpKind::add, PrimType::f64), {f64(0)}, {t.us.param.name}});
  BOOST_TEST(!dependences_of(t.loop(t.step(t.b, t.us.param.name, t.i, {})), 0).has_value());
  Bed itself;
  const DimIndex all = Slice{i64(0), itself.n, i64(1)};
  const Name next = itself.b.let("us", Update{itself.us.param.name, {all}, itself.us.param.name, true});
  BOOST_TEST(!dependences_of(itself.loop(next), 0).has_value());
}

/// What is read under a name that is no version of the array would not be seen.
BOOST_AUTO_TEST_CASE(other_names_for_the_array_are_refused) {
  enum class By { nothing, copy, coerce, branch, other_branch, start, next, point, result_of_step };
  for (const By by : {By::nothing, By::copy, By::coerce, By::branch, By::other_branch, By::start, By::next, By::point, By::result_of_step}) {
    Bed t;
    const Name us = t.us.param.name;
    const Name c = t.t.names.bind_fresh("c", truth), j = t.t.names.bind_fresh("j", integer);
    const LoopParam vs{t.t.names.fresh_param("vs", reals({t.n})), by == By::start ? us : t.xs};
    const auto inner = [&](const Atom& next) { t.b.let("other", Loop{{vs}, ForLoop{j, PrimType::i64, t.k}, {{}, {next}}}); };
    switch (by) {
      case By::copy: t.b.let("other", AtomExp{us}); break;
      case By::coerce: t.b.let("other", Coerce{{t.n}, us}); break;
      case By::branch: t.b.let("other", If{c, {{}, {us}}, {{}, {t.xs}}}); break;
      case By::other_branch: t.b.let("other", If{c, {{}, {t.xs}}, {{}, {us}}}); break;
      case By::start: inner(t.xs); break;
      case By::next: inner(us); break;
      case By::point:
        t.b.let("other", Map{t.n, t.b.lambda({{"x", real}}, [&](Builder&, const std::vector<Name>&) { return std::vector<Atom>{us}; }), {t.xs}, {}});
        break;
      default: break;
    }
    Loop loop = t.loop(t.step(t.b, us, t.i, {}));
    if (by == By::result_of_step) {
      loop.params.push_back({t.t.names.fresh_param("ws", reals({t.n})), t.xs});
      loop.body.result.push_back(us);
    }
    BOOST_TEST(dependences_of(loop, 0).has_value() == (by == By::nothing), static_cast<int>(by));
  }
}

/// Of all pairs of iterations that meet, for random linear places.
BOOST_AUTO_TEST_CASE(distances_are_those_of_all_meetings) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    std::mt19937 random(seed);
    const auto some = [&](int from, int to) { return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1)); };
    const int a = some(-2, 2), b = some(-3, 3), c = some(-2, 2), d = some(-3, 3);
    Bed t;
    const Atom write = t.scaled(t.b, a, t.i, b), read = t.scaled(t.b, c, t.i, d);
    const Distances claimed = distances(t.loop(t.step(t.b, t.us.param.name, write, {read})));
    for (int w = 0; w < 8; ++w)
      for (int r = 0; r < 8; ++r) {
        if (a * w + b != c * r + d) continue;
        BOOST_REQUIRE(claimed.size() == 1U);
        if (claimed[0]) BOOST_TEST(*claimed[0] == r - w);
      }
  }
}

}  // namespace dependences_tests
