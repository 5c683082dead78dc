#include <iostream>

#include <fmt/format.h>

#include "emit/driver/commands.hpp"
#include "emit/driver/read_arguments.hpp"
#include "emit/driver/runner.hpp"
#include "frontend/values/write.hpp"
#include "transform/facts/history.hpp"

namespace boustro::driver {
namespace {

/// What the run cost, scopes that were executed last.
void report(const ir::Counts& counts, const source::SourceMap& sources) {
  std::cerr << fmt::format("{:>12}  operations on floats\n", counts.operations)
            << fmt::format("{:>12}  operations on integers, booleans and indices\n",
                           counts.integer_operations)
            << fmt::format("{:>12}  elements read\n", counts.elements_read)
            << fmt::format("{:>12}  elements written\n", counts.elements_written)
            << fmt::format("{:>12}  elements alive at most\n", counts.peak_elements)
            << "executions of scopes:\n";
  for (const ir::ScopeCount& scope : counts.scopes) {
    if (scope.executions == 0) continue;
    std::cerr << fmt::format("{:>12}  {}{}{}\n", scope.executions,
                             sources.file_and_line(sources.shown(scope.origin.at)),
                             scope.origin.rule.empty() ? "" : ", ", scope.origin.rule);
  }
}

}  // namespace

int run(const RunOptions& options) {
  if (options.count && options.target != "evaluate") {
    std::cerr << "error: --count needs --target evaluate\n";
    return 1;
  }
  Session session;
  ir::Counts counts;
  session.folders = options.folders;
  auto core = load_core(session, options.file, {.entries = {options.entry}, .printed = !options.look.start_after.empty()});
  std::optional<RunEntry> entry;
  if (core)
    entry = make_runner(session, std::move(*core), options.target, options.mode, options.look,
                        {.counts = options.count ? &counts : nullptr,
                         .adversary = options.adversary,
                         .versions = options.check_annotations ? facts::versions_of : nullptr});
  if (!session.report() || !entry) return 1;
  const auto args = read_arguments();
  if (!args) return 1;
  try {
    for (const values::Value& value : (*entry)(options.entry, *args)) {
      if (options.binary) {
        std::cout << values::to_binary(value);
      } else {
        std::cout << values::to_text(value) << "\n";
      }
    }
    if (options.count) report(counts, session.sources);
    return 0;
  } catch (const RunError& error) {
    std::cerr << error.what() << "\n";
  } catch (const std::invalid_argument& error) {
    std::cerr << "error: " << error.what() << "\n";
  }
  return 1;
}

}  // namespace boustro::driver
