// Programs planned for the CPU by hand: what the printer is held to.
#pragma once

#include "emit/plan/plan.hpp"

namespace exemplars {

/// The gradient of logistic growth: loops, scratch memory for all states of one trajectory.
boustro::plan::Program growth();
/// A parallel loop with a check, atomic updates and an early return.
boustro::plan::Program bins();

}  // namespace exemplars
