// Additions to cells that some dimensions of the grid have no say in: sums_by_cell.hpp.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "transform/ir/traversal.hpp"
#include "transform/parallel/flatten/recomputed.hpp"

namespace boustro::parallel {

/// A dimension of a nest of the grid, or of one inside of it.
struct Dimension {
  ir::Name index;
  ir::Atom extent;
  bool operator==(const Dimension&) const = default;
};

/// Where an addition stands, and the cell that it is for.
struct Place {
  std::vector<const ir::Body*> points;  // of the nests around it, outermost first
  std::vector<Dimension> cell;          // in the order of the indices, then those of an array that is added as a whole
  std::vector<Dimension> summed;        // all others; the first is one of the grid
  std::size_t rows = 0;                 // dimensions of that array
  bool operator==(const Place&) const = default;
};

struct Addition {
  std::size_t input;  // of the with_acc
  ir::Atom value;
  ir::Name result;  // of the update, by which it is known
  ir::Provenance origin;
};

/// Those that are made in one place.
struct Additions {
  Place place;
  std::vector<Addition> each;
};

/// Which input of a with_acc an accumulator continues.
using Inputs = std::unordered_map<ir::Name, std::size_t>;

/// All of a statement's nest that the rule is for. `inputs` knows the nest's accumulators, and then all inside, too.
/// `shapes`: of the inputs; `unknown`: names that what is added must not need.
std::vector<Additions> cell_additions(const ir::Stm& stm, Inputs& inputs, const std::vector<ir::Shape>& shapes,
                                      const ir::NameSet& unknown, ir::Names& names);

/// What is added to the cell, for these indices of it and of the summed dimensions.
ir::Atom added_value(Recomputed& again, const ir::Atom& value, const Place& place, const ir::Substitution& indices);

/// The nest without these updates, and without what only they needed; nothing if nothing else is left. `pattern` is
/// that of its statement; `renamed`: results of it that are no more, and what stands for them.
std::optional<ir::Nest> without_updates(ir::Nest nest, std::vector<ir::Param>& pattern, const ir::NameSet& updates,
                                        ir::Substitution& renamed);

}  // namespace boustro::parallel
