// How often and where names are used: what decides whether a temporary is folded into the
// expression that uses it.
#pragma once

#include <optional>
#include <unordered_map>

#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

struct Use {
  int count = 0;
  /// Used inside a loop or lambda around which it is defined: folding would compute it again and
  /// again.
  bool deeper = false;
  /// Consumed under this name.
  bool consumed = false;
  /// Called after what it is for, not after how it is computed.
  bool has_meaning = false;
  /// Used to compute what has another name: no part of a sum `x_adj` that is called so itself.
  bool is_operand = false;
};

class Uses {
 public:
  Uses() = default;
  explicit Uses(const ir::Function& function);

  /// Adds what is used in statements that were made later.
  void add(const ir::Lambda& lambda);
  void add(const ir::Body& body);

  Use of(const ir::Name& name) const;
  /// Used exactly once, and no deeper than it is defined.
  bool once(const ir::Name& name) const;
  /// The n of a name that is n - 1 by its definition or that of n, in 64 bits.
  std::optional<ir::Atom> successor(const ir::Name& name) const;

 private:
  std::unordered_map<ir::Name, Use> uses_;
  std::unordered_map<ir::Name, ir::Atom> successors_;
};

}  // namespace boustro::plan::planner
