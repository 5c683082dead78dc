// About how much there is to do, as an expression of the program.
#pragma once

#include "emit/plan/planner/code.hpp"

namespace boustro::plan::planner {

/// Additions, or what takes as long, at one point of the outermost dimension (transform/facts/work.hpp): the terms that grow
/// most, as far as the host knows their factors.
Scalar work_of_point(Code& code, const ir::Nest& nest);

/// As an int64_t, which no product of sizes overflows.
Expr wide(const Expr& expr);
Scalar elements(const std::vector<Scalar>& extents);
Scalar sum(const Scalar& x, const Scalar& y);
Scalar product(const Scalar& x, const Scalar& y);

}  // namespace boustro::plan::planner
