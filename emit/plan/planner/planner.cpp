#include "emit/plan/planner.hpp"

#include "emit/plan/planner/distribute.hpp"
#include "emit/plan/planner/entry.hpp"
#include "emit/plan/planner/guards.hpp"
#include "emit/plan/planner/unused.hpp"

namespace boustro::plan {

Program plan_program(const ir::Program& core, const Options& options,
                     source::Diagnostics& diagnostics) {
  Program plan{.target = options.target,
               .name = options.name,
               .name_space = options.name_space.empty() ? planner::identifier(options.name)
                                                        : options.name_space,
               .source = options.source};
  planner::Context context(core, options, plan);
  for (const ir::Function& function : core.functions) {
    if (!function.entry) continue;
    try {
      if (options.target == Target::gpu) {
        const ir::Function distributed = planner::distribute(function, context.names);
        context.begin_entry(distributed);
        planner::plan_gpu_entry(context, distributed);
      } else {
        context.begin_entry(function);
        planner::plan_cpu_entry(context, function);
      }
      planner::drop_unused(context.entry);
      if (context.gpu()) planner::merge_guards(context.entry, context.entry_sizes);
      plan.entries.push_back(std::move(context.entry));
    } catch (const source::Refusal& refusal) {
      source::Diagnostic diagnostic = refusal.diagnostic;
      if (!diagnostic.at.valid()) diagnostic.at = function.at;
      diagnostics.add(std::move(diagnostic));
    }
  }
  return plan;
}

}  // namespace boustro::plan
