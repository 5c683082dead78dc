// How the arrays of a function lie in memory, as far as its order of dimensions goes.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

class MemoryOrder {
 public:
  /// Of what the host makes in the body and in those inside of it.
  explicit MemoryOrder(const ir::Body& host);

  /// The array's dimensions, outermost first: those of columns that threads fill row by row (facts/thread_rows.hpp), and of views of these,
  /// are not in their order.
  std::vector<std::size_t> of(const ir::Name& array, std::size_t rank) const;

  bool has_columns(const ir::Name& array) const { return orders_.contains(array); }

 private:
  void count(const ir::Body& body);
  void note(const ir::Body& host);
  void note_rows(const std::vector<ir::Stm>& stms, std::size_t at);

  std::unordered_map<ir::Name, int> uses_;
  std::unordered_map<ir::Name, std::vector<std::size_t>> orders_;  // of those that differ
};

}  // namespace boustro::parallel
