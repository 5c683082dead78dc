// Which sizes are known where a statement stands: those of arrays that exist there, and how many points run.
//
// An array [n][m] may have a negative m if it has no rows, so that only what is known of n tells of m.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::simplify {

class KnownSizes {
 public:
  /// The number is at least that, up to the end of the scope.
  void declare(const ir::Atom& number, std::int64_t least = 0);
  /// An array of that type exists.
  void declare(const ir::Type& type);
  /// An array that has memory of its own, or was passed by who calls an entry point: no size is negative.
  void declare_all(const ir::Type& type);
  /// What is known behind the statement.
  void define(const ir::Stm& stm);
  /// What is known where the expression's bodies run: there is a point, or an iteration.
  void enter(const ir::Exp& exp);

  std::optional<std::int64_t> least(const ir::Name& name) const;

  std::size_t enter_scope() const { return log_.size(); }
  void leave_scope(std::size_t mark);

 private:
  std::unordered_map<ir::Name, std::int64_t> least_;
  std::vector<std::pair<ir::Name, std::optional<std::int64_t>>> log_;  // what was known before
};

/// What an expression fails for if it is negative; not the sizes of its operands, which exist.
ir::Shape sizes_made_by(const ir::Exp& exp);

}  // namespace boustro::simplify
