#include "emit/driver/emit.hpp"

#include "emit/cpp/write.hpp"
#include "emit/cuda/write.hpp"
#include "emit/plan/planner.hpp"
#include "emit/plan/query_name.hpp"
#include "emit/plan/verify.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::driver {
namespace {

plan::Options planner_options(const Session& session, const EmitSettings& settings) {
  plan::Options options;
  options.target = settings.target;
  options.name = settings.name;
  options.name_space = settings.name_space;
  options.source = session.name + ".fut";
  options.checks = settings.checks;
  options.deterministic = settings.deterministic;
  options.reassociate = settings.reassociate;
  options.typical = settings.typical;
  options.sources = &session.sources;
  return options;
}

verify::Permissions permissions_for(const plan::Program& program) {
  verify::Permissions permissions;
  for (const plan::Entry& entry : program.entries) {
    permissions.entries.push_back(entry.name);
    permissions.entries.push_back(plan::query_name(entry.name));
    if (entry.allocates) permissions.allocating_entries.push_back(entry.name);
    if (entry.waits) permissions.waiting_entries.push_back(entry.name);
    if (entry.can_fail) permissions.entries.push_back("failure_text");
  }
  return permissions;
}

/// The header's name stands between the quotes of an `#include`, the program's name in comments.
void require_plain_names(const Session& session, const EmitSettings& settings) {
  const auto require = [](const std::string& name, const char* forbidden, const char* reason) {
    if (name.find_first_of(forbidden) != name.npos)
      source::refuse(source::Message::cannot_write_file, {}, name, reason);
  };
  require(settings.name, "\"\\\n\r",
          "`#include` takes no name with a quote, backslash or line break");
  require(session.name, "\n\r", "comments name the program, whose name has a line break");
}

/// Refuses what was asked to be the same in every run and is not.
void require_fixed_order(const ir::Program& core, const plan::Program& plan) {
  std::size_t position = 0;
  for (const ir::Function& function : core.functions) {
    if (!function.entry) continue;
    if (plan.entries.at(position++).order_varies) {
      source::refuse(
          source::Message::plan_cannot_translate, function.at,
          "an entry point whose float additions vary in order, as `--deterministic` forbids");
    }
  }
}

}  // namespace

std::optional<run::EmittedProgram> emit(Session& session, const ir::Program& core,
                                        const EmitSettings& settings) {
  try {
    require_plain_names(session, settings);
    run::EmittedProgram result;
    result.plan = plan::plan_program(core, planner_options(session, settings), session.diagnostics);
    if (session.diagnostics.has_errors()) return std::nullopt;
    if (settings.deterministic) require_fixed_order(core, result.plan);
    plan::verify_or_throw(result.plan);
    const bool cuda = settings.target == plan::Target::gpu;
    const text::Options options{.vector_math = settings.vector_math, .origins = settings.origins};
    text::Emitted emitted = cuda ? cuda::write_cuda(result.plan, options) : cpp::write_cpp(result.plan, options);
    result.source_name = settings.name + (cuda ? ".cu" : ".cpp");
    result.header_name = settings.name + ".hpp";
    result.source = std::move(emitted.source);
    result.header = std::move(emitted.header);
    result.origins = std::move(emitted.origins);
    return result;
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
}

verify::Verdict verify_emitted(const run::EmittedProgram& emitted) {
  const verify::CudaText text{emitted.source_name, emitted.source, emitted.header_name,
                              emitted.header};
  if (emitted.plan.target == plan::Target::cpu) return {verify::verify_cpp(text), {}};
  return verify::verify_cuda(text, permissions_for(emitted.plan));
}

}  // namespace boustro::driver
