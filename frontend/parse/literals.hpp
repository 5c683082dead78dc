// The values of single tokens: names in their parts, numbers, characters, strings.
#pragma once

#include <string>
#include <variant>

#include "frontend/ast/syntax.hpp"
#include "frontend/parse/state.hpp"

namespace boustro::parse {

using LiteralValue =
    std::variant<ast::IntLiteral, ast::FloatLiteral, ast::BoolLiteral, ast::CharLiteral>;

/// Of `M.x`, `M.+`, or the same in backticks.
ast::QualifiedName qualified_name_of(const Token& token, const State& state);

/// Of a number, a character, `true` or `false`. Reports numbers that are too large.
LiteralValue literal_of(const Token& token, const State& state);

/// The bytes of a string, escapes replaced. Reports unknown escapes.
std::string string_of(const Token& token, const State& state);

/// What a block of comments that starts with `-- |` says, without the dashes, up to a test block.
std::string doc_text(std::string_view comments);

}  // namespace boustro::parse
