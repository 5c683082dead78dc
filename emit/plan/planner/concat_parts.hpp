// Where the parts of a concatenation end up that has a place already: they are made there at once.
//
// Before:   let xs = map f is  let ys = map g js  in xs ++ flatten ys
// After:    xs and ys are made in the first and the second part of the result
// Applies   if the arrays are not updated later, and nobody else gets them
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/facts/aliases.hpp"

namespace boustro::plan::planner {

/// Array number `index` of those whose concatenation is called `whole`.
struct ConcatPart {
  ir::Name whole;
  std::vector<ir::Name> arrays;
  std::size_t index;
};
/// By the names under which they are made: perhaps of another shape, with the same elements in the same order.
using ConcatParts = std::unordered_map<ir::Name, ConcatPart>;

/// Those of the array that the body yields as this result.
ConcatParts concat_parts(const ir::Body& body, std::size_t result, const facts::Callees& callees);

}  // namespace boustro::plan::planner
