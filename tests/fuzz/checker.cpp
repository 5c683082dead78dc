// Whatever parses is checked: to a typed program, or to diagnostics that can be shown.

#include <string>

#include "frontend/modules/check_program.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/source/diagnostics.hpp"
#include "target.hpp"

using namespace boustro;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto file = sources.add("fuzz.fut", std::string(data, data + size));
  const ast::Program program = parse::parse_program(file, sources, diagnostics);
  if (diagnostics.has_errors()) return -1;  // not worth keeping in the corpus
  try {
    modules::check_program(program, sources, diagnostics);
  } catch (const source::Refusal& refusal) {
    diagnostics.add(refusal.diagnostic);
  }
  for (const source::Diagnostic& diagnostic : diagnostics.all()) {
    to_string(diagnostic, sources);
  }
  return 0;
}
