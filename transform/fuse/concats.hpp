// Concatenations as maps, which join what reads them.
#pragma once

#include "transform/ir/builder.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::fuse {

/// xs ++ ys becomes map (\i -> if i < n then xs[i] else ys[i - n]) (iota ..) where traversals alone read it, element by element: then
/// it is not stored. Parts of one array, as `rotate` puts them together, become map (\i -> zs[if i < n then a + i else b + i - n]), rows
/// included; rows of several arrays would have to be copied.
void map_concats(ir::Body& body, ir::Names& names);

/// Likewise `replicate n x with [a:b] = ys` becomes map (\i -> if a <= i && i < b then ys[i - a] else x) (iota n): neither the array nor
/// the update is left. At any depth.
void map_updates(ir::Body& body, ir::Names& names);

}  // namespace boustro::fuse
