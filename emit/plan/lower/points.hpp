// What a thread does at a point of a nest: it binds the indices, runs the body, and hands the values to the outs.
#pragma once

#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

/// Where the values of one out go, as far as it is the point's own business.
struct OutPlace {
  std::vector<View> arrays;  // store, scan: the results; histogram, scatter: the destinations
  std::vector<Accumulator> accumulators;  // histogram by many threads
  Results running;                        // reduce, scan: what has been combined so far
  bool part = false;                      // reduce: of some points, whose value is combined with that of others
  ir::Operator op = {};                   // reduce, scan: as it is for elements in order
};

class Points {
 public:
  Points(Code& code, const ir::Stm& stm, const ir::Nest& nest, std::vector<OutPlace>& places)
      : code_(code), stm_(stm), nest_(nest), places_(places) {}

  /// Inside of the loops over the first dimensions, at these indices: what the body begins with and depends on no further
  /// index is computed here, once.
  void enter(const std::vector<Scalar>& indices);
  /// The point at these indices, one for each dimension of the space.
  void run(const std::vector<Scalar>& indices);
  /// What is stored in the place of combined values at these kept indices.
  Results concluded(std::size_t out, const std::vector<Scalar>& indices);
  /// The operands of the out's operator that are the index of the last dimension.
  std::vector<bool> counts(std::size_t out) const;

 private:
  std::size_t first_value(std::size_t out) const;
  bool may_stand_here(const ir::Stm& stm, std::size_t dimensions) const;
  Destinations destinations(const std::vector<Scalar>& indices) const;
  void hand_over(std::size_t out, const Results& results, const std::vector<Scalar>& indices);
  void store(std::size_t out, const std::vector<Scalar>& indices);
  void combine(std::size_t out, const Results& results, const std::vector<Scalar>& indices);
  void write_by_index(std::size_t out, const Results& results);

  Code& code_;
  const ir::Stm& stm_;
  const ir::Nest& nest_;
  std::vector<OutPlace>& places_;
  std::size_t done_ = 0;  // statements at the beginning of the body that stand before further loops
};

}  // namespace boustro::plan::planner
