// Comments in entries that tell where their sweeps begin.
#pragma once

#include "emit/plan/plan.hpp"

namespace boustro::plan {

/// Of an entry that makes both sweeps of reverse mode, on the device, the first step of each has "Forward sweep." or "Return sweep." above
/// it; likewise inside of a loop or branch that makes both. What belongs to no sweep is part of the one around it. Where sweeps take turns
/// more often than a reader wants to be told, nothing is said.
void say_sweeps(Program& plan);

}  // namespace boustro::plan
