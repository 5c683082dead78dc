#include "emit/driver/passes.hpp"

#include <algorithm>
#include <iostream>

#include "emit/driver/commands.hpp"
#include "emit/run/process.hpp"
#include "transform/ir/print.hpp"

namespace boustro::driver {
namespace {

/// What went into the pass that is running; the driver runs one pipeline at a time.
ir::Program broken;

/// Once for each place, however many derivatives go through it.
void warn(Session& session, source::Diagnostic warning) {
  const auto is_known = [&](const source::Diagnostic& d) {
    return d.message == warning.message && d.at == warning.at && d.text == warning.text;
  };
  const auto& all = session.diagnostics.all();
  if (std::none_of(all.begin(), all.end(), is_known)) session.diagnostics.add(std::move(warning));
}

PipelineOptions pipeline_options(Session& session, const LookInside& look) {
  PipelineOptions options;
  options.dump_after = look.dump_after;
  if (!look.dump_dir.empty()) options.dump_dir = look.dump_dir;
  if (!look.start_after.empty()) options.start_after = look.start_after;
  if (!look.stop_after.empty()) options.stop_after = look.stop_after;
  options.verify_each = look.verify_each;
  options.trace_rules = look.trace_rules;
  options.sources = &session.sources;
  options.log = &std::cerr;
  options.warn = [&session](source::Diagnostic warning) { warn(session, std::move(warning)); };
  return options;
}

void be_watched(std::vector<Pass>& passes, const WatchPass& watch) {
  for (Pass& pass : passes)
    pass.function = [pass, &watch](ir::Program program) {
      ir::Program after = pass.function(program);
      watch(pass, program, after);
      return after;
    };
}

}  // namespace

std::optional<ir::Program> run_passes(Session& session, ir::Program program, Goal goal,
                                      const LookInside& look, const OrderOfSums& order, const WatchPass& watch) {
  PipelineOptions options = pipeline_options(session, look);
  options.reassociate = order.reassociate;
  options.order = order.fixed ? parallel::Order::fixed : parallel::Order::any;
  options.machine = goal == Goal::cpu ? parallel::Machine::cpu : parallel::Machine::gpu;
  auto passes = goal == Goal::derive ? derive_passes(options) : translate_passes(options);
  if (watch) be_watched(passes, watch);
  try {
    broken = program;
    ir::Program result = run_pipeline(passes, std::move(program), options, &broken);
    broken = {};
    return result;
  } catch (const source::Refusal& refusal) {
    broken = {};
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
}

std::string save_broken_program() {
  if (broken.functions.empty()) return "";
  const char* const path = "boustro-broken.fut";
  run::write_file(path, ir::to_string(broken));
  return std::string("note: the program before the pass that broke is in ") + path + "\n";
}

int list_passes() {
  std::cout << boustro::list_passes(translate_passes({}));
  return 0;
}

}  // namespace boustro::driver
