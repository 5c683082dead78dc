// What indices over an extent are called.
#pragma once

#include <map>
#include <string>

#include "emit/plan/plan.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::plan::planner {

/// By the name of an extent, or the number that it is.
using IndexLetters = std::map<std::string, std::string>;

/// Of a function whose nests and loops have their letters (transform/parallel/letters): those that they have. Indices by words are left out.
IndexLetters index_letters(const ir::Function& function);

/// For a loop that copies or fills: as other indices over the extent are called; i if there are none.
std::string letter_of(const IndexLetters& letters, const Expr& extent);

}  // namespace boustro::plan::planner
