// What several entries of a file need stands in it once.
#pragma once

#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// `gmm.fut:56` of `gmm.fut:56, return sweep of ..`: the place, without what stands there.
std::string place_of(const Comment& comment);

/// Of structs, functions, functors, kernels and library calls that differ in nothing but names, of one entry or of several, the first stays,
/// and says which other entries call it. Only of those that are about the same: kernels and calls of one place of the source and one sweep,
/// functors whose fields have the same names. A kernel that stays for several of one entry calls its parameters by what their names have in
/// common (common_names.hpp).
void share_equal(Program& plan);

}  // namespace boustro::plan
