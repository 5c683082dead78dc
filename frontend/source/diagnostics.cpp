#include "frontend/source/diagnostics.hpp"

#include <algorithm>
#include <array>

namespace boustro::source {
namespace {

struct Entry {
  Severity severity;
  std::string_view id;
  std::string_view text;
};

constexpr auto entries = std::to_array<Entry>({
#define MESSAGE(identifier, severity, id, text) {Severity::severity, id, text},
#include "frontend/source/diagnostics.def"
#undef MESSAGE
});

const Entry& entry(Message message) { return entries.at(static_cast<std::size_t>(message)); }

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::unsupported:
      return "unsupported";
    case Severity::warning:
      return "warning";
  }
  internal_error("diagnostics: unknown severity");
}

/// `file:line:column: `, nothing for a range that points nowhere.
std::string place(SourceRange at, const SourceMap& sources) {
  if (!at.valid()) return "";
  const Position position = sources.position(at);
  return fmt::format("{}:{}:{}: ", sources.name(at.file), position.line, position.column);
}

/// The source line, and below it a caret with a tilde for each further byte of the range.
std::string excerpt(SourceRange at, const SourceMap& sources) {
  if (!at.valid()) return "";
  constexpr std::size_t longest_line = 200;  // a caret at the end of a 1 MB line helps nobody
  const std::string_view line = sources.line_at(at);
  const auto column = static_cast<std::size_t>(sources.position(at).column) - 1;
  if (line.size() > longest_line) return "";
  std::string indent(line.substr(0, std::min(column, line.size())));
  std::replace_if(indent.begin(), indent.end(), [](char c) { return c != '\t'; }, ' ');
  const std::size_t length = std::clamp<std::size_t>(
      at.end - at.begin, 1, std::max<std::size_t>(1, line.size() - indent.size()));
  return fmt::format("  {}\n  {}^{}\n", line, indent, std::string(length - 1, '~'));
}

}  // namespace

Severity severity_of(Message message) { return entry(message).severity; }
std::string_view id_of(Message message) { return entry(message).id; }
std::string_view text_of(Message message) { return entry(message).text; }

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  diagnostics_.push_back(std::move(diagnostic));
  return diagnostics_.back();
}

bool Diagnostics::has_errors() const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& d) {
    return severity_of(d.message) != Severity::warning;
  });
}

std::string to_string(const Diagnostic& diagnostic, const SourceMap& sources) {
  std::string text = fmt::format("{}{}: {} [{}]\n{}", place(diagnostic.at, sources),
                                 word(severity_of(diagnostic.message)), diagnostic.text,
                                 id_of(diagnostic.message), excerpt(diagnostic.at, sources));
  for (const Note& note : diagnostic.notes) {
    text += fmt::format("{}note: {}\n{}", place(note.at, sources), note.text,
                        excerpt(note.at, sources));
  }
  return text;
}

}  // namespace boustro::source
