// Rows of arrays that a point of a nest has for itself, and goes through in loops of its own.
//
//   nest n  (\i -> .. loop for t < d do .. xs[i, t] ..)
//
// Threads that are neighbours read elements a row apart, each in another piece of memory. A block can bring the rows of its points, which
// lie one behind the other, to shared memory first.
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::facts {

struct OwnRow {
  ir::Name array;
  std::string base;  // what the program calls the row, or else the array
};

/// Arrays of at least two dimensions that are made outside of the nest, of which its points read rows by its first index, and all elements of
/// those: the other indices are those of loops as long as the row. What is read in a branch does not count, since few points may come there.
std::vector<OwnRow> own_rows_of(const ir::Nest& nest, const ir::Names& names);

/// The nest reading row k, and what is inside of it, from an array `rows[k]`, which has one dimension less.
ir::Nest reading_rows(ir::Nest nest, const std::vector<OwnRow>& own, const std::vector<ir::Name>& rows);

}  // namespace boustro::facts
