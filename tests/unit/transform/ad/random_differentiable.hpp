// Random well-typed programs that have a derivative almost everywhere, to compare derivatives with differences and the modes
// with each other. Values stay of the order of 1, so that both mean something.
//
//   RandomDifferentiable(seed).make()    writes f [n] (x: f64) (xs: [n]f64) (yss: [n][3]f64): (f64, [n]f64, [n][3]f64)
//
// Every array operation, the operators that have rules of their own and those that have not, branches, for and while loops,
// calls, maps in maps, accumulators, and nests of updates in place.
#pragma once

#include <random>

#include "tests/unit/transform/program_builder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad::testing {

using namespace ir;
using namespace ir::testing;

class RandomDifferentiable {
 public:
  explicit RandomDifferentiable(unsigned seed) : random_(seed) {}

  Program make() {
    make_callee();
    FunctionMaker f = p_.function("f");
    n_ = f.size("n");
    Scope scope;
    scope.reals = {f.param("x", real_), f64(0.5), f64(1)};
    scope.integers = {n_, i64(0), i64(1), i64(3)};
    scope.arrays = {f.param("xs", row_type_of(n_))};
    scope.matrices = {f.param("yss", array(PrimType::f64, {n_, i64(columns_)}))};
    statements(f, scope, 6 + static_cast<int>(random_() % 6), 3);
    f.returns({some(scope.reals), some(scope.arrays), some(scope.matrices)});
    return p_.program;
  }

 private:
  struct Scope {
    std::vector<Atom> reals, integers;
    std::vector<Name> arrays, matrices;  // [n]f64, [n][3]f64
  };
  using Fill = std::function<Atom(Builder&, const std::vector<Name>&)>;

  static Type row_type_of(const Atom& n) { return array(PrimType::f64, {n}); }

  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  template <typename T>
  const T& some(const std::vector<T>& list) {
    const std::size_t a = random_() % list.size(), b = random_() % list.size();
    return list[std::max(a, b)];  // late ones more often, for longer chains
  }

  // ---- Scalars ----

  Atom add(Builder& b, const Atom& x, const Atom& y) { return b.binop("s", BinOpKind::add, x, y); }
  Atom mul(Builder& b, const Atom& x, const Atom& y) { return b.binop("p", BinOpKind::mul, x, y); }

  /// Of the order of 1, for operands that are.
  Atom arithmetic(Builder& b, const Scope& scope) {
    const Atom x = some(scope.reals), y = some(scope.reals);
    const auto positive = [&](const Atom& z) { return add(b, f64(1.25), mul(b, z, z)); };
    switch (pick(14)) {
      case 0: return b.math("z", MathFn::sin, {add(b, x, y)});
      case 1: return b.math("z", MathFn::cos, {mul(b, x, y)});
      case 2: return b.binop("z", BinOpKind::sub, mul(b, x, f64(0.75)), mul(b, y, f64(0.5)));
      case 3: return b.math("z", MathFn::tanh, {mul(b, x, y)});
      case 4: return b.binop("z", BinOpKind::div, x, positive(y));
      case 5: return b.binop("z", BinOpKind::max, x, mul(b, y, f64(0.9)));
      case 6: return b.binop("z", BinOpKind::min, x, mul(b, y, f64(0.9)));
      case 7: return b.math("z", MathFn::log, {positive(x)});
      case 8: return b.math("z", MathFn::sqrt, {positive(mul(b, x, f64(0.5)))});
      case 9: return b.math("z", MathFn::atan2, {x, positive(y)});
      case 10: return b.unop("z", UnOpKind::abs, x);
      case 11: return b.binop("z", BinOpKind::pow, b.math("z", MathFn::cos, {mul(b, x, f64(0.3))}), y);
      case 12: return b.math("z", MathFn::exp, {b.unop("z", UnOpKind::neg, mul(b, x, x))});
      default: return b.let_all({"z"}, Call{callee_, {x, y}})[0];
    }
  }

  void make_callee() {
    FunctionMaker g = p_.function("g");
    const Name x = g.param("x", real_), y = g.param("y", real_);
    callee_ = g.returns({b_sin(g, x, y)});
    p_.program.functions.back().entry.reset();
  }
  Atom b_sin(Builder& b, const Atom& x, const Atom& y) { return mul(b, b.math("s", MathFn::sin, {x}), add(b, y, x)); }

  Atom condition(Builder& b, const Scope& scope) {
    if (pick(2)) return b.cmp("c", CmpOpKind::lt, some(scope.integers), some(scope.integers));
    return b.cmp("c", CmpOpKind::lt, some(scope.reals), some(scope.reals));
  }

  /// An index below n where n is positive.
  Atom index(Builder& b, const Scope& scope) {
    return b.binop("at", BinOpKind::mod, add(b, some(scope.integers), i64(pick(3))), n_);
  }

  // ---- Statements ----

  void statements(Builder& b, Scope& scope, int count, int depth) {
    for (int i = 0; i < count; ++i) statement(b, scope, depth);
  }

  void statement(Builder& b, Scope& scope, int depth) {
    switch (pick(depth > 0 ? 28 : 8)) {
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
      case 17: loop(b, scope, depth); break;
      case 18: while_loop(b, scope, depth); break;
      case 19: histogram(b, scope); break;
      case 20: scatter(b, scope); break;
      case 21: accumulate(b, scope, depth); break;
      case 22: gather(b, scope, depth); break;
      case 23: parts(b, scope); break;
      case 24: scan_products(b, scope); break;
      case 25: custom(b, scope); break;
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
  Atom not_empty(Builder& b) { return b.cmp("some", CmpOpKind::lt, i64(0), n_); }

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

  Lambda on(Builder& b, const std::vector<Type>& types, const std::function<std::vector<Atom>(Builder&, const std::vector<Name>&)>& fill) {
    std::vector<std::pair<std::string, Type>> params;
    for (const Type& type : types) params.emplace_back("x", type);
    return b.lambda(params, fill);
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
    for (const Name& name : b.let_all({"ms"}, Map{n_, fn, arrays, {}})) scope.arrays.push_back(name);
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

  Lambda sum_operator(Builder& b) { return binop_lambda(b, BinOpKind::add, PrimType::f64); }

  /// An associative operator on scalars, with its neutral element: +, *, min, max, or one without a rule of its own.
  std::pair<Lambda, Atom> scalar_operator(Builder& b) {
    const double inf = std::numeric_limits<double>::infinity();
    switch (pick(6)) {
      case 0: return {binop_lambda(b, BinOpKind::add, PrimType::f64), f64(0)};
      case 1: return {binop_lambda(b, BinOpKind::mul, PrimType::f64), f64(1)};
      case 2: return {binop_lambda(b, BinOpKind::min, PrimType::f64), f64(inf)};
      case 3: return {binop_lambda(b, BinOpKind::max, PrimType::f64), f64(-inf)};
      default: return {on(b, {real_, real_}, [&](Builder& i, const std::vector<Name>& p) {
                         return std::vector<Atom>{add(i, add(i, p[0], p[1]), mul(i, f64(0.5), mul(i, p[0], p[1])))};
                       }), f64(0)};
    }
  }

  /// Back to the order of 1; infinities, which empty arrays leave, to 0.
  Atom tame(Builder& b, const Atom& x) {
    const Atom is_finite = b.cmp("finite", CmpOpKind::lt, b.unop("size", UnOpKind::abs, x), f64(1e6));
    Builder inside(b.names);
    const Atom sine = inside.math("tamed", MathFn::sin, {x});
    return b.let("tamed", If{is_finite, {inside.stms, {sine}}, {{}, {f64(0)}}});
  }
  Name tamed(Builder& b, const Name& xs) {
    const Lambda fn = on(b, {real_}, [&](Builder& i, const std::vector<Name>& p) { return std::vector<Atom>{tame(i, p[0])}; });
    return b.let("tamed", Map{n_, fn, {xs}, {}});
  }

  Atom reduce(Builder& b, const Scope& scope) {
    const auto [op, neutral] = scalar_operator(b);
    return tame(b, b.let("reduced", Reduce{n_, op, {neutral}, {some(scope.arrays)}}));
  }
  Name scan(Builder& b, const Scope& scope) {
    const auto [op, neutral] = scalar_operator(b);
    return tamed(b, b.let("scanned", Scan{n_, op, {neutral}, {some(scope.arrays)}}));
  }

  /// (a, b) (c, d) -> (a c, b c + d): linear functions; or sums and products side by side.
  Lambda tuple_operator(Builder& b) {
    const bool is_linear = pick(2);
    return on(b, {real_, real_, real_, real_}, [&](Builder& i, const std::vector<Name>& p) {
      if (is_linear) return std::vector<Atom>{mul(i, p[0], p[2]), add(i, mul(i, p[1], p[2]), p[3])};
      return std::vector<Atom>{mul(i, p[0], p[2]), add(i, p[1], p[3])};
    });
  }
  void reduce_tuples(Builder& b, Scope& scope) {
    const auto r = b.let_all({"r"}, Reduce{n_, tuple_operator(b), {f64(1), f64(0)}, {some(scope.arrays), some(scope.arrays)}});
    scope.reals.insert(scope.reals.end(), {tame(b, r[0]), tame(b, r[1])});
  }
  void scan_tuples(Builder& b, Scope& scope) {
    const auto r = b.let_all({"r"}, Scan{n_, tuple_operator(b), {f64(1), f64(0)}, {some(scope.arrays), some(scope.arrays)}});
    scope.arrays.insert(scope.arrays.end(), {tamed(b, r[0]), tamed(b, r[1])});
  }

  /// Reductions, scans and histograms of rows, whose operator is a map of one on scalars.
  void rows(Builder& b, Scope& scope) {
    const auto [op, neutral] = scalar_operator(b);
    const Name yss = some(scope.matrices);
    const Type row = array(PrimType::f64, {i64(columns_)});
    const Name neutrals = b.let("neutrals", Replicate{{i64(columns_)}, neutral});
    const Lambda on_rows = on(b, {row, row}, [&, op = op](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{i.let("r", Map{i64(columns_), rename(op, b.names), {p[0], p[1]}, {}})};
    });
    const auto tamed_row = [&](Builder& i, const Name& r) {
      const Lambda fn = on(i, {real_}, [&](Builder& k, const std::vector<Name>& p) { return std::vector<Atom>{tame(k, p[0])}; });
      return i.let("row", Map{i64(columns_), fn, {r}, {}});
    };
    if (pick(2)) {
      const Name r = b.let("reduced_rows", Reduce{n_, on_rows, {neutrals}, {yss}});
      scope.reals.emplace_back(b.index("e", tamed_row(b, r), {i64(pick(columns_))}));
      return;
    }
    Name result;
    if (pick(2)) {
      result = b.let("scanned_rows", Scan{n_, on_rows, {neutrals}, {yss}});
    } else {
      const Name destination = b.let("bins", Copy{some(scope.matrices)});
      const Lambda identity = on(b, {integer_, row}, [](Builder&, const std::vector<Name>& p) { return std::vector<Atom>{p[0], p[1]}; });
      result = b.let("bins", ReduceByIndex{n_, {{{n_}, {destination}, on_rows, {neutrals}}}, identity, {bins(b), yss}});
    }
    const Lambda tame_rows = on(b, {row}, [&](Builder& i, const std::vector<Name>& p) { return std::vector<Atom>{tamed_row(i, p[0])}; });
    scope.matrices.push_back(b.let("rows", Map{n_, tame_rows, {result}, {}}));
  }

  /// A scan of rows whose operator mixes their elements: no map of one on scalars.
  void scan_products(Builder& b, Scope& scope) {
    const Type row = array(PrimType::f64, {i64(columns_)});
    const Name ones = b.let("one", ArrayLiteral{real_, {f64(1), f64(0), f64(0)}});
    const Lambda multiply = on(b, {row, row}, [&](Builder& i, const std::vector<Name>& p) {  // polynomials, cut off
      std::vector<Atom> products;
      for (int degree = 0; degree < columns_; ++degree) {
        Atom sum = f64(0);
        for (int k = 0; k <= degree; ++k)
          sum = add(i, sum, mul(i, i.index("x", p[0], {i64(k)}), i.index("y", p[1], {i64(degree - k)})));
        products.push_back(sum);
      }
      return std::vector<Atom>{i.let("r", ArrayLiteral{real_, products})};
    });
    const Name scanned = b.let("polynomials", Scan{n_, multiply, {ones}, {some(scope.matrices)}});
    const Name columns = b.let("columns", Rearrange{{1, 0}, scanned});
    scope.arrays.push_back(tamed(b, b.let("column", Index{columns, {i64(pick(columns_))}, false})));
  }

  /// A function with a derivative of its own, which is the true one.
  void custom(Builder& b, Scope& scope) {
    const Lambda fn = on(b, {real_}, [&](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{i.math("y", MathFn::exp, {i.unop("y", UnOpKind::neg, p[0])})};
    });
    const Lambda vjp = on(b, {real_, real_}, [&](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{i.unop("x_adj", UnOpKind::neg, mul(i, p[0], p[1]))};
    });
    const Atom x = b.unop("size", UnOpKind::abs, some(scope.reals));
    scope.reals.emplace_back(b.let("y", WithVjp{fn, vjp, {x}}));
  }

  /// Some indices, a few equal, a few out of bounds.
  Name bins(Builder& b) {
    const unsigned divisor = 1 + pick(3), offset = pick(3);
    const Lambda fn = on(b, {integer_}, [&](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{i.binop("bin", BinOpKind::sub, i.binop("bin", BinOpKind::quot, p[0], i64(divisor)), i64(offset))};
    });
    return b.let("bins", Map{n_, fn, {b.let("is", Iota{n_})}, {}});
  }

  /// Two histograms of what one function computes, as fusion leaves them.
  void fused_histograms(Builder& b, Scope& scope) {
    const auto [first_op, first_neutral] = scalar_operator(b);
    const auto [second_op, second_neutral] = scalar_operator(b);
    const Name first = b.let("cells", Copy{some(scope.arrays)}), second = b.let("cells", Copy{some(scope.arrays)});
    const Lambda fn = on(b, {integer_, real_}, [&](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{p[0], i.math("v", MathFn::sin, {p[1]}), add(i, p[0], i64(1)), mul(i, p[1], p[1])};
    });
    const ReduceByIndex fused{
        n_, {{{n_}, {first}, first_op, {first_neutral}}, {{n_}, {second}, second_op, {second_neutral}}}, fn, {bins(b), some(scope.arrays)}};
    for (const Name& cells : b.let_all({"cells"}, fused)) scope.arrays.push_back(tamed(b, cells));
  }

  void histogram(Builder& b, Scope& scope) {
    if (pick(4) == 0) return fused_histograms(b, scope);
    const auto [op, neutral] = scalar_operator(b);
    const Name destination = b.let("cells", Copy{some(scope.arrays)});
    const Lambda identity = on(b, {integer_, real_}, [](Builder&, const std::vector<Name>& p) { return std::vector<Atom>{p[0], p[1]}; });
    scope.arrays.push_back(tamed(b, b.let("cells", ReduceByIndex{n_, {{{n_}, {destination}, op, {neutral}}}, identity,
                                                                 {bins(b), some(scope.arrays)}})));
  }

  /// To distinct places: every one but the first, moved down by one, and one nowhere.
  void scatter(Builder& b, Scope& scope) {
    const Name destination = b.let("cells", Copy{some(scope.arrays)});
    const Lambda fn = on(b, {integer_}, [&](Builder& i, const std::vector<Name>& p) {
      return std::vector<Atom>{i.binop("place", BinOpKind::sub, p[0], i64(1))};
    });
    const Name places = b.let("places", Map{n_, fn, {b.let("is", Iota{n_})}, {}});
    scope.arrays.push_back(b.let("cells", Scatter{n_, {places}, {destination}, {some(scope.arrays)}}));
  }

  void accumulate(Builder& b, Scope& scope, int depth) {
    const Name start = b.let("start", Copy{some(scope.arrays)});
    Type type = row_type_of(n_);
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

  void branch(Builder& b, Scope& scope, int depth) {
    const Atom c = condition(b, scope);
    const auto body = [&] {
      Builder inner(b.names);
      Scope local = scope;
      statements(inner, local, 2, depth - 1);
      return Body{inner.stms, {some(local.reals), some(local.arrays)}};
    };
    Body yes = body(), no = body();
    const auto r = b.let_all({"r", "rs"}, If{c, std::move(yes), std::move(no)});
    scope.reals.emplace_back(r[0]);
    scope.arrays.push_back(r[1]);
  }

  void loop(Builder& b, Scope& scope, int depth) {
    std::vector<LoopParam> params;
    Scope local = scope;
    for (int i = 0; i < 2; ++i) {
      params.push_back({b.names.fresh_param("v", real_), some(scope.reals)});
      local.reals.emplace_back(params.back().param.name);
    }
    params.push_back({b.names.fresh_param("vs", row_type_of(n_)), some(scope.arrays)});
    local.arrays.push_back(params.back().param.name);
    const Name i = b.names.bind_fresh("i", integer_);
    local.integers.emplace_back(i);
    Builder inner(b.names);
    statements(inner, local, 2, depth - 1);
    const std::vector<Atom> next{arithmetic(inner, local), some(local.reals), some(local.arrays)};
    std::vector<Attribute> attributes;
    if (pick(3) == 0) attributes = {{"stripmine", {i64(2)}}};
    Loop exp{params, ForLoop{i, PrimType::i64, i64(pick(6))}, {inner.stms, next}};
    std::vector<Param> pattern;
    for (const LoopParam& p : params) pattern.push_back(b.names.fresh_param("last", p.param.type));
    b.let(pattern, std::move(exp), attributes);
    std::vector<Name> last;
    for (const Param& p : pattern) last.push_back(p.name);
    scope.reals.insert(scope.reals.end(), {last[0], last[1]});
    scope.arrays.push_back(last[2]);
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
    const auto last = b.let_all({"last"}, Loop{{goes_on, i, v}, WhileLoop{goes_on.param.name}, {inner.stms, {more, next, value}}});
    scope.reals.emplace_back(last[2]);
  }

  // ---- Updates in place ----

  void updates(Builder& b, Scope& scope, int depth) {
    const Name start = b.let("us", Copy{some(scope.arrays)});
    Builder inside(b.names);
    Scope local = scope;
    const Name last = nest(inside, local, start, depth);
    scope.arrays.push_back(b.let("us", If{not_empty(b), {inside.stms, {last}}, {{}, {start}}}));
  }

  /// Statements that turn the array into its next version; what they read of it comes into scope. n is positive.
  Name nest(Builder& b, Scope& scope, Name us, int depth) {
    if (pick(2)) scope.reals.emplace_back(b.index("u", us, {index(b, scope)}, true));
    switch (depth > 0 ? pick(7) : 0) {
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
        const LoopParam param{b.names.fresh_param("us", row_type_of(n_), true), us};
        const LoopParam v{b.names.fresh_param("v", real_), some(scope.reals)};
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
      default: {
        const Atom at = index(b, scope);
        scope.reals.emplace_back(b.index("u", us, {at}, true));
        const Atom value = arithmetic(b, scope);
        return b.let("us", Update{us, {at}, value, true});
      }
    }
  }

  static constexpr std::int64_t columns_ = 3;
  const Type real_ = scalar(PrimType::f64), integer_ = scalar(PrimType::i64);
  std::mt19937 random_;
  TestProgram p_;
  Name n_, callee_;
};

}  // namespace boustro::ad::testing
