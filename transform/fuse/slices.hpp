// Slices of mapped arrays as maps of slices.
#pragma once

#include "transform/facts/aliases.hpp"
#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::fuse {

/// (map f xs)[a:b:c] becomes map f xs[a:b:c] where nobody else wants the mapped array: slices cost
/// nothing where they are read, and what consumes the slice can take in the map. Elements outside
/// of the slice are no longer computed, so a map that may fail stays unless the slice has all elements.
void push_slices(ir::Body& body, ir::Names& names, const facts::Callees& callees,
                 const facts::Aliases& aliases);

}  // namespace boustro::fuse
