// From text to syntax tree. Reports every syntax error that it can tell apart and goes on at the next
// top-level definition. Never throws on any input.
//
// The tree is at most 1,000 levels high; deeper nesting, or a longer row of operators, is an error.
#pragma once

#include <optional>

#include "frontend/ast/syntax.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::parse {

/// A whole file. The definitions that were understood are returned even if others were not;
/// `diagnostics.has_errors()` tells. `effort`, if given, is set to how often a token was looked at.
ast::Program parse_program(source::FileId file, const source::SourceMap& sources,
                           source::Diagnostics& diagnostics, std::size_t* effort = nullptr);

/// A file that holds one expression, or one type. Nothing if it was not understood.
std::optional<ast::Exp> parse_expression(source::FileId file, const source::SourceMap& sources,
                                         source::Diagnostics& diagnostics);
std::optional<ast::Type> parse_type(source::FileId file, const source::SourceMap& sources,
                                    source::Diagnostics& diagnostics);

}  // namespace boustro::parse
