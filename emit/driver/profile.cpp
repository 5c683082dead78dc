// boustro profile: what an entry does on a device, counted on the CPU.
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>

#include "emit/driver/commands.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/random_arguments.hpp"
#include "emit/driver/read_arguments.hpp"
#include "emit/profile/compare.hpp"
#include "emit/profile/few_blocks.hpp"
#include "emit/profile/report.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::driver {
namespace {

/// The entry as lowered; there is no other.
const ir::Function& entry_of(const ir::Program& program) {
  for (const ir::Function& function : program.functions)
    if (function.entry) return function;
  source::internal_error("profile: the entry is missing");
}

/// What the entry is called on, at any sizes if they are not given by value.
using Arguments = std::function<std::vector<values::Value>(const Sizes&)>;

/// Nothing if that was refused.
std::optional<Arguments> choose_arguments(Session& session, const ir::Program& program, const ProfileOptions& options) {
  if (options.sizes.empty()) {
    auto args = read_arguments();
    if (!args) return std::nullopt;
    return Arguments([args = std::move(*args)](const Sizes&) { return args; });
  }
  try {
    check_sizes(entry_of(program), options.entry, options.sizes);
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
  return Arguments([entry = entry_of(program), seed = options.seed](const Sizes& sizes) {
    RandomValues random(seed);
    return random_arguments(random, entry, sizes);
  });
}

/// The program as planned, and its text.
struct Emitted {
  ir::Program core;
  run::EmittedProgram text;
};

/// Nothing if the program was refused.
std::optional<Emitted> emit_for(Session& session, ir::Program core, const ProfileOptions& options) {
  const plan::Target target = options.target == "cpp" ? plan::Target::cpu : plan::Target::gpu;
  auto program = run_passes(session, std::move(core), goal_of(target), options.look);
  if (!program) return std::nullopt;
  auto text = emit(session, *program, {.target = target, .name = session.name});
  if (!text) return std::nullopt;
  return Emitted{std::move(*program), std::move(*text)};
}

/// What was counted, also if the entry failed.
struct CountedRun {
  std::string failure;
  std::vector<run::CountedWork> work;
};

CountedRun count(const run::CompiledProgram& program, const std::string& entry,
                 const std::vector<values::Value>& args) {
  const run::TemporaryFolder folder;
  const run::RunSettings settings{.counts_file = folder.path() / "counts"};
  CountedRun counted;
  try {
    program.run(entry, args, settings);
  } catch (const run::RunFailure& failure) {
    counted.failure = failure.what();
    counted.failure.erase(counted.failure.find_last_not_of('\n') + 1);
  }
  counted.work = run::read_counts(settings.counts_file);
  return counted;
}

/// Nothing, and a remark, if there is no nvcc.
std::map<std::string, profile::KernelNeeds> ask_nvcc(const run::EmittedProgram& emitted,
                                                     const machine::Gpu& gpu) {
  if (!run::nvcc_path().empty()) return profile::kernel_needs(emitted, gpu.architecture);
  std::cerr << "note: nvcc was not found, so registers are not known\n";
  return {};
}

/// What kernels take on this machine's GPU, which need not be the modelled one; nothing, and a remark, if it
/// cannot be used.
std::map<std::string, double> measure(const Emitted& emitted, const ProfileOptions& options,
                                      const std::vector<values::Value>& args) {
  try {
    return run::KernelTimes(emitted.core, emitted.text).measure(options.entry, args);
  } catch (const std::runtime_error& error) {
    std::cerr << "note: kernels were not measured: " << error.what() << "\n";
    return {};
  }
}

profile::Profile profile_cuda(const Emitted& emitted, const ProfileOptions& options, const Arguments& arguments) {
  const machine::Gpu& gpu = *machine::find_gpu(options.device);
  const run::CompiledProgram program(emitted.core, emitted.text, run::Target::cuda_on_cpu, run::Mode::counts);
  const std::vector<values::Value> args = arguments(options.sizes);
  const CountedRun counted = count(program, options.entry, args);
  if (!counted.failure.empty()) std::cerr << counted.failure << "\n";
  profile::KernelFacts facts;
  if (options.registers) facts.needs = ask_nvcc(emitted.text, gpu);
  if (counted.failure.empty() && run::has_gpu()) facts.seconds = measure(emitted, options, args);
  profile::Profile result = profile::make_profile(counted.work, gpu, facts);
  result.failure = counted.failure;
  return result;
}

/// A line for each row that has some: the report in JSON names them.
void note_guesses(const std::vector<profile::Guess>& guesses) {
  std::map<std::string, int> numbers;
  for (const profile::Guess& guess : guesses) ++numbers[guess.row];
  for (const auto& [row, number] : numbers)
    std::cerr << "note: `" << row << "`: " << number << " counters are no line or parabola, and a guess\n";
}

/// A run that fails says nothing about larger ones.
profile::Profile profile_extrapolated(const Emitted& emitted, const ProfileOptions& options, const Arguments& arguments) {
  const machine::Gpu& gpu = *machine::find_gpu(options.device);
  const run::CompiledProgram program(emitted.core, emitted.text, run::Target::cuda_on_cpu, run::Mode::counts);
  const auto count_at = [&](const Sizes& some) {
    Sizes sizes = options.sizes;
    for (const auto& [name, size] : some) sizes[name] = size;
    CountedRun counted = count(program, options.entry, arguments(sizes));
    if (!counted.failure.empty()) throw std::invalid_argument(counted.failure);
    return counted.work;
  };
  std::vector<profile::Axis> axes;
  for (const auto& [name, size] : options.extrapolate)
    axes.push_back({name, profile::sample_sizes(options.sizes.at(name)), size});
  profile::ExtrapolatedWork extrapolated = profile::extrapolate_work(axes, count_at);
  profile::limit_blocks(extrapolated.work, emitted.text.plan);
  note_guesses(extrapolated.guesses);
  profile::KernelFacts facts;
  if (options.registers) facts.needs = ask_nvcc(emitted.text, gpu);
  profile::Profile result = profile::make_profile(extrapolated.work, gpu, facts);
  result.extrapolated = axes;
  result.guesses = extrapolated.guesses;
  return result;
}

/// What fails has no times.
profile::Profile profile_cpp(const Emitted& emitted, const ProfileOptions& options,
                             const std::vector<values::Value>& args) {
  try {
    return profile::make_profile(run::run_nests(emitted.core, emitted.text, options.entry, args),
                                 machine::this_cpu());
  } catch (const run::RunFailure& failure) {
    throw std::invalid_argument(failure.what());
  }
}

profile::Profile run_profile(const Emitted& emitted, const ProfileOptions& options, const Arguments& arguments) {
  profile::Profile result = options.target == "cpp"       ? profile_cpp(emitted, options, arguments(options.sizes))
                            : options.extrapolate.empty() ? profile_cuda(emitted, options, arguments)
                                                          : profile_extrapolated(emitted, options, arguments);
  result.program = emitted.text.source_name;
  result.entry = options.entry;
  return result;
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::invalid_argument(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// What to compare with, if anything.
std::string report_before(const ProfileOptions& options) {
  if (options.compare.empty()) return "";
  const std::string report = whole_file(options.compare);
  profile::check_report(report, options.compare, options.device);
  return report;
}

std::string report_of(const profile::Profile& result, const ProfileOptions& options, const std::string& before) {
  if (!options.compare.empty()) return profile::compare_table(before, options.compare, result);
  return options.json ? profile::profile_json(result) : profile::profile_table(result);
}

}  // namespace

int profile(const ProfileOptions& options) {
  Session session;
  session.folders = options.folders;
  auto core = load_core(session, options.file, {.entries = {options.entry}});
  std::optional<Arguments> arguments;
  std::optional<Emitted> emitted;
  if (core) arguments = choose_arguments(session, *core, options);
  if (arguments) emitted = emit_for(session, std::move(*core), options);
  if (!session.report() || !emitted) return 1;
  try {
    const std::string before = report_before(options);
    const profile::Profile result = run_profile(*emitted, options, *arguments);
    std::cout << report_of(result, options, before);
    return result.failure.empty() ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace boustro::driver
