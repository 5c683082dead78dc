// Sizes of a thread's arrays that the host cannot bound by what it knows.
#pragma once

#include <optional>

#include "transform/facts/sizes.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// The function that an operator on elements runs, and the arrays of these; nothing for other expressions.
const ir::Lambda* mapped_in(const ir::Exp& exp);
std::vector<ir::Name> mapped_arrays(const ir::Exp& exp);

/// Whether threads run what is inside: that function, or an operator.
bool runs_threads(const ir::Exp& exp);

/// Names of a thread of which the host can find an upper bound, as the planner does it (emit/plan/planner/operands.cpp).
class Bounded {
 public:
  /// `known` is told what is found on the way.
  explicit Bounded(facts::Sizes& known) : known_(&known) {}

  bool contains(const ir::Atom& atom) const;

  /// A statement of the host, which knows all that it yields.
  void note(const ir::Stm& stm);
  /// One of a thread.
  void define(const ir::Stm& stm);
  /// Of a thread, whatever it is.
  void add_unknown(const ir::Param& param);
  /// 0 <= name < bound
  void add_index(const ir::Name& name, const ir::Atom& bound);
  void add_element(const ir::Param& param, const ir::Name& array);

 private:
  bool has_bound(const ir::Exp& exp) const;
  bool has_bound(const ir::BinOp& e) const;
  /// The host can compute it, too.
  bool is_outside(const ir::Exp& exp) const;
  bool not_negative(const ir::Atom& atom) const;

  facts::Sizes* known_;
  ir::NameSet inside_, bounded_;
  ir::NameSet indices_;  // arrays of what is less than a bound
};

/// The first size of arrays that the threads of a statement, an operator on elements, store and that is not
/// among those in `left`; only `wanted`, if that is given.
std::optional<ir::Name> unbounded_size(const ir::Stm& stm, Bounded known, const ir::NameSet& left,
                                       std::optional<ir::Name> wanted = {});

}  // namespace boustro::parallel
