#include "frontend/modules/check_program.hpp"

#include "frontend/modules/elaborator.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::modules {
namespace {

using source::Message;

/// What only the second look finds is no mistake of the user's: inference did not need to know what
/// an abstract type hides.
void report_hidden_sizes(const source::Diagnostics& found, source::Diagnostics& diagnostics) {
  const source::Diagnostic& first = found.all().at(0);
  diagnostics.report(Message::hidden_sizes, first.at, first.text).notes = first.notes;
}

}  // namespace

std::optional<check::TypedProgram> check_program(const imports::Program& program,
                                                 source::SourceMap& sources,
                                                 source::Diagnostics& diagnostics) {
  check::PreludeSyntax prelude(sources);
  std::set<const ast::Definition*> abstract_constants;
  {
    check::Globals globals(prelude, sources, diagnostics);
    Elaborator judge(globals, program, Purpose::judge);
    judge.check_main();
    if (diagnostics.has_errors()) return std::nullopt;
    if (!judge.met_abstract_types()) return check::TypedProgram{std::move(globals.definitions)};
    abstract_constants = std::move(globals.abstract_constants);
  }
  source::Diagnostics own;
  check::Globals globals(prelude, sources, own);
  globals.copied_constants = std::move(abstract_constants);
  Elaborator(globals, program, Purpose::elaborate).check_main();
  if (!own.has_errors()) return check::TypedProgram{std::move(globals.definitions)};
  report_hidden_sizes(own, diagnostics);
  return std::nullopt;
}

std::optional<check::TypedProgram> check_program(const ast::Program& program,
                                                 source::SourceMap& sources,
                                                 source::Diagnostics& diagnostics) {
  imports::Program whole;
  whole.main = &whole.files.emplace_back(imports::File{{}, {}, program});
  return check_program(whole, sources, diagnostics);
}

}  // namespace boustro::modules
