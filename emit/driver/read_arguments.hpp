// Standard input as the arguments of an entry.
#pragma once

#include <optional>
#include <vector>

#include "frontend/values/value.hpp"

namespace boustro::driver {

/// Nothing if it is no list of values; complaints go to stderr.
std::optional<std::vector<values::Value>> read_arguments();

}  // namespace boustro::driver
