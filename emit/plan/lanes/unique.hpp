// Names of scopes side by side that are equal, told from each other for a while.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan::lanes {

/// The name, with a number behind it if it is taken; it is from now on.
std::string fresh(const std::string& name, std::set<std::string>& taken);

/// Variables, arrays and loop indices that are called like an earlier one get a number behind a #.
void make_unique(Stms& stms);
/// Takes the numbers away, but where a name would hide another one: it gets a fresh one.
void restore_names(Stms& stms, std::set<std::string>& taken);
std::string restored(const std::string& name);

}  // namespace boustro::plan::lanes
