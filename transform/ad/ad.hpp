// Automatic differentiation: removes `Jvp`, `Vjp` and `WithVjp` from core programs.
#pragma once

#include <functional>
#include <string>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::ad {

struct Options {
  /// Told of each rule that fired and of what was kept rather than recomputed; for `--trace-rules`.
  std::function<void(const std::string& rule, source::SourceRange at)> trace;
  /// Told of what a user might not expect of a derivative.
  std::function<void(source::Diagnostic warning)> warn;
  /// To point at the user's text rather than at the prelude's; may be null.
  const source::SourceMap* sources = nullptr;
};

/// Replaces every derivative whose function contains no further derivative. False if there was none, and then
/// the program is unchanged except that a WithVjp that nothing differentiates has become its function.
/// Nested derivatives need several rounds; simplifying in between keeps them small. Throws
/// source::Refusal for a derivative that we do not know.
bool differentiate_innermost(ir::Program& program, const Options& options = {});

/// All rounds, without simplifying in between.
ir::Program differentiate(ir::Program program, const Options& options = {});

}  // namespace boustro::ad
