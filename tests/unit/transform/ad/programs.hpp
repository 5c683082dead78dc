// Core programs from Futhark text, and pieces of such text.
#pragma once

#include <stdexcept>
#include <string>

#include "frontend/modules/check_program.hpp"
#include "frontend/parse/parse.hpp"
#include "transform/ir/ir.hpp"
#include "transform/lower/inline.hpp"
#include "transform/lower/lower.hpp"

namespace boustro::ad::testing {

/// The program, lowered and inlined. Throws with all diagnostics if it is not correct.
inline ir::Program compiled(const std::string& text) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto fail_on_errors = [&] {
    if (!diagnostics.has_errors()) return;
    std::string messages;
    for (const auto& diagnostic : diagnostics.all()) messages += to_string(diagnostic, sources);
    throw std::runtime_error(messages);
  };
  const source::FileId file = sources.add("test.fut", text);
  const auto syntax = parse::parse_program(file, sources, diagnostics);
  fail_on_errors();
  const auto typed = modules::check_program(syntax, sources, diagnostics);
  fail_on_errors();
  ir::Program program = lower::lower_program(*typed, diagnostics);
  fail_on_errors();
  return lower::inline_functions(std::move(program));
}

/// `text` with the attribute wherever it has `@`.
inline std::string with(std::string text, const std::string& attribute) {
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) text.replace(at, 1, attribute);
  return text;
}

/// The body of a function, and what a test says of it.
struct Case {
  const char* name;
  const char* body;
};

}  // namespace boustro::ad::testing
