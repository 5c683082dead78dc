// Random reductions, scans and reductions by index: operators that have rules of their own and others, on numbers, pairs and rows.
#pragma once

#include "tests/unit/transform/ad/random_scalars.hpp"

namespace boustro::ad::testing {

class RandomFolds : protected RandomScalars {
 protected:
  using RandomScalars::RandomScalars;

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
};

}  // namespace boustro::ad::testing
