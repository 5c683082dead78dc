// Programs from text, as commands read them, and dumps that are read back.
#pragma once

#include <optional>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "frontend/imports/imports.hpp"
#include "frontend/modules/check_program.hpp"
#include "tests/dumps/equal_programs.hpp"
#include "transform/ir/print.hpp"
#include "transform/lower/lower.hpp"

namespace boustro::tests {

/// Parsed, checked and lowered; nothing if it is refused, and `reasons` become why.
inline std::optional<ir::Program> lowered(const std::string& text, const std::string& path, bool printed,
                                          std::string& reasons) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto tree = imports::read_program(path, sources.add(path, text), {}, sources, diagnostics);
  std::optional<check::TypedProgram> typed;
  if (!diagnostics.has_errors()) typed = modules::check_program(tree, sources, diagnostics);
  std::optional<ir::Program> program;
  if (typed) program = lower::lower_program(*typed, diagnostics, {.printed = printed});
  for (const auto& diagnostic : diagnostics.all()) reasons += to_string(diagnostic, sources);
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

/// The program that its dump is read back as.
inline std::optional<ir::Program> read_back(const ir::Program& program) {
  const std::string text = ir::to_string(program, {.exact = true});
  std::string reasons;
  auto again = lowered(text, "dump.fut", true, reasons);
  BOOST_CHECK_MESSAGE(again.has_value(), reasons << text);
  return again;
}

inline std::vector<std::string> lines_of(const ir::Function& function) {
  std::istringstream text(ir::to_string(function, {.exact = true}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The first lines in which two programs differ up to names; empty if there are none.
inline std::string first_difference(const ir::Program& a, const ir::Program& b) {
  const auto x = without_names(a), y = without_names(b);
  if (x.size() != y.size()) return "there are other functions";
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i]) continue;
    const auto wanted = lines_of(x[i]), found = lines_of(y[i]);
    for (std::size_t k = 0; k < std::min(wanted.size(), found.size()); ++k)
      if (wanted[k] != found[k]) return x[i].name.base + ": " + wanted[k] + "\n  is read back as\n" + found[k];
    return "what differs in " + x[i].name.base + " is not printed, or behind the end of one";
  }
  return "";
}

inline void check_equal(const ir::Program& wanted, const ir::Program& found) {
  const std::string difference = first_difference(wanted, found);
  BOOST_CHECK_MESSAGE(difference.empty(), difference << "\nin\n" << ir::to_string(wanted, {.exact = true}));
}

/// A dump of the program shows it in full.
inline void check_dump(const ir::Program& program) {
  if (const auto again = read_back(program)) check_equal(program, *again);
}

}  // namespace boustro::tests
