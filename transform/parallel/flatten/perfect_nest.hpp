// A nest whose points do nothing but one more nest, as one nest of both spaces.
//
// Rule      nest n (\i -> before; nest m (\j -> body))   gives   nest n m (\i j -> before; body)
// Applies   the inner nest makes all results of the point, one for one; its space does not depend on i; what stands before
//           it is cheap enough for each of its points. Also, with accumulators as the only results, where it stands alone
//           in a branch: `if c then nest m body else acc` becomes `nest m (\j -> if c then body else acc)`
// Cost      what stands before is done by each point of the inner space
#pragma once

#include <optional>

#include "transform/ir/builder.hpp"

namespace boustro::parallel {

/// A point whose last statement is its only result, a row of equal elements: the row as a nest of `level`, which may become part of a perfect one.
void equal_row_as_nest(ir::Body& point, ir::Level level, ir::Names& names);

/// `inner` is over the level that runs the points of `outer`; the result is over the level of `outer`, run by that of `inner`.
/// Nothing if the rule does not apply to the body of the point.
std::optional<ir::Nest> perfect_nest(const ir::Nest& outer);

}  // namespace boustro::parallel
