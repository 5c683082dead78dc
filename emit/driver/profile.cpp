// boustro profile: what an entry does on a device, counted on the CPU.
#include <iostream>
#include <memory>

#include "emit/driver/commands.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/profile_report.hpp"
#include "emit/driver/random_arguments.hpp"
#include "emit/driver/read_arguments.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::driver {
namespace {

/// The entry as lowered; there is no other.
const ir::Function& entry_of(const ir::Program& program) {
  for (const ir::Function& function : program.functions)
    if (function.entry) return function;
  source::internal_error("profile: the entry is missing");
}

/// What the entry is to be called on; nothing if that was refused.
std::optional<std::vector<values::Value>> choose_arguments(Session& session,
                                                           const ir::Program& program,
                                                           const ProfileOptions& options) {
  if (options.sizes.empty()) return read_arguments();
  try {
    check_sizes(entry_of(program), options.entry, options.sizes);
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
  RandomValues random(options.seed);
  return random_arguments(random, entry_of(program), options.sizes);
}

/// Nothing if the program was refused.
std::unique_ptr<run::CompiledProgram> compile(Session& session, ir::Program core,
                                              const LookInside& look) {
  auto program = run_passes(session, std::move(core), Goal::gpu, look);
  if (!program) return nullptr;
  auto emitted = emit(session, *program, {.name = session.name});
  if (!emitted) return nullptr;
  return std::make_unique<run::CompiledProgram>(std::move(*program), std::move(*emitted),
                                                run::Target::cuda_on_cpu, run::Mode::counts);
}

Profile run_profile(const run::CompiledProgram& program, const std::string& entry,
                    const std::vector<values::Value>& args) {
  const run::TemporaryFolder folder;
  const run::RunSettings settings{.counts_file = folder.path() / "counts"};
  Profile profile;
  try {
    program.run(entry, args, settings);
  } catch (const run::RunFailure& failure) {
    profile.failure = failure.what();
    profile.failure.erase(profile.failure.find_last_not_of('\n') + 1);
  }
  profile.work = run::read_counts(settings.counts_file);
  return profile;
}

}  // namespace

int profile(const ProfileOptions& options) {
  Session session;
  session.folders = options.folders;
  auto core = load_core(session, options.file, {.entries = {options.entry}});
  std::optional<std::vector<values::Value>> args;
  std::unique_ptr<run::CompiledProgram> program;
  if (core) args = choose_arguments(session, *core, options);
  if (args) program = compile(session, std::move(*core), options.look);
  if (!session.report() || !program) return 1;
  try {
    const Profile profile = run_profile(*program, options.entry, *args);
    if (!profile.failure.empty()) std::cerr << profile.failure << "\n";
    std::cout << (options.json ? profile_json(profile) : profile_table(profile));
    return profile.failure.empty() ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace boustro::driver
