// Any text is parsed: to a tree, or to diagnostics that can be shown.

#include <string>

#include "frontend/parse/parse.hpp"
#include "frontend/source/diagnostics.hpp"
#include "target.hpp"

using namespace boustro;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto file = sources.add("fuzz.fut", std::string(data, data + size));
  parse::parse_program(file, sources, diagnostics);
  for (const source::Diagnostic& diagnostic : diagnostics.all()) {
    to_string(diagnostic, sources);
  }
  return 0;
}
