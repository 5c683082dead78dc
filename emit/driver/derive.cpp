#include <iostream>

#include "emit/driver/commands.hpp"
#include "emit/driver/explain_checkpoints.hpp"
#include "emit/driver/explain_memory.hpp"
#include "emit/driver/passes.hpp"
#include "transform/ir/print.hpp"
#include "transform/raise/raise.hpp"

namespace boustro::driver {
namespace {

int explain(const Session& session, const std::optional<ir::Program>& program, const DeriveOptions& options) {
  if (!session.report()) return 1;
  ScheduleSizes sizes{options.checkpoints[0], {}};
  if (options.checkpoints.size() > 1) sizes.states = options.checkpoints[1];
  try {
    std::cout << explained_checkpoints(session, *program, sizes);
  } catch (const std::invalid_argument& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace

int derive(const DeriveOptions& options) {
  Session session;
  session.folders = options.folders;
  auto program = load_core(session, options.file,
                           {.entries = options.entries,
                            .printed = !options.look.start_after.empty(),
                            .derivatives = options.derivatives});
  if (!options.checkpoints.empty()) return explain(session, program, options);
  if (program) program = run_passes(session, std::move(*program), Goal::derive, options.look);
  if (!session.report()) return 1;
  if (options.memory) {
    std::cout << explained_memory(session, *program);
    return 0;
  }
  std::cout << (options.core ? ir::to_string(*program, {.provenance = true, .sources = &session.sources})
                             : raise::raise(*program, {.sources = &session.sources}).text);
  return 0;
}

}  // namespace boustro::driver
