#include "emit/driver/runner.hpp"

#include <memory>

#include <fmt/format.h>

#include "emit/driver/compare.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "transform/ad/plain_loops.hpp"

namespace boustro::driver {
namespace {

std::string place_string(source::SourceRange at, const source::SourceMap& sources) {
  const source::Position position = sources.position(at);
  return fmt::format("{}:{}:{}", sources.name(at.file), position.line, position.column);
}

/// `f.fut:3:5: index 7 is out of bounds`, with the calls that led there. What goes wrong in the
/// prelude goes wrong where the program uses it.
std::string describe(const ir::RuntimeFailure& failure, const source::SourceMap& sources) {
  std::vector<source::SourceRange> places;
  for (const source::SourceRange& at : failure.origin.at) {
    if (at.valid() && !sources.name(at.file).starts_with("prelude/")) places.push_back(at);
  }
  if (places.empty()) return failure.what();
  std::string text = fmt::format("{}: {}", place_string(places[0], sources), failure.what());
  for (std::size_t i = 1; i < places.size(); ++i)
    text += fmt::format("\n  called from {}", place_string(places[i], sources));
  return text;
}

RunEntry evaluating(const Session& session, ir::Program program, const ir::EvaluateOptions& options) {
  return [&session, options, program = std::move(program)](const std::string& entry,
                                                          const std::vector<values::Value>& args) {
    try {
      return ir::run_entry(program, entry, args, options);
    } catch (const ir::RuntimeFailure& failure) {
      throw RunError(describe(failure, session.sources));
    }
  };
}

/// Runs the entry both ways, which must agree. How well loops have converged is the program's own business, so the tolerance is a large one.
RunEntry agreeing(RunEntry run, RunEntry with_plain_loops) {
  return [run = std::move(run), with_plain_loops = std::move(with_plain_loops)](const std::string& entry, const std::vector<values::Value>& args) {
    std::vector<values::Value> results = run(entry, args);
    const std::string what = difference(results, with_plain_loops(entry, args), Tolerance::futhark);
    if (!what.empty()) throw RunError("`#[fixed_point]` does not hold: without it, and with a few more steps of the loop, the result is another one: " + what);
    return results;
  };
}

run::Mode mode_named(const std::string& name) {
  return name == "asan" ? run::Mode::asan : name == "races" ? run::Mode::races : run::Mode::plain;
}

RunEntry running(ir::Program core, run::EmittedProgram emitted, const std::string& target,
                 const std::string& mode) {
  const run::Target to = target == "cpp"    ? run::Target::cpp
                         : target == "cuda" ? run::Target::cuda
                                            : run::Target::cuda_on_cpu;
  auto program = std::make_shared<run::CompiledProgram>(std::move(core), std::move(emitted), to,
                                                        mode_named(mode));
  return [program](const std::string& entry, const std::vector<values::Value>& args) {
    try {
      return program->run(entry, args);
    } catch (const run::RunFailure& failure) {
      throw RunError(failure.what());
    }
  };
}

}  // namespace

std::optional<RunEntry> make_runner(Session& session, ir::Program core, const std::string& target,
                                    const std::string& mode, const LookInside& look,
                                    const ir::EvaluateOptions& options) {
  if (target == "evaluate") {
    // Nests are what leaves an order open.
    const Goal goal = options.adversary ? Goal::gpu : Goal::derive;
    const bool is_promised = options.versions && ad::has_fixed_points(core);
    ir::Program plain = is_promised ? ad::with_plain_loops(core) : ir::Program{};
    auto program = run_passes(session, std::move(core), goal, look);
    if (!program) return std::nullopt;
    RunEntry run = evaluating(session, std::move(*program), options);
    if (!is_promised) return run;
    auto reference = run_passes(session, std::move(plain), goal);
    if (!reference) return std::nullopt;
    return agreeing(std::move(run), evaluating(session, std::move(*reference), {}));
  }
  EmitSettings settings;
  settings.target = target == "cpp" ? plan::Target::cpu : plan::Target::gpu;
  auto program = run_passes(session, std::move(core), goal_of(settings.target), look);
  if (!program) return std::nullopt;
  settings.name = session.name;
  auto emitted = emit(session, *program, settings);
  if (!emitted) return std::nullopt;
  return running(std::move(*program), std::move(*emitted), target, mode);
}

}  // namespace boustro::driver
