// What goes unused is printed without a name or not at all.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::text {

using Names = std::set<std::string>;

/// The statements among `prologue` that matter to what mentions `names`; adds what they mention
/// themselves.
plan::Stms needed_part(const plan::Stms& prologue, Names& names);

}  // namespace boustro::text
