// Loops as other loops, before reverse_loop differentiates them.
#pragma once

#include "transform/ad/rules.hpp"

namespace boustro::ad {

/// A while loop as a loop that counts its iterations, and a for loop; nullopt for a for loop.
std::optional<std::vector<ir::Stm>> counted_while_loop(Reverse& reverse, const ir::Stm& stm,
                                                       const ir::Loop& loop);

/// A loop with #[stripmine(k)], k > 1, as a loop over chunks, itself strip-mined; nullopt without.
std::optional<std::vector<ir::Stm>> stripmined_loop(Reverse& reverse, const ir::Stm& stm,
                                                    const ir::Loop& loop);

/// A while loop with #[fixed_point]: loop_fixed_point.cpp.
Sweeps reverse_fixed_point(Reverse& reverse, const ir::Stm& stm);

/// Whether it carries arrays whose sizes it carries, too.
bool changes_sizes(const ir::Loop& loop);
/// Such a for loop: loop_resized.cpp.
Sweeps reverse_resized_loop(Reverse& reverse, const ir::Stm& stm);

}  // namespace boustro::ad
