// Random programs whose arrays share memory in many ways: views, branches, loops, calls and updates in place of any of them.
#pragma once

#include "tests/unit/transform/random_scopes.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ir::testing {

class RandomSharing : RandomScopes {
 public:
  explicit RandomSharing(unsigned seed) : RandomScopes(seed) {}

  /// main [n] (x: f64) (xs: [n]f64) (ys: [n]f64)
  Program make() {
    make_callees();
    FunctionMaker f = p_.function("main");
    n_ = f.size("n");
    Scope scope{{f.param("x", real_), f64(0)}, {n_, i64(0), i64(2)}, {f.param("xs", row_type()), f.param("ys", row_type())}, {}};
    scope.matrices.push_back(f.let("xss", Replicate{{n_, i64(3)}, scope.reals[0]}));
    statements(f, scope, 10, 3);
    const Name last = f.let("last", Copy{some(scope.arrays)});
    f.returns({some(scope.reals), last});
    return p_.program;
  }

 private:
  void statement(Builder& b, Scope& scope, int depth) override {
    switch (pick(depth > 0 ? 12 : 6)) {
      case 0: scope.arrays.push_back(b.let("same", AtomExp{some(scope.arrays)})); break;
      case 1: scope.arrays.push_back(b.let("copied", Copy{some(scope.arrays)})); break;
      case 2: scope.arrays.push_back(reversed(b, some(scope.arrays))); break;
      case 3: matrix_views(b, scope); break;
      case 4: call(b, scope); break;
      case 5: scope.arrays.push_back(b.let("sets", Call{set_, {n_, b.let("own", Copy{some(scope.arrays)})}})); break;
      case 6:
      case 7: branch(b, scope, depth); break;
      case 8:
      case 9: loop(b, scope, depth, true); break;
      case 10: update(b, scope, depth); break;
      default: with_acc(b, scope, depth); break;
    }
  }

  Atom arithmetic(Builder& b, const Scope& scope) override {
    return b.binop("z", BinOpKind::max, some(scope.reals), some(scope.reals));
  }

  Name reversed(Builder& b, const Name& xs) {
    const Atom last = b.binop("last", BinOpKind::sub, n_, i64(1));
    return b.let("back", Index{xs, {Slice{last, n_, i64(-1)}}, false});
  }

  void matrix_views(Builder& b, Scope& scope) {
    const Name columns = b.let("columns", Rearrange{{1, 0}, some(scope.matrices)});
    scope.arrays.push_back(b.let("column", Index{columns, {i64(pick(3))}, false}));
  }

  /// pick n x y z = (y, copy x, the same copy, if .. then z else x); set n x = x with some elements changed
  void make_callees() {
    FunctionMaker f = p_.function("choose");
    const Name n = f.size("n");
    const Type row = array(PrimType::f64, {n});
    const Name x = f.param("x", row), y = f.param("y", row), z = f.param("z", row);
    const Name copied = f.let("copied", Copy{x});
    const Atom c = f.cmp("c", CmpOpKind::lt, n, i64(3));
    choose_ = f.returns({f.let("y", AtomExp{y}), copied, copied, f.let("either", If{c, {{}, {z}}, {{}, {x}}})});
    p_.program.functions.back().entry.reset();
    FunctionMaker g = p_.function("set");
    const Name m = g.size("m");
    const Name own = g.param("own", array(PrimType::f64, {m}), true);
    n_ = m;
    set_ = g.returns({set(g, own)});
    p_.program.functions.back().entry.reset();
  }

  void call(Builder& b, Scope& scope) {
    const auto results = b.let_all({"called"}, Call{choose_, {n_, some(scope.arrays), some(scope.arrays), some(scope.arrays)}});
    scope.arrays.insert(scope.arrays.end(), results.begin(), results.end());
  }

  /// All elements are set to 1.
  Name set(Builder& b, const Name& own) {
    const Param param = b.names.fresh_param("us", row_type(), true);
    const Name i = b.names.bind_fresh("i", integer_);
    Builder inner(b.names);
    const Name next = inner.let("next", Update{param.name, {i}, f64(1), true});
    return b.let("set", Loop{{{param, own}}, ForLoop{i, PrimType::i64, n_}, {inner.stms, {next}}});
  }

  /// An array of its own that a branch updates through some view, and the other one yields.
  void update(Builder& b, Scope& scope, int depth) {
    const Name own = b.let("own", Copy{some(scope.arrays)});
    Builder yes(b.names);
    Scope local = scope;
    local.arrays = {own};
    statements(yes, local, 1, depth - 2);
    const Name updated = set(yes, view_of(own, yes));
    const Body other{{}, {own}};
    scope.arrays.push_back(b.let("updated", If{condition(b, scope), {yes.stms, {updated}}, other}));
  }
  Name view_of(const Name& own, Builder& b) {
    switch (pick(3)) {
      case 0: return b.let("view", Coerce{{n_}, own});
      case 1: return b.let_all({"view"}, Call{choose_, {n_, b.let("other", Copy{own}), own, b.let("other", Copy{own})}})[0];
      default: return own;
    }
  }

  void with_acc(Builder& b, Scope& scope, int depth) {
    const Name sums = b.let("sums", Copy{some(scope.arrays)});
    Type type = row_type();
    type.accumulator = true;
    const Lambda fn = b.lambda({{"acc", type}}, [&](Builder& inner, const std::vector<Name>& p) {
      Scope local = scope;
      statements(inner, local, 2, depth - 2);
      return std::vector<Atom>{inner.let("acc", UpdateAcc{p[0], {i64(0)}, some(local.reals), false}), some(local.arrays)};
    });
    for (const Name& result : b.let_all({"with"}, WithAcc{{{sums, AddUp{}}}, fn})) scope.arrays.push_back(result);
  }

  Name choose_, set_;
};

}  // namespace boustro::ir::testing
