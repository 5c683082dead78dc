// Scratch memory by lifetime: arrays of an entry that are needed one after the other have the same memory.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan::planner {

/// Pieces of one type and size that are never needed at the same time share memory: Piece::place_of names the one that has it. A piece is
/// needed from the first statement of the entry that mentions it, or a variable that may point to it, to the last one; through all of a
/// loop around these, but for sequential loops of which each iteration makes it anew.
void share_memory(Entry& entry);

}  // namespace boustro::plan::planner
