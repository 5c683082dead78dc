// What is shorter to say on one level of a tree.
#pragma once

#include "frontend/ast/syntax.hpp"

namespace boustro::raise {

/// xs[i][j] is xs[i, j]; if c then x else false is c && x; -(2 * x) is -2 * x; x + -2 is x - 2; \x y -> f x y is f;
/// \x -> x * 2 is (* 2): applied to the outermost construct.
void tidy(ast::Exp& exp);

}  // namespace boustro::raise
