#include "transform/raise/read_back.hpp"

#include "frontend/imports/imports.hpp"
#include "frontend/modules/check_program.hpp"
#include "transform/ir/verify.hpp"
#include "transform/lower/lower.hpp"

namespace boustro::raise {

bool is_read_back(const std::string& text, std::string* reasons) {
  const std::string path = "raised.fut";
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto tree = imports::read_program(path, sources.add(path, text), {}, sources, diagnostics);
  bool is_good = false;
  try {
    if (!diagnostics.has_errors()) {
      const auto typed = modules::check_program(tree, sources, diagnostics);
      if (typed && !diagnostics.has_errors()) is_good = ir::verify(lower::lower_program(*typed, diagnostics)).empty();
    }
  } catch (const source::Refusal& refusal) {
    diagnostics.add(refusal.diagnostic);
    is_good = false;
  } catch (const source::InternalError& error) {  // a size that the checker lets pass, say: there are other ways to print it
    if (reasons) *reasons += std::string(error.what()) + "\n";
    is_good = false;
  }
  for (const auto& diagnostic : diagnostics.all())
    if (reasons) *reasons += to_string(diagnostic, sources);
  return is_good && !diagnostics.has_errors();
}

}  // namespace boustro::raise
