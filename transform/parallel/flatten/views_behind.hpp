// Views that end a map's body, behind the map: what is left in the body may be perfect.
//
// Rule      map (\x -> let ys = map f ..  in view ys)   gives   let yss = map (\x -> map f ..) in view' yss
//           view a reshape or rearrange, or several of them; view' is the same of all rows: one dimension more
// Applies   where nobody else needs what the views make of ys, and its sizes are known outside of the body; those of a reshape are
//           sizes of what is mapped: others may be negative where there are no rows
// Cost      none: neither takes time
//
// Before:  map (\xs -> let ys = map f (flatten xs)  in unflatten ys) xss
// After:   let yss = map (\xs -> map f (flatten xs)) xss  in map unflatten yss, as a reshape
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// The map, and the views behind it, in their order; the map alone if it ends in none.
std::vector<ir::Stm> views_behind(ir::Stm map, ir::Names& names);

}  // namespace boustro::parallel
