// What comes of zeros: which sweeps add nothing where the adjoint that they are given is zero.
#pragma once

#include "transform/ir/traversal.hpp"

namespace boustro::facts {

/// Whether all that the function adds to accumulators is zero wherever these parameters are: products with them, sums of such, arrays of
/// such numbers. A zero times anything counts as zero, as it does for adjoints everywhere. False if it might overwrite, or combine otherwise.
bool adds_nothing_at_zero(const ir::Lambda& fn, const ir::NameSet& params);

/// A literal zero.
bool is_zero(const ir::Atom& atom);

}  // namespace boustro::facts
