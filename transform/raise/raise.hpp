// Core programs as people would have written them: the opposite of transform/lower.
#pragma once

#include <string>
#include <vector>

#include "transform/ir/ir.hpp"

namespace boustro::raise {

struct Options {
  /// For comments that say where lines come from.
  const source::SourceMap* sources = nullptr;
  int width = 100;  // of lines, where that can be
  bool origins = false;  // of each line, too
};

/// How a function is said: as people would; the same with the types of arrays that are parameters of lambdas and loops; or a
/// statement a line.
enum class Form { plain, annotated, core };

struct Raised {
  std::string text;
  std::vector<Form> forms;  // of each function
  std::vector<std::string> origins;  // of each line, if they were asked for: lines `rule|file:line`, either of which may be missing
  std::string complaints;   // of the frontend about forms that were not read back
};

/// The program as text of the language, which means the same, bit for bit, and is read back: a function that would not be is
/// printed with types, and if that does not help, or if it has forms that only core has, as core.
Raised raise(const ir::Program& program, const Options& options = {});

}  // namespace boustro::raise
