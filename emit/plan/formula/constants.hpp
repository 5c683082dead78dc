// Names of numbers that nobody knows by their digits.
#pragma once

#include <optional>
#include <string>

#include "frontend/values/primitive.hpp"

namespace boustro::plan::formula {

/// `log(2 * pi)` of 1.8378770664093453, `-0.5 * log(2)`, `pi / 180`, ...: pi, e, and logarithms and roots of small numbers, with a simple
/// factor. Nothing for other numbers. Of f64 and f32: what is that number but for the last digit.
std::optional<std::string> name_of_constant(const values::PrimValue& value);

}  // namespace boustro::plan::formula
