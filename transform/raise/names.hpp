// Readable names: see spell_names.
#pragma once

#include "frontend/ast/syntax.hpp"

namespace boustro::raise {

/// Spells the variables of a definition. A variable is called as it was if nothing else of that name is needed where it holds;
/// a number tells it apart from what is. So two functions may both have an `x`, and an array that is updated keeps its name.
void spell_names(ast::ValueDefinition& definition);

/// `let xs = xs with [i] = x` becomes `let xs[i] = x`.
void write_updates(ast::Exp& exp);

}  // namespace boustro::raise
