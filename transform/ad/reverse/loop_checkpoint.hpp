// Checkpoints: a return sweep that has room for some states at a time. The rule stands in loop_checkpoint.cpp.
#pragma once

#include "transform/ad/reverse/loop_states.hpp"

namespace boustro::ad {

/// Whether the loop has one of the attributes.
bool has_checkpoints(const ir::Stm& loop);

/// For a for loop with one of the attributes, of which nothing is asked twice.
std::unique_ptr<LoopStates> checkpoints_of(Reverse& reverse, const ir::Stm& loop);

}  // namespace boustro::ad
