// What the functions are said to do, for people who call them from Python.
#pragma once

#include <string>

#include "emit/bindings/interface.hpp"

namespace boustro::bindings {

/// The comment of the source as one text, without the blanks at the beginning of its lines; where there is none, which entry
/// point of which file it is.
std::string description(const Function& function);

/// A docstring in NumPy's layout: signature, description, parameters and results with their types in the source.
/// `array` is what arrays are: "array", "tensor".
std::string docstring(const Function& function, std::string_view array);

}  // namespace boustro::bindings
