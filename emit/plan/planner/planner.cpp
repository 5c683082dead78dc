#include "emit/plan/planner.hpp"

#include "emit/plan/formula.hpp"
#include "emit/plan/independent.hpp"
#include "emit/plan/lanes/lanes.hpp"
#include "emit/plan/long_kernels.hpp"
#include "emit/plan/planner/after_failure.hpp"
#include "emit/plan/planner/arrays_in_place.hpp"
#include "emit/plan/planner/branch_variables.hpp"
#include "emit/plan/planner/entry.hpp"
#include "emit/plan/planner/global_names.hpp"
#include "emit/plan/planner/guards.hpp"
#include "emit/plan/planner/head.hpp"
#include "emit/plan/planner/host_functions.hpp"
#include "emit/plan/planner/kernel_names.hpp"
#include "emit/plan/planner/lifetimes.hpp"
#include "emit/plan/planner/strides.hpp"
#include "emit/plan/planner/tidy.hpp"
#include "emit/plan/planner/unused.hpp"
#include "emit/plan/planner/versions.hpp"
#include "emit/plan/polish/adjoints.hpp"
#include "emit/plan/polish/common_ends.hpp"
#include "emit/plan/polish/common_places.hpp"
#include "emit/plan/polish/halves.hpp"
#include "emit/plan/polish/indices.hpp"
#include "emit/plan/polish/names.hpp"
#include "emit/plan/polish/operands.hpp"
#include "emit/plan/polish/parameters.hpp"
#include "emit/plan/polish/rows.hpp"
#include "emit/plan/polish/shared.hpp"
#include "emit/plan/polish/signs.hpp"
#include "emit/plan/polish/sizes.hpp"
#include "emit/plan/polish/slab_loops.hpp"
#include "emit/plan/polish/slab_sizes.hpp"
#include "emit/plan/polish/sweeps.hpp"
#include "emit/plan/polish/updates.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::plan {

Program plan_program(const ir::Program& core, const Options& options,
                     source::Diagnostics& diagnostics) {
  Program plan{.target = options.target,
               .name = options.name,
               .name_space = options.name_space.empty() ? planner::namespace_name(options.name)
                                                        : options.name_space,
               .source = options.source};
  planner::Context context(core, options, plan);
  std::vector<const ir::Function*> functions;  // of the entries that are planned
  for (const ir::Function& function : core.functions) {
    if (!function.entry) continue;
    const std::size_t checks_before = plan.checks.size();
    try {
      context.begin_entry(function);
      options.target == Target::gpu ? planner::plan_gpu_entry(context, function)
                                    : planner::plan_cpu_entry(context, function);
      planner::drop_unused(context.entry);
      if (context.gpu()) planner::merge_guards(context.entry, context.entry_sizes);
      planner::assign_in_branches(context.entry);
      planner::write_in_place(context.entry, options.target);
      planner::tidy(context.entry, options.target);
      planner::count_in_strides(context.entry.body);
      if (context.gpu()) planner::stop_after_failures(context.entry);
      if (context.gpu()) planner::share_memory(context.entry);
      if (context.gpu()) update_in_place(context.entry, options.target, context.others);
      if (context.gpu()) polish_names(context.entry, context.others);
      if (context.gpu()) name_adjoints(context.entry, plan.definitions);
      if (context.gpu()) loop_over_slabs(context.entry);
      double_at_once(context.entry);
      give_signs_to_first_factors(context.entry);
      add_formulas(context.entry, plan.definitions);
      if (context.gpu()) use_rows(context.entry, options.target);
      if (!context.gpu()) say_loops(context.entry, [&](const MadeFor& made) { return planner::source_line(context, made.sweep, made.at); });
      if (!context.gpu()) lanes::use_lanes(context.entry);
      if (!context.gpu()) planner::share_memory(context.entry);
      if (!context.gpu()) mark_independent_loops(context.entry);
      if (!context.gpu()) use_rows(context.entry, options.target);
      if (!context.gpu()) update_in_place(context.entry, options.target, context.others);
      if (!context.gpu()) polish_names(context.entry, context.others);
      if (!context.gpu()) name_adjoints(context.entry, plan.definitions);
      plan.entries.push_back(std::move(context.entry));
      functions.push_back(&function);
    } catch (const source::Refusal& refusal) {
      plan.checks.resize(checks_before);
      source::Diagnostic diagnostic = refusal.diagnostic;
      if (!diagnostic.at.valid()) diagnostic.at = context.place();
      diagnostics.add(std::move(diagnostic));
    }
  }
  if (context.gpu()) planner::drop_unreferenced(plan);
  context.tables.define(plan);
  if (context.gpu()) planner::mark_host_functions(plan);
  for (Entry& entry : plan.entries) {
    keep_sizes_with_scratch(entry, plan.target);
    if (context.gpu()) call_slab_sizes(entry);
  }
  share_equal(plan);
  name_operands(plan);
  if (context.gpu()) mark_long_kernels(plan);
  if (context.gpu()) share_ends(plan, context.variables());
  if (context.gpu()) order_parameters(plan);
  polish_indices(plan);
  if (context.gpu()) point_at_common_places(plan);
  say_sweeps(plan);
  planner::name_kernels(plan, context.variables());
  for (std::size_t i = 0; i < functions.size(); ++i) planner::add_to_head(context, *functions[i], plan.entries[i]);
  if (context.gpu() && !options.typical.empty()) planner::say_typical(plan, options.typical);
  return plan;
}

}  // namespace boustro::plan
