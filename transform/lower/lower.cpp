#include "transform/lower/lower.hpp"

#include "transform/lower/context.hpp"
#include "transform/lower/entry.hpp"
#include "transform/lower/naming.hpp"

namespace boustro::lower {

ir::Program lower_program(const check::TypedProgram& program, source::Diagnostics& diagnostics) {
  Context context(program);
  for (const check::Definition& definition : program.definitions) {
    if (!definition.is_entry) continue;
    try {
      lower_entry(context, definition);
    } catch (const source::Refusal& refusal) {
      diagnostics.add(refusal.diagnostic);
      // What was being lowered when it happened is unfinished; other entries may reach it again.
      std::erase_if(context.functions, [](const auto& entry) { return !entry.second.finished; });
    }
  }
  use_source_names(context);
  return std::move(context.program);
}

}  // namespace boustro::lower
