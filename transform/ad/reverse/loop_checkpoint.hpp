// Checkpoints: a return sweep that has room for some states at a time. The rules stand in loop_checkpoint.cpp and loop_checkpoint_online.cpp.
#pragma once

#include "transform/ad/reverse/loop_states.hpp"

namespace boustro::ad {

/// #[checkpoint(c)] or one of its kin; the first if there are several.
const ir::Attribute* checkpoint_attribute(const ir::Stm& stm);
inline bool has_checkpoints(const ir::Stm& stm) { return checkpoint_attribute(stm) != nullptr; }
/// Whether the number of steps need not be known before the loop runs.
inline bool has_online_checkpoints(const ir::Stm& stm) { return has_checkpoints(stm) && checkpoint_attribute(stm)->name == "checkpoint_online"; }

/// For a for loop with one of the attributes, or one that stands for a while loop, of which nothing is asked twice.
std::unique_ptr<LoopStates> checkpoints_of(Reverse& reverse, const ir::Stm& loop);

/// `for i` without an end that stands for a while loop with online checkpoints. Only as a form to add to: run like this, it would not stop.
ir::Stm as_endless_loop(ir::Names& names, const ir::Stm& loop);
/// Makes of it a while loop that goes on under `condition`, again, with i for a parameter. Yields how many iterations it took.
ir::Name as_while_loop(ir::Names& names, ir::Stm& loop, const ir::Name& condition);

}  // namespace boustro::ad
