// What random programs have in common: the names that can be used, by type, and branches and loops around more statements.
// Which statements there are, a class derived from this says.
#pragma once

#include <random>

#include "tests/unit/transform/program_builder.hpp"

namespace boustro::ir::testing {

class RandomScopes {
 public:
  virtual ~RandomScopes() = default;

 protected:
  explicit RandomScopes(unsigned seed) : random_(seed) {}

  /// What can be used: scalars, [n]f64, [n][3]f64.
  struct Scope {
    std::vector<Atom> reals, integers;
    std::vector<Name> arrays, matrices;
  };

  /// One random statement, or several; what they bind comes into scope. At depth 0 there are no further scopes inside.
  virtual void statement(Builder& b, Scope& scope, int depth) = 0;
  /// A random number made of those in scope.
  virtual Atom arithmetic(Builder& b, const Scope& scope) = 0;

  virtual Atom condition(Builder& b, const Scope& scope) {
    return b.cmp("c", CmpOpKind::lt, some(scope.integers), some(scope.integers));
  }

  void statements(Builder& b, Scope& scope, int count, int depth) {
    for (int i = 0; i < count; ++i) statement(b, scope, depth);
  }

  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

  template <typename T>
  const T& some(const std::vector<T>& list) {
    const std::size_t a = random_() % list.size(), b = random_() % list.size();
    return list[std::max(a, b)];  // late ones more often, for longer chains
  }

  Type row_type() const { return array(PrimType::f64, {n_}); }

  /// A number and an array, from one of two bodies of two statements.
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

  /// A loop that carries two numbers, and an array if it says so.
  void loop(Builder& b, Scope& scope, int depth, bool with_array, std::vector<Attribute> attributes = {}) {
    std::vector<LoopParam> params;
    Scope local = scope;
    for (int i = 0; i < 2; ++i) {
      params.push_back({b.names.fresh_param("v", real_), some(scope.reals)});
      local.reals.emplace_back(params.back().param.name);
    }
    if (with_array) {
      params.push_back({b.names.fresh_param("vs", row_type()), some(scope.arrays)});
      local.arrays.push_back(params.back().param.name);
    }
    const Name i = b.names.bind_fresh("i", integer_);
    local.integers.emplace_back(i);
    Builder inner(b.names);
    statements(inner, local, 2, depth - 1);
    std::vector<Atom> next{arithmetic(inner, local), some(local.reals)};
    if (with_array) next.emplace_back(some(local.arrays));
    std::vector<Param> pattern;
    for (const LoopParam& p : params) pattern.push_back(b.names.fresh_param("last", p.param.type));
    b.let(pattern, Loop{params, ForLoop{i, PrimType::i64, int_atom(pick(6))}, {inner.stms, next}}, std::move(attributes));
    scope.reals.insert(scope.reals.end(), {pattern[0].name, pattern[1].name});
    if (with_array) scope.arrays.push_back(pattern[2].name);
  }

  const Type real_ = scalar(PrimType::f64), integer_ = scalar(PrimType::i64);
  std::mt19937 random_;
  TestProgram p_;
  Name n_;
};

}  // namespace boustro::ir::testing
