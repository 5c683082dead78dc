// Prints syntax trees as Futhark. What it prints parses to the same tree; parentheses are those that
// precedence needs.
#pragma once

#include <optional>
#include <string>

#include "frontend/ast/syntax.hpp"

namespace boustro::ast {

std::string print(const Program& program);
/// With lines of at most `width` columns, where that can be: what does not fit is broken into lines as `futhark fmt` would
/// do, and what fits stands on one line.
std::string print(const Program& program, int width);
/// On one line, whatever its length, without comments; nothing if it holds what takes several, such as a let of several bindings.
std::optional<std::string> print_on_one_line(const Exp& exp);
std::string print(const Definition& definition);
std::string print(const Exp& exp);
std::string print(const Pattern& pattern);
std::string print(const Type& type);
std::string print(const TypeParam& param);
std::string print(const Attribute& attribute);  // with #[ ]

}  // namespace boustro::ast
