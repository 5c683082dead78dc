// Views of arrays without pointers: `row = x + i * d; ... row[t]` as `x[i * d + t]`.
#pragma once

#include <functional>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::lanes {

/// Which variables of the statements that hold pointers are to go.
using WhichPointers = std::function<bool(const Let&)>;

/// Without these variables: their elements are those of the arrays that they point into. False if one of them is used for
/// anything but its elements; then the statements are of no use any more.
bool without_pointers(Stms& stms, const WhichPointers& which);

/// Of the variable nothing is used but elements.
bool only_elements(const std::string& pointer, const Stms& stms);

}  // namespace boustro::plan::lanes
