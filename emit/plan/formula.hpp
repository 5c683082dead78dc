// What kernels, library calls and their functors compute, as formulas for their comments:
//
//   centres_adj[nearest[i], t] += -2 * (points[i, t] - centres[nearest[i], t])
//
// They are made from the statements that will be printed, so that they cannot say anything else.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// The end of a line that only says what the body computes.
inline constexpr std::string_view step_by_step = ", step by step as below";

/// Puts formulas into the comments of the entry, and of what entries share, that have none. What formulas have no words for, or
/// too many, is said to be computed by the body.
void add_formulas(Entry& entry, std::vector<Definition>& shared);

/// How a comment says what a statement was made for, without its rule.
using SourceLine = std::function<std::string(const MadeFor&)>;

/// On a CPU: says over each loop what it computes, and where it comes from.
void say_loops(Entry& entry, const SourceLine& source_line);

}  // namespace boustro::plan
