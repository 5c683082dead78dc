#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include <fmt/ranges.h>

#include "emit/driver/bindings.hpp"
#include "emit/driver/commands.hpp"
#include "emit/driver/depfile.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/merge_files.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/random_arguments.hpp"
#include "emit/plan/planner.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using run::EmittedProgram;

/// Where files have been merged and lines are left that their owner has to choose from.
constexpr int conflicts_left = 3;

bool merges(const TranslateOptions& options) { return !options.merge.empty(); }

/// Where the file goes: what -o says, or the program's name in the current folder.
fs::path output_path(const TranslateOptions& options, const Session& session) {
  if (merges(options)) return options.merge;
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
  settings.typical = options.typical;
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

bool are_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none_of_them;
  return fs::equivalent(a, b, none_of_them);
}

/// Why a file must not be written there, in words; empty if it may.
std::string objection_to(const fs::path& path, const Session& session) {
  if (session.path == "-" && are_same_file(path, "/dev/stdin")) return "it is the program";
  for (const fs::path& file : session.files)
    if (are_same_file(path, file)) return "it is the program";
  return run::obstacle_at(path);
}

/// Bases that are there stay what was emitted last.
bool keeps_bases(const TranslateOptions& options, const fs::path& output) {
  std::error_code cannot_see;
  return options.keep_base || merges(options) || fs::exists(base_of(output), cannot_see);
}

bool report_obstacle(Session& session, const fs::path& path, const std::string& reason) {
  if (reason.empty()) return true;
  session.diagnostics.report(source::Message::cannot_write_file, {}, path.string(), reason);
  return false;
}

std::vector<fs::path> paths_to_write(const fs::path& output, bool with_bases) {
  const fs::path header = header_of(output);
  if (!with_bases) return {header, output};
  return {header, output, base_of(header), base_of(output)};
}

/// False if people edited one of the files; the session has the reason.
bool check_not_edited(Session& session, const fs::path& output) {
  for (const fs::path& path : paths_to_write(output, false))
    if (was_edited(path))
      return report_obstacle(session, path, "it was edited since it was emitted: --merge keeps that, or remove it first");
  return true;
}

/// False if one of the files must not be written; the session has the reason.
bool check_paths(Session& session, const fs::path& output, bool with_merge, bool with_bases) {
  try {
    const fs::path header = header_of(output);
    if (header == output || are_same_file(header, output)) return report_obstacle(session, output, "its header would be the same file");
    for (const fs::path& path : paths_to_write(output, with_bases))
      if (!report_obstacle(session, path, objection_to(path, session))) return false;
    return with_merge ? check_merge(session, output) : check_not_edited(session, output);
  } catch (const std::system_error& error) {
    return report_obstacle(session, output, error.code().message());
  }
}

/// False if the dependency file must not be written; the session has the reason.
bool check_depfile(Session& session, const fs::path& depfile, const fs::path& output, bool with_bases) {
  if (depfile.empty()) return true;
  for (const fs::path& path : paths_to_write(output, with_bases))
    if (depfile.lexically_normal() == path.lexically_normal() || are_same_file(depfile, path))
      return report_obstacle(session, depfile, "it is an output");
  if (!fs::is_directory(fs::absolute(depfile).parent_path())) return report_obstacle(session, depfile, "there is no such folder");
  return report_obstacle(session, depfile, objection_to(depfile, session));
}

/// False if something stands where one of them is to be written; the session has the reason.
bool check_not_in_the_way(Session& session, const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files)
    if (!report_obstacle(session, file.path, objection_to(file.path, session))) return false;
  return true;
}

/// None of them is left half-written.
bool write_files(Session& session, const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    try {
      run::write_file(file.path, file.text);
    } catch (const std::system_error& error) {
      return report_obstacle(session, file.path, error.code().message());
    }
  }
  return true;
}

/// Header first: whoever sees the source finds its header. Bases last: after a merge that could not be written to its end the next one
/// still knows what was edited. `others` are written as they are. Nothing if there is nothing to merge with; the session has the reason.
std::optional<std::vector<OutputFile>> files_to_write(Session& session, const EmittedProgram& emitted, const fs::path& output,
                                                      const std::vector<OutputFile>& others, bool with_merge, bool with_bases) {
  const std::vector<OutputFile> pair = {{header_of(output), emitted.header}, {output, emitted.source}};
  std::optional<std::vector<OutputFile>> files = with_merge ? merge_files(session, emitted, output) : pair;
  if (files) files->insert(files->end(), others.begin(), others.end());
  if (files && with_bases)
    for (const OutputFile& file : pair) files->push_back({base_of(file.path), file.text});
  return files;
}

/// Beside files that are written already: whoever sees it finds them. False if it cannot be written.
bool write_depfile(Session& session, const fs::path& depfile, const fs::path& output) {
  if (depfile.empty()) return true;
  session.diagnostics = {};
  write_files(session, {{depfile, depfile_text({output, header_of(output)}, session.files)}});
  return session.report();
}

/// The exit code.
int write(Session& session, const EmittedProgram& emitted, const fs::path& output, const std::vector<OutputFile>& others,
          bool with_merge, bool with_bases) {
  session.diagnostics = {};  // those of before are printed
  const auto files = files_to_write(session, emitted, output, others, with_merge, with_bases);
  const bool written = files && write_files(session, *files);
  const bool settled = session.report();
  return !written ? 1 : settled ? 0 : conflicts_left;
}

/// False if the program has no such derivatives; the session has the reason.
bool add_binding_derivatives(Session& session, ir::Program& core, const TranslateOptions& options,
                             std::vector<bindings::Derivative>& derivatives) {
  try {
    derivatives = add_derivatives(core, options);
    return true;
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return false;
  }
}

bool has_integer(const ir::Function& function, const std::string& name) {
  return std::any_of(function.params.begin(), function.params.end(), [&](const ir::Param& param) {
    return param.name.base == name && param.type.is_scalar() && values::is_integer(param.type.elem);
  });
}

/// False if some entry cannot have such sizes, or none has one of that name; the session has the reason.
bool check_typical(Session& session, const ir::Program& core, const Sizes& typical) {
  try {
    Sizes unknown = typical;
    const ir::Function* last = nullptr;
    for (const ir::Function& function : core.functions) {
      if (!function.entry) continue;
      last = &function;
      Sizes own;
      for (const auto& [name, size] : typical)
        if (has_integer(function, name)) own[name] = size, unknown.erase(name);
      check_sizes(function, function.entry->name, own);
    }
    if (last && !unknown.empty()) check_sizes(*last, last->entry->name, unknown);
    return true;
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return false;
  }
}

/// The C++ beside CUDA that bindings call where arrays are on the host: `kmeans_cpu.cpp`, in a namespace of its own.
EmitSettings settings_of_cpu_part(const TranslateOptions& options, const fs::path& output) {
  EmitSettings settings = emit_settings(options, output);
  settings.target = plan::Target::cpu;
  settings.name += "_cpu";
  if (!settings.name_space.empty()) settings.name_space += "_cpu";
  return settings;
}

/// What is written besides the emitted pair. `for_cpu` is the program as it was loaded, if the bindings of a GPU's program need it.
/// Nothing if something is refused; the session has the reason.
std::optional<std::vector<OutputFile>> other_files(Session& session, const TranslateOptions& options,
                                                   const std::vector<bindings::Derivative>& derivatives, const Translation& translation,
                                                   std::optional<ir::Program> for_cpu, const fs::path& output) {
  if (options.bindings.empty()) return std::vector<OutputFile>{};
  if (!for_cpu) return binding_files(session, options, derivatives, translation, std::nullopt, output);
  const auto core = run_passes(session, std::move(*for_cpu), Goal::cpu, {}, {options.reassociate, options.deterministic});
  std::optional<EmittedProgram> emitted;
  if (core) emitted = emit(session, *core, settings_of_cpu_part(options, output));
  if (!emitted) return std::nullopt;
  verify_text(*emitted, options.verify);
  auto files = binding_files(session, options, derivatives, {*core, *emitted}, translation, output);
  if (files) files->insert(files->begin(), {{output.parent_path() / emitted->header_name, emitted->header},
                                            {output.parent_path() / emitted->source_name, emitted->source}});
  return files;
}

/// What --deterministic costs; `core` is the program as it was loaded.
std::string price_of_fixed_order(Session& session, ir::Program core, const TranslateOptions& options, const EmittedProgram& fixed) {
  const auto passed = run_passes(session, std::move(core), Goal::gpu, {}, {options.reassociate, false});
  EmitSettings settings = emit_settings(options, fixed.source_name);
  settings.deterministic = false;
  const auto any = passed ? emit(session, *passed, settings) : std::nullopt;
  return any ? plan::explain_price(fixed.plan, any->plan) : "";
}

}  // namespace

int translate(const TranslateOptions& options) {
  Session session;
  session.folders = options.folders;
  auto core = load_core(session, options.file, load_settings(options));
  std::vector<bindings::Derivative> derivatives;
  if (core && !add_binding_derivatives(session, *core, options, derivatives)) core.reset();
  if (core && !check_typical(session, *core, options.typical)) core.reset();
  const bool both = !options.bindings.empty() && options.target == "cuda";
  std::optional<ir::Program> for_cpu = both ? core : std::nullopt;
  const bool priced = options.explain_plan && options.deterministic && options.target == "cuda" && options.look.start_after.empty();
  std::optional<ir::Program> loaded = priced ? core : std::nullopt;
  const Goal goal = options.target == "cpp" ? Goal::cpu : Goal::gpu;
  if (core) core = run_passes(session, std::move(*core), goal, options.look, {options.reassociate, options.deterministic});
  if (!core || !options.look.stop_after.empty()) return session.report() ? 0 : 1;

  const fs::path output = output_path(options, session);
  const bool writes = !(options.explain_plan || options.memory) || !options.output.empty() || merges(options);
  const bool with_bases = keeps_bases(options, output);
  std::optional<EmittedProgram> emitted;
  if (!writes || (check_paths(session, output, merges(options), with_bases) &&
                  check_depfile(session, options.depfile, output, with_bases)))
    emitted = emit(session, *core, emit_settings(options, output));
  std::optional<std::vector<OutputFile>> others;
  if (emitted) others = other_files(session, options, derivatives, {*core, *emitted}, std::move(for_cpu), output);
  if (others && writes) check_not_in_the_way(session, *others);
  if (!session.report()) return 1;
  if (options.explain_plan) std::cout << plan::explain(emitted->plan);
  if (options.memory) std::cout << plan::explain_memory(emitted->plan);
  if (loaded) std::cout << price_of_fixed_order(session, std::move(*loaded), options, *emitted);
  verify_text(*emitted, options.verify);
  if (options.verify == VerifyWith::nvcc) verify_with_nvcc(*emitted);
  if (!writes) return 0;
  const int code = write(session, *emitted, output, *others, merges(options), with_bases);
  return code == 0 && !write_depfile(session, options.depfile, output) ? 1 : code;
}

}  // namespace boustro::driver
