// Size expressions: what may stand in brackets of a type.
//
// A size is a constant, a name, or an expression of names, literals, fields, elements, arithmetic
// and calls of top-level functions. Two sizes are equal if they are written the same or are so by
// the laws of +, - and *.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/check/typed.hpp"

namespace boustro::check {

/// The size that an expression spells; nothing if no size can. Also for expressions of other types
/// than i64, which may be parts of sizes.
std::optional<Size> size_of_expression(const Exp& exp);
/// The expression that evaluates to a size.
Exp expression_of_size(const Size& size, SourceRange at = {});
/// Does the expression mention something that costs more than scalar arithmetic?
bool is_atomic(const Exp& exp);

/// lhs op rhs for `+`, `-`, `*`, with constants folded.
Size add_sizes(const Size& lhs, const Size& rhs);
Size subtract_sizes(const Size& lhs, const Size& rhs);
Size multiply_sizes(const Size& lhs, const Size& rhs);

bool equal_sizes(const Size& a, const Size& b);
/// Which of the functions of an overloaded name is meant, such as a conversion between two types.
std::string overload_of(const Var& var);
/// Equality of expressions that are sizes.
bool equal_size_expressions(const Exp& a, const Exp& b);

/// A copy in which names stand for something else.
Size rewrite_names(const Size& size,
                   const std::function<std::optional<Size>(const Name&)>& replacement);
void for_each_name(const Size& size, const std::function<void(const Name&)>& visit);
/// The local names of arrays among them: such a size costs more than arithmetic, and is gone when
/// the array is consumed.
void for_each_array(const Size& size, const std::function<void(const Name&)>& visit);
bool mentions_array(const Size& size);

std::string to_string(const Size& size);

}  // namespace boustro::check
