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

/// A name plus a number, or the number alone.
struct Offset {
  std::optional<ir::Name> from;
  std::uint64_t number = 0;  // wraps around
  bool operator==(const Offset&) const = default;
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
  /// `last` is count - 1 in 64 bits, by how both are defined: t - 2 and t - 1.
  bool is_last_of(const ir::Atom& last, const ir::Atom& count) const;

 private:
  Offset offset_of(const ir::Atom& atom) const;

  std::unordered_map<ir::Name, Use> uses_;
  std::unordered_map<ir::Name, Offset> offsets_;
};

}  // namespace boustro::plan::planner
