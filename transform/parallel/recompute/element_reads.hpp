// Who reads the elements of an array that a nest of the grid makes, through whatever views.
#pragma once

#include <functional>
#include <vector>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/recompute/parts.hpp"

namespace boustro::parallel {

class ElementReads {
 public:
  explicit ElementReads(const ir::Param& made);

  /// All uses in the statements behind it are views, or reads of elements by nests that cannot fail; `in_nest`, if these statements are of a nest,
  /// by them, too. To be called first.
  bool only_read(const std::vector<ir::Stm>& stms, bool in_nest = false);
  /// Whether the array or a view of it is among these.
  bool is_in(const std::vector<ir::Atom>& atoms) const;

  /// What stands in the place of a read, given the indices in the array.
  using Fill = std::function<std::vector<ir::Stm>(const ir::Stm& read, const std::vector<ir::Atom>& at)>;
  /// Fills the places of all reads; views of the array are gone.
  void replace(std::vector<ir::Stm>& stms, const Fill& fill) const;

 private:
  bool only_read(const ir::Stm& stm, bool in_nest);

  ArrayParts parts_;
};

}  // namespace boustro::parallel
