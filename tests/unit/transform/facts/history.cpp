#include "transform/facts/history.hpp"

#include <map>

#include "tests/unit/transform/inspect.hpp"

namespace history_tests {

using namespace boustro::ir;
using namespace boustro::ir::testing;
using namespace boustro::facts;

namespace {

/// A function with an array to update, and two accumulators.
struct Bed : TestProgram {
  FunctionMaker f = function("main");
  Name n = f.size("n");
  Name c = f.param("c", truth), xs = f.param("xs", reals({n}), true), ys = f.param("ys", reals({n}));
  Type type = accumulator();
  Name a = names.bind_fresh("a", type), b = names.bind_fresh("b", type);

  Type accumulator() const {
    Type result = reals({n});
    result.accumulator = true;
    return result;
  }
  static Name set(Builder& builder, const Name& array) {
    return builder.let("set", Update{array, {i64(0)}, f64(1), true});
  }
  static Name add(Builder& builder, const Name& acc) {
    return builder.let("added", UpdateAcc{acc, {i64(0)}, f64(1), false});
  }
  template <typename Fill>
  Body body(Fill&& fill) {
    Builder builder(names);
    std::vector<Atom> results = fill(builder);
    return {builder.stms, results};
  }
  using Found = std::optional<Name>;
  Found array_from(const Name& last) const { return History(array_before).origin(f.stms, last); }
  Found accumulator_from(const Name& last) const { return History(accumulator_before).origin(f.stms, last); }
};

std::vector<Atom> only(const Name& name) { return {name}; }

}  // namespace

BOOST_AUTO_TEST_CASE(an_array_stays_where_it_is_written_to) {
  Bed t;
  const Name set = Bed::set(t.f, t.xs);
  const Name coerced = t.f.let("coerced", Coerce{{t.n}, set});
  const Name same = t.f.let("same", AtomExp{coerced});
  const Name is = t.f.let("is", Iota{t.n});
  const Name scattered = t.f.let("scattered", Scatter{t.n, {is}, {same}, {t.ys}});
  BOOST_TEST((t.array_from(scattered) == t.xs));
  BOOST_TEST((t.array_from(t.ys) == t.ys));
  for (const Name& other : {t.f.let("copied", Copy{scattered}), t.f.let("back", Rearrange{{0}, scattered})})
    BOOST_TEST(!t.array_from(other).has_value());
}

BOOST_AUTO_TEST_CASE(both_branches_must_continue_the_array) {
  Bed t;
  const Name either = t.f.let("either", If{t.c, t.body([&](Builder& b) { return only(Bed::set(b, t.xs)); }), {{}, {t.xs}}});
  BOOST_TEST((t.array_from(either) == t.xs));
  const If other{t.c, {{}, {t.xs}}, {{}, {t.ys}}};
  BOOST_TEST(!array_before_branches(other, 0).has_value());
  BOOST_TEST(!t.array_from(t.f.let("other", other)).has_value());
}

BOOST_AUTO_TEST_CASE(every_iteration_must_continue_the_array) {
  Bed t;
  const auto loop = [&](auto fill) {
    const LoopParam p{t.names.fresh_param("p", reals({t.n}), true), t.xs};
    const Name i = t.names.bind_fresh("i", integer);
    return Loop{{p}, ForLoop{i, PrimType::i64, t.n}, t.body([&](Builder& b) { return only(fill(b, p.param.name)); })};
  };
  const Loop updating = loop([](Builder& b, const Name& p) { return Bed::set(b, p); });
  const Loop replacing = loop([&](Builder& b, const Name&) { return b.let("zs", Copy{t.ys}); });
  BOOST_TEST(updates_in_place(updating, 0));
  BOOST_TEST(!updates_in_place(replacing, 0));
  BOOST_TEST((t.array_from(t.f.let("last", updating)) == t.xs));
  BOOST_TEST(!t.array_from(t.f.let("last", replacing)).has_value());
}

BOOST_AUTO_TEST_CASE(accumulators_are_followed_through_all_that_passes_them_on) {
  Bed t;
  // Both go through a map that adds to the first one, and exchanges nothing.
  const Lambda fn = t.f.lambda({{"p", t.type}, {"q", t.type}, {"x", real}}, [](Builder& b, const std::vector<Name>& params) {
    return std::vector<Atom>{Bed::add(b, params[0]), params[1]};
  });
  const auto mapped = t.f.let_all({"m"}, Map{t.n, fn, {t.ys}, {t.a, t.b}});
  const LoopParam p{t.names.fresh_param("p", t.type), mapped[1]};
  const Name i = t.names.bind_fresh("i", integer);
  const Name looped = t.f.let("l", Loop{{p}, ForLoop{i, PrimType::i64, t.n}, t.body([&](Builder& b) { return only(Bed::add(b, p.param.name)); })});
  const Name chosen = t.f.let("c", If{t.c, t.body([&](Builder& b) { return only(Bed::add(b, looped)); }), {{}, {looped}}});
  BOOST_TEST((t.accumulator_from(mapped[0]) == t.a));
  BOOST_TEST((t.accumulator_from(chosen) == t.b));
}

BOOST_AUTO_TEST_CASE(accumulators_that_change_places_are_noticed) {
  Bed t;
  const Lambda exchange = t.f.lambda({{"p", t.type}, {"q", t.type}}, [](Builder&, const std::vector<Name>& params) {
    return std::vector<Atom>{params[1], params[0]};
  });
  const auto mapped = t.f.let_all({"m"}, Map{t.n, exchange, {}, {t.a, t.b}});
  BOOST_TEST((t.accumulator_from(mapped[0]) == t.b));
  const LoopParam p{t.names.fresh_param("p", t.type), mapped[0]}, q{t.names.fresh_param("q", t.type), mapped[1]};
  const Name i = t.names.bind_fresh("i", integer);
  const auto looped = t.f.let_all({"l"}, Loop{{p, q}, ForLoop{i, PrimType::i64, t.n}, {{}, {q.param.name, p.param.name}}});
  BOOST_TEST(!t.accumulator_from(looped[0]).has_value());
  const Name chosen = t.f.let("c", If{t.c, {{}, {t.a}}, {{}, {t.b}}});
  BOOST_TEST(!t.accumulator_from(chosen).has_value());
}

BOOST_AUTO_TEST_CASE(accumulators_are_followed_through_calls) {
  Bed t;
  FunctionMaker callee = t.function("add_to_second");
  const Name m = callee.size("m");
  Type type = reals({m});
  type.accumulator = true;
  callee.param("p", type);
  const Name q = callee.param("q", type);
  const Name function = callee.returns({Bed::add(callee, q)});
  const Name called = t.names.bind_fresh("called", t.type);
  t.f.stms.push_back({{{called, t.type, false}}, Call{function, {t.n, t.a, t.b}}, {}, {}});
  const Callees callees(t.program);
  BOOST_TEST((History(accumulator_before, &callees).origin(t.f.stms, called) == t.b));
  BOOST_TEST(!t.accumulator_from(called).has_value());
}

BOOST_AUTO_TEST_CASE(accumulators_flow_into_scopes_and_out_of_them) {
  Bed t;
  const Lambda fn = t.f.lambda({{"p", t.type}}, [](Builder& b, const std::vector<Name>& params) { return only(Bed::add(b, params[0])); });
  const Name mapped = t.f.let("m", Map{t.n, fn, {}, {t.a}});
  using Pairs = std::vector<std::pair<Name, Name>>;
  Pairs into, out;
  accumulators_into(t.f.stms.back().exp, [&](const Name& from, const Name& to) { into.emplace_back(from, to); });
  accumulators_out_of(t.f.stms.back(), [&](const Name& from, const Name& to) { out.emplace_back(from, to); });
  BOOST_TEST((into == Pairs{{t.a, fn.params[0].name}}));
  BOOST_TEST((out == Pairs{{t.a, mapped}}));
  out.clear();
  const auto chosen = t.f.let_all({"c", "x"}, If{t.c, {{}, {t.b, t.xs}}, {{}, {t.b, t.ys}}});
  accumulators_out_of(t.f.stms.back(), [&](const Name& from, const Name& to) { out.emplace_back(from, to); });
  BOOST_TEST((out == Pairs{{t.b, chosen[0]}}));
}

BOOST_AUTO_TEST_CASE(places_are_kept_if_each_body_yields_what_it_is_given) {
  Bed t;
  std::map<Name, std::size_t> numbers{{t.a, 0}, {t.b, 1}};
  const Numbering number = [&](const Atom& atom) {
    const Name* name = name_in(atom);
    const auto found = name ? numbers.find(*name) : numbers.end();
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  /// As who follows accumulators calls it: what the names in bodies stand for is known by then.
  const auto kept = [&](const Exp& exp) {
    const auto same = [&](const Name& from, const Name& to) {
      if (const auto found = numbers.find(from); found != numbers.end()) numbers.insert_or_assign(to, std::size_t(found->second));
    };
    accumulators_into(exp, same);
    for_each_body(exp, [&](const Body& body) {
      for (const Stm& stm : body.stms)
        if (const auto* update = std::get_if<UpdateAcc>(&stm.exp)) same(update->accumulator, stm.pattern[0].name);
    });
    return keeps_places(exp, number);
  };
  for (const bool exchanges : {false, true}) {
    const auto results = [&](Builder& b, const Name& p, const Name& q) {
      std::vector<Atom> both{Bed::add(b, p), q};
      if (exchanges) std::swap(both[0], both[1]);
      return both;
    };
    const auto lambda = [&](bool takes_element) {
      std::vector<std::pair<std::string, Type>> params{{"p", t.type}, {"q", t.type}};
      if (takes_element) params.emplace_back("x", real);
      return t.f.lambda(params, [&](Builder& b, const std::vector<Name>& p) {
        std::vector<Atom> all = results(b, p[0], p[1]);
        if (takes_element) all.emplace_back(p[2]);
        return all;
      });
    };
    BOOST_TEST(kept(Map{t.n, lambda(true), {t.ys}, {t.a, t.b}}) == !exchanges);
    MapReduce folded;
    folded.width = t.n, folded.fn = lambda(true), folded.arrays = {t.ys}, folded.accumulators = {t.a, t.b};
    BOOST_TEST(kept(folded) == !exchanges);
    Nest nest{Level::thread, Level::thread, {t.n}, {}, {t.a, t.b}, {}, {}};
    nest.point = lambda(false);
    nest.point.params.push_back({t.names.bind_fresh("i", integer), integer, false});
    BOOST_TEST(kept(nest) == !exchanges);
    // Among the parameters of a loop are others; what they become does not matter.
    const LoopParam x{t.names.fresh_param("x", real), f64(0)}, y{t.names.fresh_param("y", real), f64(1)};
    const LoopParam p{t.names.fresh_param("p", t.type), t.a}, q{t.names.fresh_param("q", t.type), t.b};
    const Name i = t.names.bind_fresh("i", integer);
    const auto body = [&](const LoopParam& first, const LoopParam& second) {
      return t.body([&](Builder& b) { return results(b, first.param.name, second.param.name); });
    };
    Body stepped = body(p, q);
    stepped.result = {y.param.name, stepped.result[0], x.param.name, stepped.result[1]};
    BOOST_TEST(kept(Loop{{x, p, y, q}, ForLoop{i, PrimType::i64, t.n}, stepped}) == !exchanges);
    const Body given{{}, {t.a, t.b}};
    const Body added = t.body([&](Builder& b) { return results(b, t.a, t.b); });
    BOOST_TEST(kept(If{t.c, given, added}) == !exchanges);
    BOOST_TEST(kept(If{t.c, added, given}) == !exchanges);
    // Both exchange them, so that everybody knows which is which.
    BOOST_TEST(kept(If{t.c, added, added}));
  }
  // The last two of three.
  const Name c = t.names.bind_fresh("c", t.type);
  numbers.emplace(c, 2);
  const Lambda others = t.f.lambda({{"p", t.type}, {"q", t.type}, {"r", t.type}},
                                   [](Builder&, const std::vector<Name>& p) { return std::vector<Atom>{p[0], p[2], p[1]}; });
  BOOST_TEST(!kept(Map{t.n, others, {}, {t.a, t.b, c}}));
  // Other results of branches may differ.
  BOOST_TEST(kept(If{t.c, {{}, {t.a, f64(1)}}, {{}, {t.a, f64(2)}}}));
  BOOST_TEST(!kept(If{t.c, {{}, {f64(1), t.a}}, {{}, {f64(1), t.b}}}));
}

BOOST_AUTO_TEST_CASE(versions_are_all_states_of_an_iteration) {
  Bed t;
  const LoopParam p{t.names.fresh_param("p", reals({t.n}), true), t.xs, true};
  const Name i = t.names.bind_fresh("i", integer);
  Name first, copied, inside;
  const Body body = t.body([&](Builder& b) {
    first = Bed::set(b, p.param.name);
    copied = b.let("copied", Copy{first});
    const Body yes = t.body([&](Builder& inner) { return only(inside = Bed::set(inner, copied)); });
    return only(b.let("next", If{t.c, yes, {{}, {copied}}}));
  });
  const Loop loop{{p}, ForLoop{i, PrimType::i64, t.n}, body};
  const auto versions = versions_of(loop, 0);
  BOOST_REQUIRE(versions.has_value());
  const Name next = std::get<Name>(body.result[0]);
  BOOST_TEST((*versions == NameSet{p.param.name, first, copied, inside, next}));
  Loop replacing = loop;
  replacing.body = t.body([&](Builder& b) { return only(b.let("next", Replicate{{t.n}, f64(0)})); });
  BOOST_TEST(!versions_of(replacing, 0).has_value());
}

}  // namespace history_tests
