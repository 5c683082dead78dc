// What an entry does, step by step, for the head of the file.
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

struct Step {
  std::string piece;  // what does it: a kernel, or a function that calls a library
  const Comment* comment;
  std::vector<std::string> lines;  // its formula, or else the text that it comes from
};

/// Kernels and library calls in the order in which the entry runs them, in the entry's names.
std::vector<Step> steps_of(const Program& plan, const Entry& entry);

/// Leaves of the lines what is computed, and which piece says how.
void shorten(Step& step);

}  // namespace boustro::plan::planner
