// Arrays of a CPU's entry that are made in the memory of earlier ones, which nobody needs from then on.
//
// Before:   let ys = map f ..  ..  let zs = map (\i -> ys[i] + sum ..)          and ys is not used later
// After:    zs is made in the memory of ys: ys[i] += sum ..
// Applies   if ys lies in memory that the entry made, and each point that stores an element reads the one of ys that was there, and no
//           other. To complete a symmetric matrix it may instead read the element on the other side of the diagonal, which stays
#pragma once

#include <unordered_map>

#include "transform/facts/aliases.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

/// Arrays that nests make, each with the one whose memory it may take.
using TakenPlaces = std::unordered_map<ir::Name, ir::Name>;

/// Of the statements of an entry. Whether the array lies in scratch memory, and as the new one would, is for the caller to find out.
TakenPlaces taken_places(const ir::Body& body, const facts::Callees& callees);

}  // namespace boustro::plan::planner
