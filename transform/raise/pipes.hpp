// Functions of long arguments.
#pragma once

#include "frontend/ast/syntax.hpp"

namespace boustro::raise {

/// In the body of a definition, `f (g x y)` becomes `g x y |> f` where a value stands by itself and does not fit on a line, so that
/// it is indented less.
void write_pipes(ast::Exp& body);

}  // namespace boustro::raise
