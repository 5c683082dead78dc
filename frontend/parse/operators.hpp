// Operators: a flat sequence of operands becomes a tree by precedence.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "frontend/ast/syntax.hpp"

namespace boustro::parse {

/// What stands between two operands: an infix operator, or `with path =`, which binds like a left-associative
/// operator weaker than all but names in backticks.
using Joint = std::variant<ast::QualifiedName, std::vector<ast::Access>>;
struct Link {
  Joint joint;
  ast::Exp operand;
};

/// e op e op e ... by the precedence table of ast/precedence.hpp. Takes linear time and does not recurse.
ast::Exp resolve(ast::Exp first, std::vector<Link> links);

}  // namespace boustro::parse
