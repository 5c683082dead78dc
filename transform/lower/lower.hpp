// Lowering: from the typed syntax tree to the core IR, by evaluating the program symbolically.
//
// Closures, polymorphism, records and sum types are evaluated away; what remains are first-order
// core statements. See README.md for how.
#pragma once

#include "frontend/check/typed.hpp"
#include "frontend/source/diagnostics.hpp"
#include "frontend/source/source.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::lower {

struct Options {
  /// The source is what `ir::to_string` prints with `exact`: each statement becomes one as it stands, though others compute
  /// the same and though the language says that some arrays are copies.
  bool printed = false;
  /// To call values what the user calls them rather than what the prelude does; may be null.
  const source::SourceMap* sources = nullptr;
};

/// One function for each entry point, and one for each static key of a function that they call,
/// callees first. Entries that cannot be lowered are reported and left out.
ir::Program lower_program(const check::TypedProgram& program, source::Diagnostics& diagnostics,
                          const Options& options = {});

}  // namespace boustro::lower
