// Pieces of text in Python.
#pragma once

#include <string>

#include "emit/bindings/interface.hpp"

namespace boustro::bindings {

/// The name, with an underscore behind it if it is a keyword.
std::string python_identifier(const std::string& name);

/// Whether Python takes it for a name, as C++ does too.
bool is_python_identifier(const std::string& name);

/// An extent of a result, of integers. Throws source::Refusal for what has no such text.
std::string python_expression(const Function& function, const plan::Expr& expr);

/// The text as the first statement of a function.
std::string python_docstring(const std::string& text);

}  // namespace boustro::bindings
