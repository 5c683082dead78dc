// What is known of integers: which are equal, which bound which.
//
// Statements define numbers as polynomials of others; sizes are at least 0; an index of a loop or of an iota lies in
// [0, bound). Arithmetic on such numbers is taken not to overflow, since arrays of such sizes would not fit into memory; of
// other numbers nothing is claimed but equality.
#pragma once

#include <unordered_map>

#include "transform/facts/polynomial.hpp"

namespace boustro::facts {

class Sizes {
 public:
  // ---- What is known. All of it holds for as long as the names live; they are unique in a program.
  /// Arithmetic on i64 that cannot fail; other statements define nothing, but sizes in the types of what they bind are sizes.
  void define(const ir::Stm& stm);
  /// The same before what is inside of it: in there, the index of a loop has bounds.
  void enter(const ir::Stm& stm);
  /// The sizes that a type mentions.
  void declare(const ir::Type& type);
  /// A size, or a number that is known to be at least that.
  void declare_size(const ir::Name& name, std::int64_t least = 0);
  /// 0 <= index < bound, where it is in scope.
  void declare_index(const ir::Name& index, const ir::Atom& bound);

  // ---- What follows
  /// The number in terms of names that are not defined by others.
  Polynomial value(const ir::Atom& atom) const;
  bool equal(const ir::Atom& x, const ir::Atom& y) const { return value(x) == value(y); }
  /// Proven to be 0 or more.
  bool not_negative(const Polynomial& p) const;
  bool at_most(const Polynomial& x, const Polynomial& y) const;
  bool less(const Polynomial& x, const Polynomial& y) const;
  /// Proven: 0 <= index < size.
  bool in_bounds(const ir::Atom& index, const ir::Atom& size) const;
  /// The least known bound that mentions none of these names, for numbers that vary with them.
  std::optional<Polynomial> upper_bound(const Polynomial& p, const ir::NameSet& without) const;

 private:
  struct Bounds {
    std::vector<Polynomial> lower, upper;  // each of them is one; in terms of names that were declared before
    int serial = 0;
  };
  Bounds& bounds_of(const ir::Name& name);
  bool is_bounded(const Polynomial& p) const;
  void define_bounded(const ir::Name& name, const ir::BinOp& op);
  void define_extreme(const ir::Name& name, bool least, const Polynomial& x, const Polynomial& y);
  /// The name that was declared last.
  const ir::Name* latest(const Polynomial& p) const;
  bool proven(const Polynomial& p, int& steps) const;
  bool every_term_is_not_negative(const Polynomial& p) const;
  bool is_size(const ir::Name& name) const;

  std::unordered_map<ir::Name, Polynomial> values_;
  std::unordered_map<ir::Name, Bounds> bounds_;
};

}  // namespace boustro::facts
