// Prints syntax trees as Futhark. What it prints parses to the same tree; parentheses are those that
// precedence needs.
#pragma once

#include <string>

#include "frontend/ast/syntax.hpp"

namespace boustro::ast {

std::string print(const Program& program);
std::string print(const Definition& definition);
std::string print(const Exp& exp);
std::string print(const Pattern& pattern);
std::string print(const Type& type);
std::string print(const TypeParam& param);
std::string print(const Attribute& attribute);  // with #[ ]

}  // namespace boustro::ast
