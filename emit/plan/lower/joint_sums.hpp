// A nest whose points are sums, and rows that are made along with them, each computed by several threads of a block jointly:
// transform/facts/joint_sums.hpp.
//
// A block computes some neighbouring results at a time. The threads of one result lie along a row of the block, if neighbouring summands are
// next to each other in memory, or else along a column. They take turns with the summands, and what they have is combined, always in the
// same order. Elements of a row are stored by whoever's turn it is; one thread stores scalars and changes elements of rows when all others
// are done. How many threads share a sum is known when the program runs: few sums get many, many sums one each.
#pragma once

#include <algorithm>

#include "emit/plan/lower/points.hpp"
#include "transform/facts/joint_sums.hpp"

namespace boustro::plan::planner {

/// What the threads of a kernel do.
class JointSums {
 public:
  /// `extents`: of the nest's space, as the kernel knows them. `places`: of the outs, likewise. The results of a block are next to each
  /// other along the dimension `neighbours`.
  JointSums(Code& code, Identifiers& identifiers, const ir::Nest& nest, const facts::JointSums& sums, std::vector<Scalar> extents,
            const std::vector<OutPlace>& places, bool along_rows, std::size_t neighbours);

  Stms run();
  /// Which results are whose, for the comment of the kernel.
  std::string grid() const;
  /// Variables that say which result it is, and its number.
  const std::vector<std::string>& indices() const { return index_names_; }

 private:
  const ir::Name& index_of(std::size_t dimension) const;
  Type type_of(std::size_t dimension) const;
  void name_index(std::size_t dimension);
  void over_others(std::size_t dimension);
  void point();
  bool is_joint(std::size_t at) const { return std::find(sums_.sums.begin(), sums_.sums.end(), at) != sums_.sums.end(); }
  /// For each statement of the point.
  std::vector<bool> needed_late() const;
  void sum(std::size_t at);
  void store();
  View place_of(std::size_t out);
  const ir::Atom& result(std::size_t out) const { return nest_.point.body.result[nest_.accumulators.size() + out]; }
  bool is_row(std::size_t out) const { return !nest_.point.result_types[nest_.accumulators.size() + out].is_scalar(); }
  bool ends_with(std::size_t at) const;
  Expr has_result() const { return number_ < extents_[neighbours_].expr; }
  void by_one_thread(Stms stms);

  Code& code_;
  Identifiers& identifiers_;
  const ir::Nest& nest_;
  const facts::JointSums& sums_;
  std::vector<Scalar> extents_;
  const std::vector<OutPlace>& places_;
  bool along_rows_;
  std::size_t neighbours_;
  Expr number_;  // of the result along that dimension. Threads for which there is none compute the last one once more
  std::vector<std::string> index_names_;
};

}  // namespace boustro::plan::planner
