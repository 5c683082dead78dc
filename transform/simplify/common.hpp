// Common subexpressions: the statement seen before that computes the same.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/simplify/rule.hpp"

namespace boustro::simplify {

/// The same for expressions that differ in the names that they bind, in provenance, or in the order of operands that
/// commute.
ir::Exp canonical(const ir::Exp& exp);
std::size_t hash_of(const ir::Exp& canonical);
/// Equal but for the names that they bind, and for provenance.
bool equal_up_to_names(const ir::Body& a, const ir::Body& b);

/// The expressions of the enclosing scopes.
class CommonExpressions {
 public:
  /// The pattern of an earlier statement in scope with the same value; else remembers this one.
  /// Results that are not settled are neither merged nor remembered: a fresh array that is updated
  /// stays its own. A number that is read of an array behind updates of other places is the one
  /// that was read before them.
  const std::vector<ir::Param>* find_or_add(const ir::Stm& stm, const Context& context);

  std::size_t enter_scope() const { return log_.size(); }
  void leave_scope(std::size_t mark);

 private:
  struct Entry {
    ir::Exp exp;
    std::vector<ir::Param> pattern;
  };
  std::unordered_multimap<std::size_t, Entry> table_;
  std::vector<std::unordered_multimap<std::size_t, Entry>::iterator> log_;
};

}  // namespace boustro::simplify
