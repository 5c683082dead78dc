// Matrices that are read across their rows, turned before: turned.cpp.
#pragma once

#include <vector>

#include "transform/ir/traversal.hpp"

namespace boustro::parallel {

/// A matrix and its columns as rows.
struct Turned {
  ir::Name matrix, columns;
};

/// The nest of a thread with reads of columns instead; those of matrices that are not yet among `turned` are added. `inside`: what the grid
/// binds, where nobody can turn anything before.
ir::Nest read_columns(ir::Nest nest, const ir::NameSet& inside, std::vector<Turned>& turned, ir::Names& names);

/// The nest that turns the matrix.
ir::Stm turn(const Turned& turned, const ir::Provenance& origin, ir::Names& names);

}  // namespace boustro::parallel
