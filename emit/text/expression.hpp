// Expressions as C++, with no more parentheses than precedence and compilers' warnings ask for.
#pragma once

#include <string>
#include <vector>

#include "emit/text/literal.hpp"
#include "emit/text/place.hpp"

namespace boustro::text {

/// How tightly an expression binds; of two, the one with the smaller number does so more tightly.
enum class Binding {
  primary,
  unary,
  product,
  sum,
  relation,
  equality,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  conditional
};

struct Bound {
  std::string text;
  Binding binding = Binding::primary;
};

Bound bound_expression(const plan::Expr& expr, Literals literals, const Place& place);

/// The integer that is widened to an int64_t, if `expr` is nothing but that: for places that have this type, where C++ widens by itself.
const plan::Expr& without_widening(const plan::Expr& expr);

/// The text alone. `exact` where the type of a literal matters: see Literals.
std::string expression(const plan::Expr& expr, const Place& place,
                       Literals literals = Literals::converted);

/// Expressions separated by commas.
std::string expressions(const std::vector<plan::Expr>& list, const Place& place,
                        Literals literals = Literals::converted);

/// The same inside of braces, where C++ lets no `int` become a narrower or an unsigned integer.
std::string initializers(const std::vector<plan::Expr>& list, const Place& place);

/// In parentheses if it binds less tightly than `limit`.
std::string enclosed(const Bound& expr, Binding limit);

/// `x + y` and the like, for the arguments of `expr`.
Bound operation(plan::Op op, const plan::Expr& expr, Literals literals, const Place& place);

/// `f(x, y)` for a function of the language.
Bound intrinsic(const plan::Expr& expr, const Place& place);

}  // namespace boustro::text
