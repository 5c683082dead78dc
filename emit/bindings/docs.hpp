// What the functions are said to do, for people who call them from Python.
#pragma once

#include <string>

#include "emit/bindings/interface.hpp"

namespace boustro::bindings {

/// The comment of the source as one text, without the blanks at the beginning of its lines; where there is none, which entry
/// point of which file it is.
std::string description(const Function& function);

/// A docstring in NumPy's layout: description, parameters and results with their types in the source. `array` is what arrays are.
std::string docstring_body(const Function& function, std::string_view array);

/// The same with the signature before it, as functions that are not of Python have it.
std::string docstring(const Function& function, std::string_view array);

/// The comment at the top of a file: what it is, what else there is to say, and the command that builds it, in one line.
std::string head_comment(const std::string& what, const std::string& remarks, const std::string& command);

}  // namespace boustro::bindings
