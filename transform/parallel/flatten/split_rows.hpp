// The rows that a nest stores, apart from what it combines.
#pragma once

#include <optional>

#include "transform/ir/ir.hpp"

namespace boustro::parallel {

/// An inner nest as two: one that stores rows, one that combines.
struct Split {
  ir::Stm rows;
  std::optional<ir::Stm> left;  // reads the rows
};

/// Of a nest that does both, without accumulators and checks. What combines does without the loops of the rows where it is given these;
/// nothing otherwise.
std::optional<Split> split_rows(const ir::Stm& stm);

bool has_loop(const ir::Body& body);
/// Drops statements of the point that nothing needs any more.
void keep_needed(ir::Nest& nest);

}  // namespace boustro::parallel
