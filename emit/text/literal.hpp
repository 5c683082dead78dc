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

/// Of literals alone, so that its text has the type that C++ gives these: 3, or c ? 3 : 4, or (c ? 3 : 4) * 2, or c ? x : 4 for an x that
/// is narrower than an `int`.
bool is_number(const plan::Expr& expr);

/// `1.5f`, `INFINITY`, `int64_t{1}`, ... A minus sign comes first, if there is one.
std::string literal_text(values::PrimValue value, Literals literals, const Place& place);

}  // namespace boustro::text
