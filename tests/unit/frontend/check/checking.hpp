// Checks programs given as text, and shows what came out.
#pragma once

#include <optional>
#include <string>

#include "frontend/modules/check_program.hpp"
#include "frontend/check/types.hpp"
#include "frontend/parse/parse.hpp"

namespace boustro::check {

struct Checked {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  std::optional<TypedProgram> program;

  explicit Checked(const std::string& text) {
    const auto file = sources.add("test.fut", text);
    const ast::Program syntax = parse::parse_program(file, sources, diagnostics);
    if (!diagnostics.has_errors()) program = modules::check_program(syntax, sources, diagnostics);
  }

  std::string errors() const {
    std::string text;
    for (const auto& diagnostic : diagnostics.all()) text += source::to_string(diagnostic, sources);
    return text;
  }
  /// The program's own definition of that name.
  const Definition* find(const std::string& name) const {
    if (!program) return nullptr;
    for (auto at = program->definitions.rbegin(); at != program->definitions.rend(); ++at)
      if (at->name.text == name) return &*at;
    return nullptr;
  }
};

/// `[n] (x: [n]f64) -> [n]f64`: parameters of `name` in brackets, then its type.
inline std::string type_of(const Definition& definition) {
  std::string text;
  for (const TypeParam& param : definition.type_params)
    text += param.kind == TypeParam::Kind::size ? "[" + param.name.text + "] " : "'" + param.name.text + " ";
  for (const Pattern& param : definition.params) text += to_string(param.type) + " -> ";
  for (const Name& name : definition.existentials) text += "?[" + name.text + "].";
  return text + (definition.unique_result ? "*" : "") + to_string(definition.result);
}

/// The inferred type of `f` in the program, or the errors.
inline std::string type_of_f(const std::string& text) {
  const Checked checked(text);
  const Definition* f = checked.find("f");
  return f ? type_of(*f) : checked.errors();
}

}  // namespace boustro::check
