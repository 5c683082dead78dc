// Literals of primitive types.
#pragma once

#include <string>

#include "emit/text/place.hpp"

namespace boustro::text {

/// `converted`: the context gives the type, so that `5` does for an int64_t. `exact`: the text
/// itself has exactly the type of the value, as arguments of templates and overloaded functions
/// need.
enum class Literals { converted, exact };

inline bool is_literal(const plan::Expr& expr) {
  return std::holds_alternative<plan::Literal>(expr.head);
}

/// `1.5f`, `INFINITY`, `int64_t{1}`, ... A minus sign comes first, if there is one.
std::string literal_text(values::PrimValue value, Literals literals, const Place& place);

}  // namespace boustro::text
