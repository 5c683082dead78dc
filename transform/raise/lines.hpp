// Where each line of a raised function comes from, whatever comments say of groups of lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/syntax.hpp"

namespace boustro::raise {

/// Instead of write_origins: the comment of each binding goes on to say what it is made of, for origins_of_lines. The definition is then
/// printed without a width.
void mark_origins(ast::Exp& body);

/// For each line of a definition as printed: lines `rule|file:line`, of the innermost binding that it belongs to and of those that begin on it.
/// `marked` is the same definition with the comments of mark_origins.
std::vector<std::string> origins_of_lines(std::string_view printed, std::string_view marked);

/// The same for a function in core's form, with a comment behind each statement.
std::vector<std::string> origins_of_core_lines(std::string_view printed);

}  // namespace boustro::raise
