// What code stores, as lines of a comment.
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan::formula {

/// A formula for each store to the parameters that are no scratch memory, what their names stand for, and `.., step by step as below` of
/// what no formula can say; nothing where even that would say too little. `indices`: see Kernel.
std::vector<std::string> formulas_of(const Stms& body, const std::vector<Param>& params, const std::vector<std::string>& indices = {});

/// Unless it is among them.
void add_once(std::vector<std::string>& lines, const std::string& line);

}  // namespace boustro::plan::formula
