// Elements that are computed as fast as they are read.
//
// Applies   to a result of a nest that is computed by a few additions, multiplications and comparisons, which cannot fail, of at most three elements
//           of arrays that nobody updates. At most one of the arrays has elements of its own for each point. That is read where neighbouring points
//           have neighbouring elements, as they have of the result: each dimension of the nest is found in the order in which it lies in
//           memory, as it is, reversed or moved. Others lack a dimension of the nest, so that they stay in caches
//           A thread that keeps a row for itself has it in whatever order it likes: any of the arrays may have elements of its own there
// Never     a decision, or an integer, that comes of a float product in a sum: it could differ from one place to another by how these are rounded
#pragma once

#include <optional>
#include <vector>

#include "transform/facts/aliases.hpp"
#include "transform/parallel/recompute/memory_order.hpp"
#include "transform/parallel/recompute/parts.hpp"

namespace boustro::parallel {

class QuickElement {
 public:
  /// `order`: of what the host makes; null if the nest is one of a thread.
  QuickElement(const ir::Nest& nest, std::size_t result, const facts::Aliases& aliases, const MemoryOrder* order);

  bool is_quick() const { return quick_; }
  /// What stands in the place of a read of the element at these indices: the last statement binds what that bound.
  std::vector<ir::Stm> in_place_of(const ir::Stm& read, const std::vector<ir::Atom>& at, ir::Names& names) const;
  /// The array that has elements of its own for each point, if there is one.
  const std::optional<ArrayPart>& large() const { return large_; }

 private:
  /// Along which dimension of the space an index goes, forwards or backwards by one each; along none, if it is the same everywhere.
  struct Place {
    std::optional<std::size_t> along;
    bool operator==(const Place&) const = default;
  };

  bool is_few() const;
  bool is_same_everywhere() const;
  bool note(const ir::Stm& stm);
  bool note_number(const ir::Stm& stm);
  bool note_read(const ArrayPart& element);
  bool follows_memory(const ArrayPart& element, const std::vector<Place>& places) const;
  std::optional<Place> place_of(const ir::Atom& atom) const;
  std::optional<Place> place_of(const ir::Exp& exp) const;

  const ir::Nest& nest_;
  const std::size_t result_;
  const facts::Aliases& aliases_;
  const MemoryOrder* order_;
  std::vector<ir::Stm> stms_;
  ir::NameSet combined_;                             // of what the result consists, indices of reads apart
  std::unordered_map<ir::Name, std::optional<Place>> places_;  // of what the points bind; nothing if it may be anywhere
  ArrayParts parts_;
  std::size_t operations_ = 0, numbers_ = 0, reads_ = 0;
  std::optional<ArrayPart> large_;
  bool quick_ = false;
};

}  // namespace boustro::parallel
