// The sums that take the place of additions: sums_by_cell.hpp.
#pragma once

#include "transform/parallel/flatten/cell_additions.hpp"
#include "transform/parallel/flatten/definitions.hpp"

namespace boustro::parallel {

/// What an accumulator holds before, and the name that it gets with the sums.
struct Target {
  ir::Name before;
  ir::Param after;
};

/// The nests that add to the targets: one for each different input of the additions, in the order of `inputs_of`. They are shared
/// like the nests that add, and those of a thread have no slabs.
void add_totals(ir::Builder& builder, const Additions& additions, const std::vector<Target>& targets,
                const Definitions& definitions, ir::Level over);

/// The different inputs, in the order of their first additions.
std::vector<std::size_t> inputs_of(const Additions& additions);

}  // namespace boustro::parallel
