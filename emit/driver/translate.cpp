#include <filesystem>
#include <iostream>
#include <system_error>

#include <fmt/ranges.h>

#include "emit/driver/commands.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/plan/planner.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using run::EmittedProgram;

/// Where the file goes: what -o says, or the program's name in the current folder.
fs::path output_path(const TranslateOptions& options, const Session& session) {
  if (!options.output.empty()) return options.output;
  return session.name + (options.target == "cuda" ? ".cu" : ".cpp");
}

EmitSettings emit_settings(const TranslateOptions& options, const fs::path& output) {
  EmitSettings settings;
  settings.target = options.target == "cuda" ? plan::Target::gpu : plan::Target::cpu;
  settings.name = output.stem().string();
  settings.name_space = options.name_space;
  settings.checks = options.checks;
  settings.deterministic = options.deterministic;
  settings.reassociate = options.reassociate;
  settings.vector_math = options.vector_math;
  return settings;
}

/// Throws InternalError if the text is not what it should be: that is never the user's mistake.
void verify_text(const EmittedProgram& emitted, VerifyWith with) {
  if (with == VerifyWith::nothing) return;
  if (emitted.plan.target == plan::Target::gpu && !verify::cuda_headers_available()) {
    std::cerr << "note: not verified, since CUDA's headers were not found; set CUDA_PATH\n";
    return;
  }
  const verify::Verdict verdict = verify_emitted(emitted);
  source::internal_check(verdict.problems.empty(), fmt::format("emitted file is rejected:\n{}",
                                                               fmt::join(verdict.problems, "\n")));
  for (const std::string& remark : verdict.remarks) std::cerr << "note: " << remark << "\n";
}

void verify_with_nvcc(const EmittedProgram& emitted) {
  const run::TemporaryFolder folder;
  run::write_file(folder.path() / emitted.source_name, emitted.source);
  run::write_file(folder.path() / emitted.header_name, emitted.header);
  run::compile_nvcc({folder.path() / emitted.source_name},
                    {"-c", "-o", (folder.path() / "emitted.o").string()});
}

fs::path header_path(const fs::path& output) { return fs::path(output).replace_extension(".hpp"); }

bool are_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none_of_them;
  return fs::equivalent(a, b, none_of_them);
}

/// Why a file must not be written there, in words; empty if it may.
std::string objection_to(const fs::path& path, const std::string& program) {
  if (are_same_file(path, program == "-" ? "/dev/stdin" : program)) return "it is the program";
  return run::obstacle_at(path);
}

/// False if one of both files must not be written; the session has the reason.
bool check_paths(Session& session, const fs::path& output) {
  const fs::path header = header_path(output);
  const auto report = [&](const fs::path& path, const std::string& reason) {
    if (reason.empty()) return true;
    session.diagnostics.report(source::Message::cannot_write_file, {}, path.string(), reason);
    return false;
  };
  try {
    if (header == output || are_same_file(header, output))
      return report(output, "its header would be the same file");
    return report(output, objection_to(output, session.path)) &&
           report(header, objection_to(header, session.path));
  } catch (const std::system_error& error) {
    return report(output, error.code().message());
  }
}

/// Header first: whoever sees the source finds its header. Neither is left half-written.
bool write_files(Session& session, const EmittedProgram& emitted, const fs::path& output) {
  try {
    run::write_file(header_path(output), emitted.header);
    run::write_file(output, emitted.source);
    return true;
  } catch (const std::system_error& error) {
    session.diagnostics.report(source::Message::cannot_write_file, {}, output.string(),
                               error.code().message());
    return false;
  }
}

}  // namespace

int translate(const TranslateOptions& options) {
  Session session;
  session.folders = options.folders;
  auto core = load_core(session, options.file,
                        {.entries = options.entries,
                         .printed = !options.look.start_after.empty(),
                         .derivative = options.derivative});
  const Goal goal = options.target == "cpp" ? Goal::cpu : Goal::gpu;
  if (core) core = run_passes(session, std::move(*core), goal, options.look, options.reassociate);
  if (!core || !options.look.stop_after.empty()) return session.report() ? 0 : 1;

  const fs::path output = output_path(options, session);
  const bool writes = !options.explain_plan || !options.output.empty();
  std::optional<EmittedProgram> emitted;
  if (!writes || check_paths(session, output))
    emitted = emit(session, *core, emit_settings(options, output));
  if (!session.report()) return 1;
  if (options.explain_plan) std::cout << plan::explain(emitted->plan);
  verify_text(*emitted, options.verify);
  if (options.verify == VerifyWith::nvcc) verify_with_nvcc(*emitted);
  if (!writes || write_files(session, *emitted, output)) return 0;
  session.report();
  return 1;
}

}  // namespace boustro::driver
