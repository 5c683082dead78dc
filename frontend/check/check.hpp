// From syntax tree to typed syntax tree: names, types, sizes, uniqueness.
#pragma once

#include <optional>

#include "frontend/ast/syntax.hpp"
#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::check {

/// Checks a program together with what it uses of the prelude, whose text is added to `sources`. Reports every
/// mistake that it can tell apart; nothing if there was one, or if the program uses something unsupported.
std::optional<TypedProgram> check_program(const ast::Program& program, source::SourceMap& sources,
                                          source::Diagnostics& diagnostics);

}  // namespace boustro::check
