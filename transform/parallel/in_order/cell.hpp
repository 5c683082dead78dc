// A cell of arrays that values are put into, as a histogram or an accumulator says: nothing happens outside of the arrays.
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// An element, or a row, of arrays that have their outer dimensions in common.
struct Cell {
  std::vector<ir::Name> arrays;
  std::vector<ir::Atom> indices;
  bool in_bounds = false;  // is known
};

/// Binds `results` to the arrays with the values in the cell, combined with what is there if there is an operator, whose names are
/// taken over; or to the arrays as they are, if there is no such cell.
void update_cell(ir::Builder& builder, const std::vector<ir::Param>& results, const Cell& cell,
                 const std::optional<ir::Lambda>& op, const std::vector<ir::Atom>& values);

}  // namespace boustro::parallel
