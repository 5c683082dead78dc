#include "transform/lower/lower.hpp"

#include "frontend/source/messages.hpp"
#include "transform/ir/verify.hpp"
#include "transform/lower/context.hpp"
#include "transform/lower/entry.hpp"
#include "transform/lower/naming.hpp"

namespace boustro::lower {

namespace {

/// Accumulators are linear, which types and uniqueness do not say in full, and what belongs to a nest is not said by types
/// at all: the core program has the last word.
void check_core(const Context& context, source::Diagnostics& diagnostics) {
  if (diagnostics.has_errors() || !(context.uses_accumulators || context.uses_nests || context.printed)) return;
  const std::vector<std::string> violations = ir::verify(context.program);
  if (violations.empty()) return;
  if (context.uses_nests || context.printed) {
    diagnostics.report(source::Message::lower_nest, {}, "the core program is not in order: " + violations[0]);
    return;
  }
  diagnostics.report(source::Message::lower_accumulator, {},
                     "accumulators can only be passed on, updated and finished: " + violations[0]);
}

}  // namespace

ir::Program lower_program(const check::TypedProgram& program, source::Diagnostics& diagnostics,
                          const Options& options) {
  Context context(program);
  context.printed = options.printed;
  context.sources = options.sources;
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
  check_core(context, diagnostics);
  return std::move(context.program);
}

}  // namespace boustro::lower
