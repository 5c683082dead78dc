// From syntax tree to typed syntax tree: names, types, sizes, uniqueness; modules are gone
// afterwards.
#pragma once

#include <optional>

#include "frontend/check/typed.hpp"
#include "frontend/imports/imports.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::modules {

/// Checks a program together with what it uses of the prelude, whose text is added to `sources`.
/// Reports every mistake that it can tell apart; nothing if there was one, or if the program uses
/// something unsupported.
std::optional<check::TypedProgram> check_program(const imports::Program& program,
                                                 source::SourceMap& sources,
                                                 source::Diagnostics& diagnostics);

/// The same for a program that imports nothing.
std::optional<check::TypedProgram> check_program(const ast::Program& program,
                                                 source::SourceMap& sources,
                                                 source::Diagnostics& diagnostics);

}  // namespace boustro::modules
