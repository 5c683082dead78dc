// What nobody uses.
#pragma once

#include "frontend/ast/syntax.hpp"

namespace boustro::raise {

/// Leaves out bindings of names that do not occur.
void remove_unused(ast::ValueDefinition& definition);
/// At last: (x, y) of which nobody uses x becomes (_, y), and the type of what is bound stands with its name.
void write_patterns(ast::ValueDefinition& definition);

}  // namespace boustro::raise
