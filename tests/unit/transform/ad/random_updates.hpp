// Random updates in place: nests of updates, scatters, branches and loops that turn an array into its next version.
#pragma once

#include "tests/unit/transform/ad/random_folds.hpp"

namespace boustro::ad::testing {

class RandomUpdates : protected RandomFolds {
 protected:
  using RandomFolds::RandomFolds;

  /// To distinct places: every one but the first, moved down by one, and one nowhere.
  void scatter(Builder& b, Scope& scope) {
    const Name destination = b.let("cells", Copy{some(scope.arrays)});
    const Lambda fn = on(b, {integer_}, [&](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{i.binop("place", BinOpKind::sub, p[0], i64(1))};
    });
    const Name places = b.let("places", Map{n_, fn, {b.let("is", Iota{n_})}, {}});
    scope.arrays.push_back(b.let("cells", Scatter{n_, {places}, {destination}, {some(scope.arrays)}}));
  }

  void updates(Builder& b, Scope& scope, int depth) {
    const Name start = b.let("us", Copy{some(scope.arrays)});
    Builder inside(b.names);
    Scope local = scope;
    const Name last = nest(inside, local, start, depth);
    scope.arrays.push_back(b.let("us", If{not_empty(b), {inside.stms, {last}}, {{}, {start}}}));
  }

  /// A while loop of a few iterations, perhaps with a bound, which it may reach.
  Name while_nest(Builder& b, const Scope& scope, const LoopParam& us, const LoopParam& v, int depth) {
    const Atom bound = pick(2) ? Atom(n_) : i64(pick(4));
    const LoopParam i{b.names.fresh_param("i", integer_), i64(0)};
    const LoopParam goes_on{b.names.fresh_param("goes_on", scalar(PrimType::boolean)), b.cmp("some", CmpOpKind::lt, i64(0), bound)};
    Scope local = scope;
    local.integers.emplace_back(i.param.name);
    local.reals.emplace_back(v.param.name);
    Builder inner(b.names);
    const Name last = nest(inner, local, us.param.name, depth - 1);
    const Atom value = arithmetic(inner, local);
    const Atom next = inner.binop("i", BinOpKind::add, i.param.name, i64(1));
    const Atom more = inner.cmp("more", CmpOpKind::lt, next, bound);
    std::vector<Attribute> said;
    if (pick(2)) said.push_back({"bound", {bound}});
    std::vector<Param> results;
    for (const LoopParam* p : {&us, &v, &i, &goes_on}) results.push_back(b.names.fresh_param(p->param.name.base, p->param.type));
    b.let(results, Loop{{us, v, i, goes_on}, WhileLoop{goes_on.param.name}, {inner.stms, {last, value, next, more}}}, std::move(said));
    return results[0].name;
  }

  /// Adds to, overwrites or multiplies elements of the array by an accumulator.
  Name accumulate(Builder& b, const Scope& scope, const Name& us, int depth) {
    Type type = row_type();
    type.accumulator = true;
    const Lambda fn = b.lambda({{"acc", type}}, [&](Builder& inner, const std::vector<Name>& p) {
      Scope local = scope;
      return std::vector<Atom>{writes(inner, local, p[0], depth)};
    });
    return b.let("us", WithAcc{{{us, kind_of_accumulator(b)}}, fn});
  }

  AccumulatorKind kind_of_accumulator(Builder& b) {
    switch (pick(3)) {
      case 0: return AddUp{};
      case 1: return Overwrite{};
      default: {
        const Lambda product = b.lambda({{"x", real_}, {"y", real_}}, [](Builder& inner, const std::vector<Name>& p) {
          return std::vector<Atom>{inner.binop("xy", BinOpKind::mul, p[0], p[1])};
        });
        return Combine{product, f64(1)};
      }
    }
  }

  /// Statements that write into an accumulator.
  Name writes(Builder& b, Scope& scope, const Name& acc, int depth) {
    const Type type = b.names.type_of(acc);
    switch (depth > 0 ? pick(6) : 0) {
      case 1:
      case 2: return writes(b, scope, writes(b, scope, acc, depth - 1), depth - 1);
      case 3: {
        const Atom c = condition(b, scope);
        const auto body = [&](bool is_writing) {
          Builder inner(b.names);
          Scope local = scope;
          const Name last = is_writing ? writes(inner, local, acc, depth - 1) : acc;
          return Body{inner.stms, {last}};
        };
        Body yes = body(true), no = body(pick(2));
        return b.let("acc", If{c, std::move(yes), std::move(no)});
      }
      case 4: {
        const Param param = b.names.fresh_param("acc", type);
        const Name i = b.names.bind_fresh("i", integer_);
        Scope local = scope;
        local.integers.emplace_back(i);
        Builder inner(b.names);
        const Name last = writes(inner, local, param.name, depth - 1);
        return b.let("acc", Loop{{{param, acc}}, ForLoop{i, PrimType::i64, i64(pick(4))}, {inner.stms, {last}}});
      }
      case 5: {
        const Lambda fn = b.lambda({{"acc", type}, {"i", integer_}, {"x", real_}}, [&](Builder& inner, const std::vector<Name>& p) {
          Scope local = scope;
          local.integers.emplace_back(p[1]);
          local.reals.emplace_back(p[2]);
          return std::vector<Atom>{writes(inner, local, p[0], depth - 1)};
        });
        return b.let("acc", Map{n_, fn, {b.let("is", Iota{n_}), some(scope.arrays)}, {acc}});
      }
      default: {
        const Atom inside = index(b, scope);
        const Atom at = pick(3) ? inside : b.binop("place", BinOpKind::sub, inside, i64(1));
        return b.let("acc", UpdateAcc{acc, {at}, arithmetic(b, scope), false});
      }
    }
  }

  /// Statements that turn the array into its next version; what they read of it comes into scope. n is positive.
  Name nest(Builder& b, Scope& scope, Name us, int depth) {
    if (pick(2)) scope.reals.emplace_back(b.index("u", us, {index(b, scope)}, true));
    switch (depth > 0 ? pick(8) : 0) {
      case 1:
      case 2: return nest(b, scope, nest(b, scope, us, depth - 1), depth - 1);
      case 3: {
        const Atom c = condition(b, scope);
        const auto body = [&](bool updates) {
          Builder inner(b.names);
          Scope local = scope;
          const Name last = updates ? nest(inner, local, us, depth - 1) : us;
          return Body{inner.stms, {last, some(local.reals)}};
        };
        Body yes = body(true), no = body(pick(2));
        const auto r = b.let_all({"us", "r"}, If{c, std::move(yes), std::move(no)});
        scope.reals.emplace_back(r[1]);
        return r[0];
      }
      case 4:
      case 5: {
        const LoopParam param{b.names.fresh_param("us", row_type(), true), us};
        const LoopParam v{b.names.fresh_param("v", real_), some(scope.reals)};
        if (pick(3) == 0) return while_nest(b, scope, param, v, depth);
        const Name i = b.names.bind_fresh("i", integer_);
        Scope local = scope;
        local.integers.emplace_back(i);
        local.reals.emplace_back(v.param.name);
        Builder inner(b.names);
        const Name last = nest(inner, local, param.param.name, depth - 1);
        const Atom bound = pick(2) ? Atom(n_) : i64(pick(4));
        const Atom next = arithmetic(inner, local);
        return b.let_all({"us", "v"}, Loop{{param, v}, ForLoop{i, PrimType::i64, bound}, {inner.stms, {last, next}}})[0];
      }
      case 6: {
        const Name values = some(scope.arrays);
        const Lambda fn = on(b, {integer_}, [&](Builder& i, const std::vector<Name>& p) {
          return std::vector<Atom>{i.binop("place", BinOpKind::sub, p[0], i64(1))};
        });
        const Name places = b.let("places", Map{n_, fn, {b.let("is", Iota{n_})}, {}});
        return b.let("us", Scatter{n_, {places}, {us}, {values}});
      }
      case 7: return accumulate(b, scope, us, depth - 1);
      default: {
        const Atom at = index(b, scope);
        scope.reals.emplace_back(b.index("u", us, {at}, true));
        const Atom value = arithmetic(b, scope);
        return b.let("us", Update{us, {at}, value, true});
      }
    }
  }
};

}  // namespace boustro::ad::testing
