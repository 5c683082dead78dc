// For tests of passes: random core programs, right by construction, and their arguments.
#pragma once

#include "tests/unit/transform/inspect.hpp"
#include "tests/unit/transform/random_scopes.hpp"

namespace boustro::ir::testing {

/// Writes `main [n] (x: f64) (k: i64) (xs: [n]f64) (ys: [n]f64)`: scalars, branches, loops, maps,
/// reductions, scans, updates in place and accumulators, with shared subexpressions and dead code.
/// All floats are small whole numbers modulo 1024, so that no order of additions shows.
class RandomProgram : RandomScopes {
 public:
  explicit RandomProgram(unsigned seed) : RandomScopes(seed) {}

  Program make() {
    FunctionMaker f = p_.function("main");
    n_ = f.size("n");
    Scope scope{{f.param("x", real), f64(0), f64(1), f64(3)},
                {f.param("k", integer), n_, i64(0), i64(2)},
                {f.param("xs", reals({n_})), f.param("ys", reals({n_}))},
                {}};
    statements(f, scope, 14, 2);
    f.returns({some(scope.reals), some(scope.arrays), some(scope.arrays), some(scope.reals)});
    return p_.program;
  }

 private:
  void statement(Builder& b, Scope& scope, int depth) override {
    switch (random_() % (depth > 0 ? 14 : 5)) {
      case 0:
      case 1:
        scope.reals.push_back(arithmetic(b, scope));
        break;
      case 2:
        scope.integers.push_back(b.binop("k", random_() % 2 ? BinOpKind::add : BinOpKind::sub,
                                         some(scope.integers), some(scope.integers)));
        break;
      case 3:
        scope.arrays.push_back(b.let("zs", Replicate{{n_}, some(scope.reals)}));
        break;
      case 4:
        scope.arrays.push_back(b.let("cs", Copy{some(scope.arrays)}));
        break;
      case 5:
      case 6:
      case 7:
        maps(b, scope, depth);
        break;
      case 8:
        scope.reals.push_back(reduce(b, scope));
        break;
      case 9:
        scope.arrays.push_back(
            b.let("scanned", Scan{n_, wrapped_sum(b), {f64(0)}, {some(scope.arrays)}}));
        break;
      case 10:
        branch(b, scope, depth);
        break;
      case 11:
        loop(b, scope, depth, false);
        break;
      case 12:
        update(b, scope);
        break;
      case 13:
        accumulate(b, scope);
        break;
    }
  }

  /// Keeps numbers small and whole.
  Atom arithmetic(Builder& b, const Scope& scope) override {
    const BinOpKind kinds[] = {BinOpKind::add, BinOpKind::sub, BinOpKind::mul, BinOpKind::max};
    const Atom z = b.binop("z", kinds[random_() % 4], some(scope.reals), some(scope.reals));
    return b.binop("w", BinOpKind::mod, z, f64(1024));
  }

  Lambda wrapped_sum(Builder& b) {
    return on_scalars(
        b, {PrimType::f64, PrimType::f64}, [](Builder& inner, const std::vector<Name>& q) {
          const Atom sum = inner.binop("sum", BinOpKind::add, q[0], q[1]);
          return std::vector<Atom>{inner.binop("wrapped", BinOpKind::mod, sum, f64(1024))};
        });
  }

  void maps(Builder& b, Scope& scope, int depth) {
    const std::vector<Name> arrays{some(scope.arrays), some(scope.arrays)};
    const std::size_t results = 1 + random_() % 2;
    const Lambda fn = on_scalars(
        b, {PrimType::f64, PrimType::f64}, [&](Builder& inner, const std::vector<Name>& q) {
          Scope local = scope;
          local.reals.insert(local.reals.end(), q.begin(), q.end());
          statements(inner, local, 1 + static_cast<int>(random_() % 4), depth - 1);
          std::vector<Atom> out;
          for (std::size_t i = 0; i < results; ++i) out.push_back(some(local.reals));
          return out;
        });
    for (const Name& name : b.let_all({"ms"}, Map{n_, fn, arrays, {}}))
      scope.arrays.push_back(name);
  }

  Atom reduce(Builder& b, const Scope& scope) {
    return b.let("total", Reduce{n_, wrapped_sum(b), {f64(0)}, {some(scope.arrays)}});
  }

  /// loop of updates at every index, into a copy of its own.
  void update(Builder& b, Scope& scope) {
    const Name start = b.let("start", Copy{some(scope.arrays)});
    const Name read = some(scope.arrays);
    const Param param = b.names.fresh_param("us", reals({n_}), true);
    const Name i = b.names.bind_fresh("i", integer);
    Builder inner(b.names);
    const Name old = inner.index("old", random_() % 2 ? param.name : read, {i}, true);
    const Atom value = inner.binop("v", BinOpKind::add, old, some(scope.reals));
    const Name next = inner.let("next", Update{param.name, {i}, value, true});
    scope.arrays.push_back(b.let(
        "updated", Loop{{{param, start}}, ForLoop{i, PrimType::i64, n_}, {inner.stms, {next}}}));
  }

  /// Adds to cells that are fixed, chosen by position, or by data.
  void accumulate(Builder& b, Scope& scope) {
    const Name zeros = b.let("zeros", Replicate{{n_}, f64(0)});
    const Name is = b.let("is", Iota{n_});
    Type type = reals({n_});
    type.accumulator = true;
    const unsigned choice = random_() % 3;
    const Lambda fn = b.lambda({{"acc", type}}, [&](Builder& inner, const std::vector<Name>& accs) {
      const Lambda each = inner.lambda(
          {{"acc", type}, {"i", integer}, {"x", real}},
          [&](Builder& c, const std::vector<Name>& q) {
            const Atom cells[] = {i64(0), q[1], c.binop("cell", BinOpKind::quot, q[1], i64(2))};
            return std::vector<Atom>{
                c.let("acc", UpdateAcc{q[0], {cells[choice]}, q[2], choice == 1})};
          });
      return std::vector<Atom>{
          inner.let("acc", Map{n_, each, {is, some(scope.arrays)}, {accs[0]}})};
    });
    const Name sums = b.let("sums", WithAcc{{{zeros, AddUp{}}}, fn});
    const Lambda wrap =
        on_scalars(b, {PrimType::f64}, [](Builder& inner, const std::vector<Name>& q) {
          return std::vector<Atom>{inner.binop("wrapped", BinOpKind::mod, q[0], f64(1024))};
        });
    scope.arrays.push_back(b.let("wrapped", Map{n_, wrap, {sums}, {}}));
  }
};

/// Arguments for them, with every array empty, of one element, and of some.
inline std::vector<Arguments> random_arguments(unsigned seed) {
  std::vector<Arguments> runs;
  for (const std::int64_t n : {0, 1, 5}) {
    runs.push_back({f64_value(static_cast<double>(seed % 7)),
                    i64_value(static_cast<std::int64_t>(seed % 5)), some_f64s({n}, seed),
                    some_f64s({n}, seed + 1)});
  }
  return runs;
}

}  // namespace boustro::ir::testing
