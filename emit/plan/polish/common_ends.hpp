// What a kernel does with a row that its block has brought to shared memory, and the kernel beside it with one in memory, stands once.
#pragma once

#include <set>
#include <string>

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Before:   staged_kernel: p = block_points + ..; minimum = ..; winner = ..; for (..) ..; winner_kept[i] = winner;
///           kernel:        p = points + i * d;    minimum = ..; winner = ..; for (..) ..; winner_kept[i] = winner;
/// After:    winner_of(p, centres, d, k): minimum = ..; winner = ..; for (..) ..; return winner;
///           in both kernels:             winner_kept[i] = winner_of(p, centres, d, k);
/// Of kernels of an entry that do the same in two ways and follow one another, whose ends are equal and store one value. The function has no name of
/// `variables`, and says what it computes.
void share_ends(Program& plan, const std::set<std::string>& variables);

}  // namespace boustro::plan
