#include <iostream>

#include "emit/driver/commands.hpp"
#include "emit/driver/passes.hpp"
#include "transform/ir/print.hpp"
#include "transform/raise/raise.hpp"

namespace boustro::driver {

int derive(const DeriveOptions& options) {
  Session session;
  session.folders = options.folders;
  auto program = load_core(session, options.file,
                           {.entries = options.entries,
                            .printed = !options.look.start_after.empty(),
                            .derivatives = options.derivatives});
  if (program) program = run_passes(session, std::move(*program), Goal::derive, options.look);
  if (!session.report()) return 1;
  std::cout << (options.core ? ir::to_string(*program, {.provenance = true, .sources = &session.sources})
                             : raise::raise(*program, {.sources = &session.sources}).text);
  return 0;
}

}  // namespace boustro::driver
