// C++ types and declarations.
#pragma once

#include <string>

#include "emit/text/place.hpp"

namespace boustro::text {

/// `int`, `int64_t`, `float`, ...
std::string type_text(plan::PrimType type, const Place& place);

/// `const float* __restrict__`, `Linear`, ...
std::string type_text(const plan::Type& type, const Place& place);

/// `const double x`, `float* const row`: a variable that does not change.
std::string constant_text(const plan::Type& type, const std::string& name, const Place& place);

/// `float* row`
std::string variable_text(const plan::Type& type, const std::string& name, const Place& place);

}  // namespace boustro::text
