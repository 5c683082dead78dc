// What a kernel that works on different arrays by turns calls them.
#pragma once

#include <string>
#include <vector>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// The words that all names end in: `adj_sums` of `means_adj_sums` and `qs_adj_sums`; empty if there are none. A name that all share is itself.
std::string common_ending(const std::vector<std::string>& names);

/// Parameters have the endings that their names have in common with those that each of `others` has for them, in their order: `adj_sums[cell] =
/// sum of adj_sums_parts` for `means_adj_sums` and `qs_adj_sums`. Nothing changes if some have nothing in common, or if a name would stand for two.
void use_common_names(Kernel& kernel, const std::vector<std::vector<std::string>>& others);

}  // namespace boustro::plan
