// The operator of a minimum or maximum that also finds its index.
#pragma once

#include "transform/ir/builder.hpp"

namespace boustro::ad {

/// `\x i y j -> the better of (x, i) and (y, j)`, by min or max of that type; the lower index on ties, where -1 is
/// that of the neutral element; a NaN loses against a number. Associative and commutative; if the neutral element is
/// known to be a number, only as far as that can be seen: two NaNs lose in the end, so either may win against the other.
ir::Lambda winner_operator(ir::Builder& builder, ir::BinOpKind kind, ir::PrimType type, const ir::Atom& neutral);

}  // namespace boustro::ad
