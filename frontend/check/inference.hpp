// Inference variables and unification.
//
// A type or size that is yet to be found is a name with an id from `first_variable` on, in the
// place of a type variable or size. So one representation serves before and after inference;
// `resolve` follows solutions.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/intrinsics.hpp"
#include "frontend/check/types.hpp"

namespace boustro::check {

/// The primitive types that a type may be, one bit each.
using PrimSet = std::uint16_t;
constexpr PrimSet no_prims = 0;
PrimSet prims_of(TypeClass type_class);  // for classes other than any and equality
constexpr PrimSet bit_of(PrimType prim) { return PrimSet(1u << static_cast<int>(prim)); }

/// What a type may hold: plain ones no functions and no arrays whose sizes differ from value to
/// value, so that they can be elements of arrays; size-lifted ones no functions.
enum class Lift { plain, sizes, functions };
Lift lift_of(TypeParam::Kind kind);
TypeParam::Kind kind_of(Lift lift);

/// What a type must have, known before the type itself is.
struct Constraint {
  Lift lift = Lift::functions;
  PrimSet prims = no_prims;               // if any: it is one of these
  bool equality = false;                  // it holds no functions
  std::vector<Field> fields;              // it is a record with these
  std::vector<Constructor> constructors;  // it is a sum with these
};

class Inference {
 public:
  /// A name that no other equals.
  Name fresh_name(std::string text);
  /// Scopes that are open. What was made in an outer scope cannot come to mention a name of an
  /// inner one.
  int level() const { return level_; }
  void set_level(int level) { level_ = level; }
  int level_of(const Name& variable) const { return this->variable(variable).level; }
  /// A name that all scopes see.
  void make_global(const Name& name) { levels_[std::size_t(name.id)] = 0; }
  /// A type parameter that may stand for more than plain types.
  void set_lift(const Name& type_param, Lift lift) { lifts_[type_param.id] = lift; }
  /// Is this the size of a function's result, which differs from call to call, and stands outside
  /// of the function's type?
  bool is_size_of_calls(const Name& name) const;
  int name_count() const {
    return static_cast<int>(levels_.size());
  }  // names made from now on have ids from this on

  Type fresh_type(SourceRange at, Constraint constraint = {});
  /// `text` names the size parameter that it may become.
  Size fresh_size(const std::string& text, SourceRange at);
  /// A size that differs from others unless it must not: of a loop parameter, before the body is
  /// known.
  Size fresh_loop_size(const std::string& text, SourceRange at);
  /// A size that nothing needs to decide: of a value that is never made.
  Size fresh_unneeded_size();

  bool is_variable(const Name& name) const { return name.id >= first_variable; }
  const Constraint& constraint_of(const Name& variable) const;
  /// Adds the variables that a variable's fields and constructors mention.
  void add_constrained(const Name& variable, std::set<int>& ids) const;
  bool is_loop_size(const Name& variable) const;
  bool is_unneeded(const Name& variable) const { return this->variable(variable).unneeded; }
  SourceRange origin_of(const Name& variable) const;
  const std::string& text_of(const Name& variable) const;
  void solve(const Name& variable, Type type);
  void solve(const Name& variable, Size size);

  /// The solution so far at the root of the type; `resolve_all` everywhere in it.
  Type resolve(const Type& type) const;
  Type resolve_all(const Type& type) const;
  Size resolve(const Size& size) const;

  /// Makes two types equal. On failure says why in a few words (possibly none, if the types say it
  /// themselves), and nothing has changed.
  std::optional<std::string> unify(const Type& expected, const Type& actual);
  /// The same, but on failure nothing has changed.
  bool try_unify(const Size& a, const Size& b);
  bool try_unify(const Type& a, const Type& b);
  /// Makes sure that a type holds no more than that. On failure says why.
  std::optional<std::string> restrict(const Type& type, Lift lift);
  /// As try_unify, but does not decide a loop's size.
  bool try_unify_branch_sizes(const Size& a, const Size& b);

  /// What a size that has a name is: known when it is compared with others. Parts of it may become
  /// sizes themselves if it `lasts`.
  void define(const Name& name, Size size, bool lasts) {
    definitions_.insert_or_assign(name.id, SizeDefinition{std::move(size), lasts});
  }
  /// The size in terms of what has no definition.
  Size expanded(const Size& size) const;

  /// With `_` for what is not known yet.
  std::string print(const Type& type) const;
  std::string print(const Size& size) const;

 private:
  static constexpr int first_variable = 1 << 30;
  static constexpr int level_of_calls =
      1 << 20;  // of names that function types bind, while they are compared
  struct Variable {
    std::string text;
    SourceRange at;
    int level = 0;
    bool loop_size = false;
    bool unneeded = false;
    std::optional<Type> type;
    std::vector<Name> existentials =
        {};  // of `type`: each call of a function that yields it has its own
    std::optional<Size> size;
    Constraint constraint;
  };

  std::string text_of_open(const Name& name) const;
  Name new_variable(Variable variable);
  Name name_of_calls(const std::string& text) const;
  Variable& variable(const Name& name) { return variables_[std::size_t(name.id - first_variable)]; }
  const Variable& variable(const Name& name) const {
    return variables_[std::size_t(name.id - first_variable)];
  }
  Variable& change(const Name& name);  // remembers the old state while trying
  template <typename Attempt>
  bool attempt(Attempt try_it);

  bool unify_types(const Type& a, const Type& b);
  bool unify_arguments(const TypeVariable& a, const TypeVariable& b);
  bool unify_records(const RecordType& a, const RecordType& b);
  bool unify_sums(const SumType& a, const SumType& b);
  bool unify_functions(const FunctionType& a, const FunctionType& b);
  bool bind(const Name& variable, const Type& type);
  bool merge_constraints(const Name& from, const Name& into);
  bool satisfies(const Constraint& constraint, const Type& type);
  bool unify_sizes(const Size& a, const Size& b);
  bool unify_computed_sizes(const Size& a, const Size& b);
  bool unify_size_expressions(const Exp& a, const Exp& b);
  Size taken_apart(const Size& size) const;
  bool bind(const Name& variable, const Size& size);
  bool occurs_in(const Name& variable, const Type& type) const;
  std::optional<std::vector<Name>> sizes_of_calls(const Name& variable, const Type& type);
  bool leaves_scope(const Name& variable, const Type& type, const std::vector<Name>& existentials);
  bool leaves_scope(const Name& variable, const Name& mentioned);
  bool compares(const Type& type);
  bool restrict_type(const Type& type, Lift lift);
  bool fail(std::string reason);

  int level_ = 0;
  mutable std::vector<int> levels_;  // of names, by id; a type that is looked at may need new ones
  std::unordered_map<int, Lift> lifts_;  // of type parameters, by id, if not plain
  struct SizeDefinition {
    Size size;
    bool lasts;
  };
  std::unordered_map<int, SizeDefinition> definitions_;  // of names, by id
  bool has_existential_solutions_ = false;
  std::vector<Variable> variables_;
  std::optional<std::vector<std::pair<int, Variable>>> trail_;
  std::string reason_;
};

/// While it lives we are in an inner scope.
class Level {
 public:
  explicit Level(Inference& inference) : inference_(inference), before_(inference.level()) {
    deepen();
  }
  ~Level() { leave(); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  /// What follows does not concern what is there already, as a parameter those before it.
  void deepen() { inference_.set_level(inference_.level() + 1); }
  void leave() { inference_.set_level(before_); }

 private:
  Inference& inference_;
  int before_;
};

}  // namespace boustro::check
