// Does each `match` cover every value, and can the patterns elsewhere not fail?
#pragma once

#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

/// Reports every match that leaves something out, with an example; every pattern of a let, loop, lambda or parameter that may
/// fail; and names that a pattern binds twice.
void check_patterns(const Definition& definition, source::Diagnostics& diagnostics);

}  // namespace boustro::check
