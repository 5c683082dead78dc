// What a rewrite rule is, and what it may ask about the program around its statement.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/facts/sizes.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"
#include "transform/ir/traversal.hpp"
#include "transform/simplify/known_sizes.hpp"

namespace boustro::simplify {

/// How often each name is used. Never less than the truth.
using UseCounts = std::unordered_map<ir::Name, int>;
enum class AccumulatorMode { add_up, overwrite, combine };

/// What is known where a statement stands. All tables are keyed by name: names are unique in a
/// program, so nothing needs to be forgotten at the end of a scope.
class Context {
 public:
  Context(ir::Names& names, const facts::Aliases& aliases, UseCounts& uses)
      : names(names), aliases_(aliases), uses_(uses) {}

  ir::Names& names;

  /// The expression that defines a name, if it has one result and no bodies; or is a map of arrays that are all reshaped.
  const ir::Exp* definition(const ir::Atom& atom) const;
  template <typename T>
  const T* defined_as(const ir::Atom& atom) const {
    const ir::Exp* exp = definition(atom);
    return exp ? std::get_if<T>(exp) : nullptr;
  }

  /// A read of it means the same wherever it stands: a scalar, or an array that is never updated.
  bool settled(const ir::Atom& atom) const;
  /// Both are settled, and the copy may be the array itself: it does not outlive the step of a loop in which that is so.
  bool copy_may_be(const ir::Name& copy, const ir::Name& array) const {
    return settled(array) && settled(copy) && !aliases_.would_outlive_step(copy, array);
  }
  /// A fresh array of the current body that only one expression uses: that one may have its memory.
  bool last_use_of_fresh(const ir::Name& name) const;
  /// From now on the array may be updated, under another name.
  void give_away(const ir::Name& array) { given_away_.insert(array); }
  int uses(const ir::Name& name) const;
  /// A scalar that is bound in the current body by the statement at hand alone.
  bool only_used_here(const ir::Name& name) const;

  /// Zero, or an array of zeros. Of floats: 0.0 alone, not -0.0.
  bool is_zero(const ir::Atom& atom) const;
  /// Known: 0 <= index < size.
  bool in_bounds(const ir::Atom& index, const ir::Atom& size) const;
  /// Known: all indices and slices are inside of the array.
  bool in_bounds(const std::vector<ir::DimIndex>& indices, const ir::Name& array) const;
  /// A loop index or an element of an iota, so not negative.
  bool is_index(const ir::Atom& atom) const;
  /// Known: 0 or more, where the statement stands.
  bool not_negative(const ir::Atom& number) const;
  std::optional<AccumulatorMode> mode_of(const ir::Name& accumulator) const;

  /// Of the scopes around the statement; unlike the tables it forgets.
  KnownSizes sizes;

  // What follows is for the walk that calls the rules.
  void define(const ir::Stm& stm);
  void set_range(const ir::Name& index, const ir::Atom& bound) {
    ranges_.insert_or_assign(index, bound);
  }
  void set_mode(const ir::Name& accumulator, AccumulatorMode mode) { modes_[accumulator] = mode; }
  /// Adds `sign` for each use in the statement, at any depth.
  void count(const ir::Stm& stm, int sign);
  void add_uses(const ir::Name& name, int count) { uses_[name] += count; }
  int enter_body() { return std::exchange(body_, ++bodies_); }
  void leave_body(int outer) { body_ = outer; }

 private:
  bool maps_reshaped(const ir::Exp& exp) const;
  void describe(const ir::Atom& number, facts::Sizes& sizes, ir::NameSet& described) const;

  const facts::Aliases& aliases_;
  UseCounts& uses_;
  std::unordered_map<ir::Name, ir::Exp> definitions_;
  std::unordered_map<ir::Name, int> fresh_;  // arrays, to the body that binds them
  std::unordered_map<ir::Name, int> scalars_;
  std::unordered_map<ir::Name, ir::Atom> ranges_;
  std::unordered_map<ir::Name, AccumulatorMode> modes_;
  ir::NameSet given_away_;
  int bodies_ = 0, body_ = 0;
};

/// Statements in place of one, binding the names that it bound.
using Rewrite = std::vector<ir::Stm>;

/// `nullopt` means "does not apply", and then the statement is as it was; a rule that applies may
/// take it apart. A rule makes the program smaller, or nearer to a form that others make smaller,
/// so that no sequence of rules goes on for ever.
struct Rule {
  std::string_view name;
  std::optional<Rewrite> (*apply)(ir::Stm& stm, Context& context);
};

/// The rules for expressions of this kind, in the order in which they are tried.
std::span<const Rule> rules_for(const ir::Exp& exp);

// ---- Shorthands for rules

/// let <the statement's pattern> = exp
Rewrite replaced(ir::Stm& stm, ir::Exp exp);
/// The builder's statements, then `let <the statement's pattern> = exp`.
Rewrite replaced(ir::Stm& stm, ir::Exp exp, ir::Builder& before);
/// let param = exp, with the origin of `like`.
ir::Stm let(const ir::Param& param, ir::Exp exp, const ir::Stm& like);

/// Removes the elements whose flag is set.
template <typename T>
void erase_flagged(std::vector<T>& list, const std::vector<bool>& flags, std::size_t first = 0) {
  std::size_t kept = first;
  for (std::size_t i = first; i < list.size(); ++i) {
    if (i - first < flags.size() && flags[i - first]) continue;
    if (kept != i) list[kept] = std::move(list[i]);
    ++kept;
  }
  list.resize(kept);
}

/// All of a dimension of this size, and whether an index is that.
ir::Slice whole(const ir::Atom& size);
bool is_whole(const ir::DimIndex& index, const ir::Atom& size);
bool is_literal(const ir::Atom& atom, std::int64_t value);
/// A body without statements: its results are known outside of it.
inline bool is_trivial(const ir::Body& body) { return body.stms.empty(); }

}  // namespace boustro::simplify
