// Rows and elements of arrays: which statements read them, and what they are called.
#pragma once

#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// The variable is a pointer to a row: array + place.
bool is_row(const Let& let);
/// array[place]
bool is_element(const Let& let);

/// The name of a variable or of a piece of scratch memory; empty if it has none of its own.
std::string name_of_array(const Expr& array);

/// What an element of an array or row of that name is called: `weight`, of `weights_row`; `q_adj`, of `qs_adj`.
std::string element_name(std::string array);

}  // namespace boustro::plan
