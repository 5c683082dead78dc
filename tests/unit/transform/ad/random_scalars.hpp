// Random numbers that have a derivative almost everywhere and stay of the order of 1, conditions and indices.
#pragma once

#include <cmath>
#include <limits>

#include "tests/unit/transform/random_scopes.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::ad::testing {

using namespace ir;
using namespace ir::testing;

class RandomScalars : protected RandomScopes {
 protected:
  using RandomScopes::RandomScopes;

  Atom add(Builder& b, const Atom& x, const Atom& y) { return b.binop("s", BinOpKind::add, x, y); }
  Atom mul(Builder& b, const Atom& x, const Atom& y) { return b.binop("p", BinOpKind::mul, x, y); }

  /// Of the order of 1, for operands that are.
  Atom arithmetic(Builder& b, const Scope& scope) override {
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

  Atom condition(Builder& b, const Scope& scope) override {
    if (pick(2)) return b.cmp("c", CmpOpKind::lt, some(scope.integers), some(scope.integers));
    return b.cmp("c", CmpOpKind::lt, some(scope.reals), some(scope.reals));
  }

  /// An index below n where n is positive.
  Atom index(Builder& b, const Scope& scope) {
    return b.binop("at", BinOpKind::mod, add(b, some(scope.integers), i64(pick(3))), n_);
  }

  Atom not_empty(Builder& b) { return b.cmp("some", CmpOpKind::lt, i64(0), n_); }

  Lambda on(Builder& b, const std::vector<Type>& types, const std::function<std::vector<Atom>(Builder&, const std::vector<Name>&)>& fill) {
    std::vector<std::pair<std::string, Type>> params;
    for (const Type& type : types) params.emplace_back("x", type);
    return b.lambda(params, fill);
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

  static constexpr std::int64_t columns_ = 3;
  Name callee_;
};

}  // namespace boustro::ad::testing
