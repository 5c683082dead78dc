#include "emit/driver/load.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <system_error>

#include "frontend/check/first_order.hpp"
#include "frontend/imports/imports.hpp"
#include "frontend/modules/check_program.hpp"
#include "frontend/source/messages.hpp"
#include "frontend/values/read.hpp"
#include "transform/ad/derivative_entry.hpp"
#include "transform/lower/lower.hpp"

namespace boustro::driver {
namespace {

using source::Message;

/// The text of a file or of standard input; nothing if it cannot be read.
std::optional<std::string> read_program(Session& session, const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  try {
    return values::read_file(path);
  } catch (const std::system_error& error) {
    session.diagnostics.report(Message::cannot_read_file, {}, path, error.code().message());
    return std::nullopt;
  }
}

check::Definition* find_definition(const Session& session, check::TypedProgram& program,
                                   const std::string& name) {
  // The last one is the one that is visible at the end of the main file.
  const auto found =
      std::find_if(program.definitions.rbegin(), program.definitions.rend(),
                   [&](const check::Definition& definition) {
                     return definition.name.text == name && definition.at.file == session.main;
                   });
  return found == program.definitions.rend() ? nullptr : &*found;
}

/// Keeps the entries that are asked for. False if one does not exist.
bool choose_entries(Session& session, check::TypedProgram& program,
                    const std::vector<std::string>& entries) {
  if (entries.empty()) return true;
  bool all_found = true;
  for (const std::string& name : entries) {
    const check::Definition* const definition = find_definition(session, program, name);
    if (definition != nullptr && definition->is_entry) continue;
    session.diagnostics.report(Message::no_such_entry, {}, name);
    all_found = false;
  }
  for (check::Definition& definition : program.definitions) {
    definition.is_entry = definition.is_entry && std::find(entries.begin(), entries.end(),
                                                           definition.name.text) != entries.end();
  }
  return all_found;
}

bool is_entry(const Session& session, check::TypedProgram& program, const std::string& name) {
  const check::Definition* const definition = find_definition(session, program, name);
  return definition != nullptr && definition->is_entry;
}

/// Functions that are to be entries and are none: those that are asked for, and those to differentiate, which only have to look like
/// entries for a while.
std::vector<std::string> extra_entries(const Session& session, check::TypedProgram& program, const LoadSettings& settings) {
  std::vector<std::string> wanted = settings.extra_entries;
  for (const Derivative& derivative : settings.derivatives) wanted.push_back(derivative.function);
  std::erase_if(wanted, [&](const std::string& name) { return is_entry(session, program, name); });
  return wanted;
}

/// The function stays, for others to call.
void hide_entry(ir::Program& program, const std::string& name) {
  for (ir::Function& function : program.functions) {
    if (function.entry && function.entry->name == name) function.entry.reset();
  }
}

/// Makes an entry of a function. False if it does not exist or cannot be one.
bool make_entry(Session& session, check::TypedProgram& program, const std::string& name) {
  check::Definition* const definition = find_definition(session, program, name);
  if (definition == nullptr) {
    session.diagnostics.report(Message::no_such_function, {}, name);
    return false;
  }
  if (!definition->is_entry) check::check_entry(*definition, session.diagnostics);
  definition->is_entry = true;
  return !session.diagnostics.has_errors();
}

}  // namespace

bool Session::report() const {
  for (const source::Diagnostic& diagnostic : diagnostics.all())
    std::cerr << to_string(diagnostic, sources);
  return !diagnostics.has_errors();
}

std::string Session::first_error() const {
  for (const source::Diagnostic& diagnostic : diagnostics.all()) {
    if (source::severity_of(diagnostic.message) != source::Severity::warning)
      return to_string(diagnostic, sources);
  }
  return "is refused without a reason";
}

std::optional<check::TypedProgram> load_typed(Session& session, const std::string& path) {
  session.path = path;
  session.name = path == "-" ? "stdin" : std::filesystem::path(path).stem().string();
  auto text = read_program(session, path);
  if (!text) return std::nullopt;
  if (!session.appendix.empty()) *text += "\n" + session.appendix;
  session.main = session.sources.add(
      path == "-" ? "<stdin>" : std::filesystem::path(path).filename().string(), std::move(*text));
  const imports::Program program = imports::read_program(path, session.main, session.folders,
                                                         session.sources, session.diagnostics);
  session.file_ids.push_back(session.main);
  for (const imports::File& file : program.files) {
    if (&file != program.main || path != "-") session.files.push_back(file.path);
    if (&file != program.main) session.file_ids.push_back(file.id);
  }
  if (session.diagnostics.has_errors()) return std::nullopt;
  return modules::check_program(program, session.sources, session.diagnostics);
}

std::optional<ir::Program> load_core(Session& session, const std::string& path,
                                     const LoadSettings& settings) {
  auto typed = load_typed(session, path);
  if (!typed || !choose_entries(session, *typed, settings.entries)) return std::nullopt;
  const std::vector<std::string> extra = extra_entries(session, *typed, settings);
  for (const std::string& name : extra)
    if (!make_entry(session, *typed, name)) return std::nullopt;
  try {
    ir::Program program =
        lower::lower_program(*typed, session.diagnostics, {.printed = settings.printed, .sources = &session.sources});
    if (session.diagnostics.has_errors()) return std::nullopt;
    for (const Derivative& derivative : settings.derivatives)
      ad::add_derivative_entry(program, derivative.function, derivative.wrt, derivative.reverse);
    for (const std::string& name : extra)
      if (std::find(settings.extra_entries.begin(), settings.extra_entries.end(), name) == settings.extra_entries.end()) hide_entry(program, name);
    return program;
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
}

}  // namespace boustro::driver
