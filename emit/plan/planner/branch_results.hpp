// Where an array ends up that a branch yields as it is: it is made in the place of the result, if that branch will be taken.
//
// Before:   let xs = map f is  in if c then xs else reverse xs
// After:    xs is made in the place of the result if c holds, else in memory of its own
// Applies   on the cpu target, if c is known when xs is made, or is an operation on what is, and only the branches use xs
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "transform/facts/aliases.hpp"

namespace boustro::plan::planner {

/// One branch of the If whose result is called `whole` yields `array`.
struct BranchResult {
  ir::Name whole;
  ir::Name condition;
  std::optional<ir::Exp> computed;  // the condition, where it is one operation on scalars
  bool on_true;
  ir::Name array;
  std::string pointer = {};  // of the code, to where it is to be made, once that is known
};
/// By the names under which the arrays are made: perhaps of another shape, with the same elements in the same order.
using BranchResults = std::unordered_map<ir::Name, BranchResult>;

/// Those of the array that the body yields as this result: one or none.
BranchResults branch_results(const ir::Body& body, std::size_t result, const facts::Callees& callees);

}  // namespace boustro::plan::planner
