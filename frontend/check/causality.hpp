// Sizes that are needed before they are known.
#pragma once

#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

/// Reports instances of polymorphic names, empty arrays and the like whose sizes are those of
/// something that is only made later: `let xs = [] let ys = [filter p zs] in xs[0] == ys[0]`.
void check_causality(const Definition& definition, source::Diagnostics& diagnostics);

}  // namespace boustro::check
