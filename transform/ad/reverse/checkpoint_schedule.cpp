#include "transform/ad/reverse/checkpoint_schedule.hpp"

namespace boustro::ad::schedule {

using namespace ir;

namespace {

const Type number = scalar(PrimType::i64);

/// A function of numbers, made once for all derivatives of a program.
template <typename Fill>
Name function_called(Derivation& derivation, const std::string& name, const std::vector<std::string>& params, const Fill& fill) {
  const auto known = derivation.derived.find(name);
  if (known != derivation.derived.end()) return known->second;
  Function function;
  function.name = derivation.names.fresh(name);
  std::vector<Atom> args;
  for (const std::string& param : params) {
    function.params.push_back(derivation.names.fresh_param(param, number));
    args.push_back(function.params.back().name);
  }
  function.result_types = {number};
  Builder body(derivation.names, {{}, "reverse_loop_checkpoint", Sweep::reverse, {}});
  const Atom result = fill(body, args);
  function.body = {std::move(body.stms), {result}};
  const Name called = function.name;
  derivation.add_function(std::move(function));
  derivation.derived.emplace(name, called);
  return called;
}

Atom plus(Builder& b, std::string_view base, const Atom& x, const Atom& y) { return b.binop(base, BinOpKind::add, x, y); }
Atom minus(Builder& b, std::string_view base, const Atom& x, const Atom& y) { return b.binop(base, BinOpKind::sub, x, y); }
/// x y / z, which is a whole number; z is positive, and everyone shall know.
Atom scaled(Builder& b, std::string_view base, const Atom& x, const Atom& y, const Atom& z) {
  return b.binop(base, BinOpKind::quot, b.binop(base, BinOpKind::mul, x, y), b.binop("divisor", BinOpKind::max, z, int_atom(1)));
}

/// Numbers that a while loop steps through.
struct Counters {
  std::vector<std::string> bases;
  std::vector<Atom> inits;
};

/// loop numbers while goes_on: `step` yields the next ones; `goes_on` is asked of the numbers.
template <typename GoesOn, typename Step>
std::vector<Name> repeat(Builder& b, const Counters& counters, const GoesOn& goes_on, const Step& step) {
  Loop loop;
  std::vector<Atom> now;
  for (std::size_t i = 0; i < counters.bases.size(); ++i) {
    loop.params.push_back({b.names.fresh_param(counters.bases[i], number), counters.inits[i]});
    now.push_back(loop.params.back().param.name);
  }
  const Param condition = b.names.fresh_param("goes_on", scalar(PrimType::boolean));
  loop.params.push_back({condition, goes_on(b, counters.inits)});
  loop.form = WhileLoop{condition.name};
  Builder body(b.names, b.origin);
  loop.body.result = step(body, now);
  loop.body.result.push_back(goes_on(body, loop.body.result));
  loop.body.stms = std::move(body.stms);
  std::vector<std::string> bases = counters.bases;
  bases.push_back("goes_on");
  return b.let_all(bases, std::move(loop));
}

/// For several states.
Atom binomial_split(Builder& b, const Atom& steps, const Atom& slots) {
  const auto one = int_atom(1);
  const auto is_short = [&](Builder& at, const std::vector<Atom>& now) { return at.cmp("is_short", CmpOpKind::lt, now[1], steps); };
  const auto longer = [&](Builder& at, const std::vector<Atom>& now) -> std::vector<Atom> {
    const Atom repeats = plus(at, "repeats", now[0], one);
    return {repeats, scaled(at, "reach", now[1], plus(at, "sum", slots, repeats), repeats)};
  };
  const auto longest = repeat(b, {{"repeats", "reach"}, {int_atom(0), one}}, is_short, longer);
  const Atom all = plus(b, "sum", slots, longest[0]);
  const Atom before = scaled(b, "before", longest[1], longest[0], all);
  const Atom behind = scaled(b, "behind", before, slots, minus(b, "sum", all, one));
  return b.binop("split", BinOpKind::min, before, minus(b, "rest", steps, behind));
}

}  // namespace

Name split_function(Derivation& derivation) {
  return function_called(derivation, "checkpoint_split", {"steps", "slots"}, [](Builder& b, const std::vector<Atom>& args) {
    Builder single(b.names, b.origin), several(b.names, b.origin);
    const Atom all = minus(single, "split", args[0], int_atom(1));
    const Atom part = binomial_split(several, args[0], args[1]);
    return Atom(b.let("split", If{b.cmp("single", CmpOpKind::le, args[1], int_atom(1)), {std::move(single.stms), {all}}, {std::move(several.stms), {part}}}));
  });
}

Name place_function(Derivation& derivation) {
  const Name split = split_function(derivation);
  const auto fill = [&](Builder& b, const std::vector<Atom>& args) -> Atom {
    const Atom &steps = args[0], &slots = args[1], &step = args[2], &slot = args[3];
    const auto is_above = [&](Builder& at, const std::vector<Atom>& now) { return at.cmp("is_above", CmpOpKind::lt, now[3], slot); };
    const auto descend = [&](Builder& at, const std::vector<Atom>& now) {
      const Atom &first = now[0], &length = now[1], &free = now[2], &level = now[3];
      const Name part = at.let("split", Call{split, {length, free}});
      const Atom middle = plus(at, "middle", first, part);
      Builder right(at.names, at.origin);
      const std::vector<Atom> behind{middle, minus(right, "length", length, part), minus(right, "free", free, int_atom(1)),
                                     plus(right, "level", level, int_atom(1))};
      const auto next = at.let_all({"first", "length", "free", "level"},
                                   If{at.cmp("is_behind", CmpOpKind::le, middle, step), {std::move(right.stms), behind}, {{}, {first, part, free, level}}});
      return std::vector<Atom>(next.begin(), next.end());
    };
    return repeat(b, {{"first", "length", "free", "level"}, {int_atom(0), steps, slots, int_atom(0)}}, is_above, descend)[0];
  };
  return function_called(derivation, "checkpoint_place", {"steps", "slots", "step", "slot"}, fill);
}

}  // namespace boustro::ad::schedule
