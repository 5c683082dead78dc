// Which names a piece of a plan mentions: unused parameters and variables are printed without a
// name or not at all.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::text {

using Names = std::set<std::string>;

void add_uses(const plan::Expr& expr, Names& names);
void add_uses(const plan::Stm& stm, Names& names);
void add_uses(const plan::Stms& stms, Names& names);
Names names_in(const plan::Stms& stms);

/// The statements among `prologue` that matter to what mentions `names`; adds what they mention
/// themselves.
plan::Stms needed_part(const plan::Stms& prologue, Names& names);

}  // namespace boustro::text
