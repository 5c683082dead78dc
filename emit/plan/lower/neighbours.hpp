// Which dimension of a nest that the grid shares neighbouring threads take.
#pragma once

#include "emit/plan/planner/code.hpp"
#include "transform/facts/joint_sums.hpp"

namespace boustro::plan::planner {

struct Neighbours {
  std::size_t dimension = 0;
  std::string why = {};  // for --explain-plan; empty if there is no choice
};

/// Of those dimensions that threads can share out: the last one, unless fewer sectors of memory are asked for along another
/// (transform/facts/neighbours.hpp). `code` knows where the arrays lie, the results among them.
Neighbours neighbours_of(const ir::Stm& stm, const ir::Nest& nest, Code& code);

/// Whether neighbouring threads had better take neighbouring summands than neighbouring results along that dimension.
bool are_summands_closer(const ir::Stm& stm, const ir::Nest& nest, const facts::JointSums& sums, std::size_t dimension, Code& code);

}  // namespace boustro::plan::planner
