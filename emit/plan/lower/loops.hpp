// The loops that a thread runs for a nest.
#pragma once

#include "emit/plan/lower/points.hpp"

namespace boustro::plan::planner {

/// One loop a dimension, outermost first, but for dimensions whose index is given. What an out combines starts with its
/// neutral elements at the first dimension that it does not keep, and is stored behind that.
class Loops {
 public:
  /// `places` has an entry for each out, with the arrays that it writes to.
  /// `form` is that of the outermost loop, whose index is not given.
  Loops(Code& code, const ir::Stm& stm, const ir::Nest& nest, std::vector<OutPlace>& places,
        std::vector<std::optional<Scalar>> given = {}, LoopForm form = {});

  void run() { dimension(0); }

 private:
  void dimension(std::size_t at);
  void loop_over(std::size_t at);
  bool is_part_of_point() const;
  bool folds_from(std::size_t out, std::size_t dimension) const;
  void start_folds(std::size_t dimension);
  void finish_folds(std::size_t dimension);
  void bind(std::size_t out, const Results& results);
  const ir::Param& result(std::size_t out, std::size_t k) const {
    return stm_.pattern[first_[out] + k];
  }

  Code& code_;
  const ir::Stm& stm_;
  const ir::Nest& nest_;
  std::vector<OutPlace>& places_;
  Points points_;
  std::vector<std::optional<Scalar>> given_;
  LoopForm form_;
  std::size_t outermost_;  // dimension that is not given
  std::vector<std::size_t> first_;  // of each out's results in the pattern
  std::vector<Scalar> indices_;
};

}  // namespace boustro::plan::planner
