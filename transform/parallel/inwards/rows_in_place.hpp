// A row of an array that a loop fills step by step is filled where it is to be.
//
// Before:   let row = loop row = scratch m for j < n do row with [j] = ..      let rows = rows with [i] = row
// After:    let rows = loop rows = rows for j < n do rows with [i, j] = ..
// Applies   if the loop does nothing with the row but write to it, the row is used for nothing but being stored there, and nobody uses
//           the other array, or what may share memory with it, from the loop on until it is
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// In the body and all that are inside of it. `aliases` are those of the program.
void fill_rows_in_place(ir::Body& body, ir::Names& names, const facts::Aliases& aliases);

}  // namespace boustro::parallel
