// Random well-typed programs that have a derivative almost everywhere, to compare derivatives with differences and the modes
// with each other. Values stay of the order of 1, so that both mean something.
//
//   RandomDifferentiable(seed).make()    writes f [n] (x: f64) (xs: [n]f64) (yss: [n][3]f64): (f64, [n]f64, [n][3]f64)
//
// Every array operation, the operators that have rules of their own and those that have not, branches, for and while loops,
// calls, maps in maps, accumulators, and nests of updates in place.
#pragma once

#include "tests/unit/transform/ad/random_updates.hpp"

namespace boustro::ad::testing {

class RandomDifferentiable : RandomUpdates {
 public:
  explicit RandomDifferentiable(unsigned seed) : RandomUpdates(seed) {}

  Program make() {
    make_callee();
    FunctionMaker f = p_.function("f");
    n_ = f.size("n");
    Scope scope;
    scope.reals = {f.param("x", real_), f64(0.5), f64(1)};
    scope.integers = {n_, i64(0), i64(1), i64(3)};
    scope.arrays = {f.param("xs", row_type())};
    scope.matrices = {f.param("yss", array(PrimType::f64, {n_, i64(columns_)}))};
    statements(f, scope, 6 + static_cast<int>(random_() % 6), 3);
    f.returns({some(scope.reals), some(scope.arrays), some(scope.matrices)});
    return p_.program;
  }

 private:
  void statement(Builder& b, Scope& scope, int depth) override {
    switch (pick(depth > 0 ? 30 : 8)) {
      case 0:
      case 1:
      case 2: scope.reals.push_back(arithmetic(b, scope)); break;
      case 3: scope.integers.push_back(b.binop("k", BinOpKind::add, some(scope.integers), i64(pick(3)))); break;
      case 4: scope.arrays.push_back(b.let("zs", Replicate{{n_}, some(scope.reals)})); break;
      case 5: views(b, scope); break;
      case 6: scope.reals.push_back(read(b, scope)); break;
      case 7: matrix_views(b, scope); break;
      case 8:
      case 9: map(b, scope, depth); break;
      case 10: map_rows(b, scope, depth); break;
      case 11: scope.reals.push_back(reduce(b, scope)); break;
      case 12: scope.arrays.push_back(scan(b, scope)); break;
      case 13: reduce_tuples(b, scope); break;
      case 14: scan_tuples(b, scope); break;
      case 15: rows(b, scope); break;
      case 16: branch(b, scope, depth); break;
      case 17: loop(b, scope, depth, true, attributes()); break;
      case 18: while_loop(b, scope, depth); break;
      case 19: histogram(b, scope); break;
      case 20: scatter(b, scope); break;
      case 21: accumulate(b, scope, depth); break;
      case 22: gather(b, scope, depth); break;
      case 23: parts(b, scope); break;
      case 24: scan_products(b, scope); break;
      case 25: custom(b, scope); break;
      case 26: recurrence(b, scope, depth); break;
      case 27: fixed_point(b, scope); break;
      default: updates(b, scope, depth); break;
    }
  }

  /// An element, 0 of an empty array.
  Atom read(Builder& b, const Scope& scope) {
    const Name array = some(scope.arrays);
    Builder inside(b.names);
    const Atom at = index(inside, scope);
    const Atom value = inside.index("e", array, {at}, true);
    return b.let("e", If{not_empty(b), {inside.stms, {value}}, {{}, {f64(0)}}});
  }
  void views(Builder& b, Scope& scope) {
    const Name xs = some(scope.arrays);
    const Atom last = b.binop("last", BinOpKind::sub, n_, i64(1));
    if (pick(2)) scope.arrays.push_back(b.let("back", Index{xs, {Slice{last, n_, i64(-1)}}, false}));
    else scope.arrays.push_back(b.let("copied", Copy{xs}));
  }

  void matrix_views(Builder& b, Scope& scope) {
    const Name yss = some(scope.matrices);
    const Name columns = b.let("columns", Rearrange{{1, 0}, yss});
    if (pick(2)) {
      scope.arrays.push_back(b.let("column", Index{columns, {i64(pick(columns_))}, false}));
      return;
    }
    const Atom count = b.binop("count", BinOpKind::mul, n_, i64(columns_));
    const Name flat = b.let("flat", Reshape{{count}, columns});
    scope.matrices.push_back(b.let("reshaped", Reshape{{n_, i64(columns_)}, flat}));
  }

  /// Concatenation, and a part of it.
  void parts(Builder& b, Scope& scope) {
    const Name xs = some(scope.arrays), ys = some(scope.arrays);
    const Atom twice = add(b, n_, n_);
    const Name both = b.let("both", Concat{twice, {xs, ys}});
    scope.arrays.push_back(b.let("half", Index{both, {Slice{i64(0), n_, pick(2) ? i64(1) : i64(2)}}, false}));
    const Name row = b.let("row", ArrayLiteral{real_, {some(scope.reals), some(scope.reals), some(scope.reals)}});
    scope.matrices.push_back(b.let("same_rows", Replicate{{n_}, row}));
  }

  void map(Builder& b, Scope& scope, int depth) {
    const std::vector<Name> arrays{some(scope.arrays), some(scope.arrays), b.let("is", Iota{n_})};
    const Lambda fn = on(b, {real_, real_, integer_}, [&](Builder& inner, const std::vector<Name>& p) {
      Scope local = scope;
      local.reals.insert(local.reals.end(), {p[0], p[1]});
      local.integers.emplace_back(p[2]);
      statements(inner, local, 1 + static_cast<int>(pick(3)), depth - 1);
      return std::vector<Atom>{some(local.reals), some(local.reals)};
    });
    std::vector<Param> results;
    for (int k = 0; k < 2; ++k) results.push_back(b.names.fresh_param("ms", row_type()));
    std::vector<Attribute> order = some_order(b, arrays[2]);
    b.let(results, Map{n_, fn, arrays, {}}, std::move(order));
    for (const Param& result : results) scope.arrays.push_back(result.name);
  }

  /// Seldom: points come in the order of keys, some of which are equal and some negative.
  std::vector<Attribute> some_order(Builder& b, const Name& is) {
    if (pick(12) > 0) return {};
    const Lambda key = on(b, {integer_}, [&](Builder& inner, const std::vector<Name>& p) {
      const Atom times = inner.binop("times", BinOpKind::mul, p[0], i64(2 + pick(4)));
      return std::vector<Atom>{inner.binop("key", BinOpKind::sub, inner.binop("rest", BinOpKind::mod, times, i64(3)), i64(1))};
    });
    return {{"reorder", {b.let("keys", Map{n_, key, {is}, {}})}}};
  }

  void map_rows(Builder& b, Scope& scope, int depth) {
    const Lambda fn = on(b, {array(PrimType::f64, {i64(columns_)}), real_}, [&](Builder& outer, const std::vector<Name>& p) {
      const Lambda each = on(outer, {real_}, [&](Builder& inner, const std::vector<Name>& q) {
        Scope local = scope;
        local.reals.insert(local.reals.end(), {p[1], q[0]});
        statements(inner, local, 2, depth - 2);
        return std::vector<Atom>{arithmetic(inner, local)};
      });
      const Name row = outer.let("row", Map{i64(columns_), each, {p[0]}, {}});
      const Atom total = outer.let("total", Reduce{i64(columns_), sum_operator(outer), {f64(0)}, {row}, true});
      return std::vector<Atom>{row, outer.math("total", MathFn::sin, {total})};
    });
    const auto results = b.let_all({"rows", "totals"}, Map{n_, fn, {some(scope.matrices), some(scope.arrays)}, {}});
    scope.matrices.push_back(results[0]);
    scope.arrays.push_back(results[1]);
  }

  void accumulate(Builder& b, Scope& scope, int depth) {
    const Name start = b.let("start", Copy{some(scope.arrays)});
    Type type = row_type();
    type.accumulator = true;
    const Name targets = bins(b);
    const AccumulatorKind kind = pick(2) ? AccumulatorKind(AddUp{}) : AccumulatorKind(Combine{sum_operator(b), f64(0)});
    const Lambda fn = b.lambda({{"acc", type}}, [&](Builder& inner, const std::vector<Name>& accs) {
      const Lambda each = inner.lambda({{"acc", type}, {"i", integer_}, {"x", real_}}, [&](Builder& c, const std::vector<Name>& q) {
        Scope local = scope;
        local.reals.emplace_back(q[2]);
        statements(c, local, 1, depth - 2);
        return std::vector<Atom>{c.let("acc", UpdateAcc{q[0], {q[1]}, some(local.reals), false})};
      });
      return std::vector<Atom>{inner.let("acc", Map{n_, each, {targets, some(scope.arrays)}, {accs[0]}})};
    });
    scope.arrays.push_back(tamed(b, b.let("sums", WithAcc{{{start, kind}}, fn})));
  }

  /// Elements at computed places, in a map or below a loop in a map.
  void gather(Builder& b, Scope& scope, int depth) {
    const Name from = some(scope.arrays);
    const Lambda fn = on(b, {integer_}, [&](Builder& i, const std::vector<Name>& p) {
      Scope local = scope;
      local.integers.emplace_back(p[0]);
      local.reals.emplace_back(i.index("e", from, {index(i, local)}, true));
      statements(i, local, 1, depth - 1);
      local.reals.emplace_back(arithmetic(i, local));
      return std::vector<Atom>{local.reals.back()};
    });
    scope.arrays.push_back(b.let("gathered", Map{n_, fn, {b.let("is", Iota{n_})}, {}}));
  }

  std::vector<Attribute> attributes() {
    if (pick(3) == 0) return {{"stripmine", {i64(2 + pick(2))}}};
    if (pick(4) == 0) return {{pick(2) ? "checkpoint" : "checkpoint_online", {i64(1 + pick(3))}}};
    return {};
  }

  void while_loop(Builder& b, Scope& scope, int depth) {
    const LoopParam goes_on{b.names.fresh_param("goes_on", scalar(PrimType::boolean)), PrimValue::of_bool(true)};
    const LoopParam i{b.names.fresh_param("i", integer_), i64(0)};
    const LoopParam v{b.names.fresh_param("v", real_), some(scope.reals)};
    Scope local = scope;
    local.reals.emplace_back(v.param.name);
    local.integers.emplace_back(i.param.name);
    Builder inner(b.names);
    statements(inner, local, 1, depth - 1);
    const Atom value = arithmetic(inner, local);
    const Atom next = add(inner, i.param.name, i64(1));
    const Atom more = inner.cmp("goes_on", CmpOpKind::lt, next, i64(1 + pick(3)));
    std::vector<Attribute> said = attributes();
    if (pick(2)) said.push_back({"bound", {i64(3 + pick(2))}});  // the most that it ever takes, or one more
    std::vector<Param> last;
    for (const LoopParam* p : {&goes_on, &i, &v}) last.push_back(b.names.fresh_param("last", p->param.type));
    b.let(last, Loop{{goes_on, i, v}, WhileLoop{goes_on.param.name}, {inner.stms, {more, next, value}}}, std::move(said));
    scope.reals.emplace_back(last[2].name);
  }

  /// y = sin (y + u) / 4 + v, to which it converges from anywhere.
  void fixed_point(Builder& b, Scope& scope) {
    const Atom u = some(scope.reals), v = some(scope.reals);
    const LoopParam goes_on{b.names.fresh_param("goes_on", scalar(PrimType::boolean)), PrimValue::of_bool(true)};
    const LoopParam y{b.names.fresh_param("y", real_), some(scope.reals)};
    Builder inner(b.names);
    const Atom shifted = inner.binop("t", BinOpKind::add, y.param.name, u);
    const Atom quarter = inner.binop("t", BinOpKind::mul, f64(0.25), inner.math("t", MathFn::sin, {shifted}));
    const Atom next = inner.binop("y", BinOpKind::add, quarter, v);
    const Atom change = inner.unop("change", UnOpKind::abs, inner.binop("change", BinOpKind::sub, next, y.param.name));
    const Atom more = inner.cmp("goes_on", CmpOpKind::lt, f64(1e-14), inner.binop("change", BinOpKind::div, change, inner.binop("size", BinOpKind::max, f64(1), inner.unop("size", UnOpKind::abs, next))));
    std::vector<Param> last;
    for (const LoopParam* p : {&goes_on, &y}) last.push_back(b.names.fresh_param("last", p->param.type));
    b.let(last, Loop{{goes_on, y}, WhileLoop{goes_on.param.name}, {inner.stms, {more, next}}}, {{"fixed_point", {}}});
    scope.reals.emplace_back(last[1].name);
  }

  /// Each element from the two before it: no iteration overwrites what another one reads.
  void recurrence(Builder& b, Scope& scope, int depth) {
    const LoopParam us{b.names.fresh_param("us", row_type(), true), b.let("us", Copy{some(scope.arrays)}), pick(4) > 0};
    const LoopParam v{b.names.fresh_param("v", real_), some(scope.reals)};
    const Name i = b.names.bind_fresh("i", integer_);
    Builder inner(b.names);
    Scope local = scope;
    local.reals.emplace_back(v.param.name);
    const Atom earlier = inner.binop("j", BinOpKind::max, i64(0), inner.binop("j", BinOpKind::sub, i, i64(1)));
    local.reals.emplace_back(inner.index("u", us.param.name, {i}, true));
    local.reals.emplace_back(inner.index("u", us.param.name, {earlier}, true));
    statements(inner, local, 1, depth - 1);
    const Atom value = arithmetic(inner, local);
    const Name updated = inner.let("us", Update{us.param.name, {add(inner, i, i64(1))}, value, true});
    local.reals.emplace_back(inner.index("u", updated, {i}, true));
    const Atom next = arithmetic(inner, local);
    const Atom steps = b.binop("steps", BinOpKind::sub, n_, i64(1));
    std::vector<Param> last;
    for (const LoopParam* p : {&us, &v}) last.push_back(b.names.fresh_param("last", p->param.type));
    b.let(last, Loop{{us, v}, ForLoop{i, PrimType::i64, steps}, {inner.stms, {updated, next}}}, attributes());
    scope.arrays.push_back(last[0].name);
    scope.reals.emplace_back(last[1].name);
  }
};

}  // namespace boustro::ad::testing
