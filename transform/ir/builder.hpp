// How passes make statements: the builder invents names and finds types, so that nobody spells a fresh
// name or states a type that follows from the expression.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::ir {

/// The base with an ending that says what is made of it, once: `state` and `state_kept` as `state_kept`.
std::string with_ending(std::string_view base, std::string_view ending);

/// The names of one program: gives out fresh ones, and knows the type of every one bound so far.
class Names {
 public:
  Names() = default;
  /// Knows all names that are bound in the program.
  explicit Names(const Program& program);

  Name fresh(std::string_view base);
  /// A fresh name with the base of `like`.
  Name fresh(const Name& like) { return fresh(like.base); }
  /// Records the type of a name; again to change it.
  void bind(const Name& name, Type type);
  Name bind_fresh(std::string_view base, Type type);
  Param fresh_param(std::string_view base, Type type, bool unique = false);

  const Type& type_of(const Name& name) const;  // internal error if unknown
  Type type_of(const Atom& atom) const;
  bool knows(const Name& name) const;

  /// The types of an expression's results, one a result. Existential sizes cannot be found this way: an
  /// If or Loop with size results needs an explicit pattern (Builder::let with a pattern).
  std::vector<Type> types_of(const Exp& exp) const;

  /// Result types of functions, for Call.
  void bind_function(const Function& function);

 private:
  int next_tag_ = 1;
  std::unordered_map<Name, Type> types_;
  std::vector<Type> types_of_call(const Call& call) const;

  struct Signature {
    std::vector<Param> params;
    std::vector<Type> result_types;
  };
  std::unordered_map<Name, Signature> functions_;
};

/// Appends statements to a list. `origin` is given to each statement; a rule sets it once.
class Builder {
 public:
  explicit Builder(Names& names, Provenance origin = {}) : names(names), origin(std::move(origin)) {}

  /// let base = exp, for an expression with one result.
  Name let(std::string_view base, Exp exp);
  /// let (bases...) = exp; one base for each result, or a single one for all.
  std::vector<Name> let_all(const std::vector<std::string>& bases, Exp exp);
  /// let pattern = exp, the pattern being known, such as when a statement is copied.
  void let(std::vector<Param> pattern, Exp exp, std::vector<Attribute> attributes = {});
  /// A statement that is already complete.
  void add(Stm stm);
  void add(const std::vector<Stm>& more);

  // Shorthands for what rules write most. Each folds nothing: simplification does that.
  Atom unop(std::string_view base, UnOpKind kind, const Atom& x);
  Atom binop(std::string_view base, BinOpKind kind, const Atom& x, const Atom& y);
  Atom cmp(std::string_view base, CmpOpKind kind, const Atom& x, const Atom& y);
  Atom math(std::string_view base, MathFn fn, std::vector<Atom> args);
  Atom convert(std::string_view base, PrimType to, const Atom& x);
  Name index(std::string_view base, const Name& array, std::vector<Atom> indices, bool checked = false);

  /// assert c, an expression without results.
  void assert_that(const Atom& condition, std::string message, std::vector<Atom> args = {});

  /// A lambda with fresh parameters of these types; `fill` builds its body with the builder that it is
  /// given and returns the results. The lambda's result types are those of the results.
  template <typename Fill>
  Lambda lambda(const std::vector<std::pair<std::string, Type>>& params, Fill&& fill) {
    Lambda result;
    std::vector<Name> names_of_params;
    for (const auto& [base, type] : params) {
      result.params.push_back(names.fresh_param(base, type));
      names_of_params.push_back(result.params.back().name);
    }
    Builder inner(names, origin);
    result.body.result = fill(inner, names_of_params);
    result.body.stms = std::move(inner.stms);
    for (const Atom& atom : result.body.result) result.result_types.push_back(names.type_of(atom));
    return result;
  }

  Names& names;
  Provenance origin;
  std::vector<Stm> stms;
};

/// The same body or lambda with every name that it binds replaced by a fresh one; free names stay, except
/// that those in `substitution` are replaced.
using Substitution = std::unordered_map<Name, Atom>;
Body rename(const Body& body, Names& names, Substitution substitution = {});
Lambda rename(const Lambda& lambda, Names& names, Substitution substitution = {});
std::vector<Stm> rename(const std::vector<Stm>& stms, Names& names, Substitution& substitution);
/// The function keeps its own name.
Function rename(const Function& function, Names& names);

/// Inserts the lambda's body, its parameters replaced by `args`; yields its results.
std::vector<Atom> inline_lambda(Builder& builder, const Lambda& lambda, const std::vector<Atom>& args);

}  // namespace boustro::ir
