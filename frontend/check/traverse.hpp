// Walking over typed expressions without naming every kind.
#pragma once

#include <functional>

#include "frontend/check/typed.hpp"

namespace boustro::check {

/// Calls `visit` for each expression directly below, bodies of local functions and lambdas included.
void for_each_child(const Exp& exp, const std::function<void(const Exp&)>& visit);

/// Calls `visit` for every name that the pattern binds, with its type.
void for_each_binding(const Pattern& pattern,
                      const std::function<void(const Name&, const Pattern&)>& visit);

}  // namespace boustro::check
