#include "transform/pipeline.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "transform/ad/ad.hpp"
#include "transform/contract/contract.hpp"
#include "transform/fixed_order.hpp"
#include "transform/fuse/fuse.hpp"
#include "transform/ir/print.hpp"
#include "transform/ir/verify.hpp"
#include "transform/lower/inline.hpp"
#include "transform/parallel/in_order/sort_loops.hpp"
#include "transform/reorder/reorder.hpp"
#include "transform/simplify/branch_values.hpp"
#include "transform/simplify/dead_code.hpp"
#include "transform/simplify/direction_order.hpp"
#include "transform/simplify/early_copies.hpp"
#include "transform/simplify/equal_functions.hpp"
#include "transform/simplify/flat_maps.hpp"
#include "transform/simplify/join_calls.hpp"
#include "transform/simplify/point_loops.hpp"
#include "transform/simplify/share_scalars.hpp"
#include "transform/simplify/simplify.hpp"
#include "transform/simplify/unroll.hpp"

namespace boustro {

using ir::Program;

namespace {

simplify::Trace trace_of_simplify(const PipelineOptions& options);
ad::Options options_of_ad(const PipelineOptions& options);
Program differentiate(Program program, const PipelineOptions& options);
void dump(const Pass& pass, std::size_t number, const Program& before, const Program& after,
          const PipelineOptions& options);

}  // namespace

namespace {

std::vector<Pass> passes_to_derivatives(const PipelineOptions& options) {
  const auto simplified = [trace = trace_of_simplify(options)](Program program) {
    return simplify::simplify(std::move(program), trace);
  };
  return {
      {"inline", "put functions with arrays where they are called", lower::inline_functions},
      {"simplify", "copies, constants, algebra, common and dead code, invariants", simplified},
      {"directions", "directions of derivatives come in the order in which their results are wanted",
       [simplified](Program program) { return simplify::order_directions(program) ? simplified(std::move(program)) : program; }},
      {"ad", "differentiate, innermost derivative first, simplifying in between",
       [options](Program program) { return differentiate(std::move(program), options); }},
      {"equal_functions", "of functions that entries or sweeps have several copies of one stays",
       [](Program program) {
         simplify::merge_equal_functions(program);
         return program;
       }},
      {"early_copies", "no copies of arrays that are read only before these are updated",
       [simplified](Program program) {
         if (!simplify::remove_early_copies(program)) return program;
         return simplified(std::move(program));
       }},
  };
}

}  // namespace

std::vector<Pass> derive_passes(const PipelineOptions& options) {
  std::vector<Pass> passes = passes_to_derivatives(options);
  passes.push_back({"sorts", "sorts, for which the language has no word, become loops", [](Program program) {
                      parallel::sort_by_loops(program, true);
                      return program;
                    }});
  return passes;
}

std::vector<Pass> translate_passes(const PipelineOptions& options) {
  const auto simplified = [trace = trace_of_simplify(options)](Program program) {
    return simplify::simplify(std::move(program), trace);
  };
  std::vector<Pass> passes = passes_to_derivatives(options);
  passes.push_back({"reorder", "maps with #[reorder] go through their points in the order of keys",
                    [simplified](Program program) { return reorder::reorder_points(program) ? simplified(std::move(program)) : program; }});
  passes.push_back({"accumulators", "additions to cells that do not vary become reductions",
                    [simplified](Program program) {
                      return simplified(fuse::reduce_accumulators(std::move(program)));
                    }});
  passes.push_back({"fuse", "merge producers into consumers, and neighbours", [simplified, machine = options.machine](Program program) {
                      const bool cpu = machine == parallel::Machine::cpu;
                      program = fuse::fuse(fuse::late_updates(std::move(program), !cpu), cpu);
                      if (cpu) return program;
                      return fuse::fuse(simplified(std::move(program)));  // some were kept apart by results that nobody needs
                    }});
  passes.push_back({"point_loops", "on a CPU: loops that map their state become maps of loops",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::gpu || !simplify::run_loops_point_by_point(program)) return program;
                      return simplified(fuse::fuse(simplified(std::move(program)), true));
                    }});
  passes.push_back({"flat_maps", "on a CPU: maps over products of sizes become maps of maps, small ones array literals",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::gpu) return program;
                      if (simplify::split_flat_maps(program))
                        program = simplified(fuse::fuse(simplified(std::move(program)), true));
                      return simplify::unroll_small_maps(program) ? simplified(std::move(program)) : program;
                    }});
  passes.push_back({"common_scalars", "on a CPU: what calls or branches have in common is computed once",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::gpu) return program;
                      if (simplify::join_calls(program)) program = simplified(std::move(program));
                      return simplify::share_branch_values(program) ? simplified(std::move(program)) : program;
                    }});
  passes.push_back({"spread", "additions of rows become additions of their elements",
                    [simplified](Program program) {
                      simplify::remove_dead_code(program);  // rows that nobody needs any more
                      program = fuse::spread_updates(std::move(program));
                      for (;;) {
                        Program split = fuse::split_updates(program);
                        if (split == program) return fuse::spread_loops(fuse::absorb_updates(std::move(program)));
                        program = fuse::spread_updates(simplified(std::move(split)));
                      }
                    }});
  passes.push_back({"tidy", "simplify what fusion brought together", simplified});
  passes.push_back({"one_hot", "rows of adjoints that are zero but in one place become that place",
                    [simplified](Program program) { return fuse::replace_one_hot_rows(program) ? simplified(std::move(program)) : program; }});
  passes.push_back({"numbered", "arrays whose elements follow from their numbers are computed where they are read",
                    [simplified](Program program) { return fuse::compute_numbered(program) ? simplified(std::move(program)) : program; }});
  passes.push_back({"repeated", "rows that repeat a few elements are stored without repetitions",
                    [simplified](Program program) { return fuse::store_repeated_once(program) ? simplified(std::move(program)) : program; }});
  passes.push_back({"contract", "what all points multiply by the same is added up first, and multiplied once",
                    [simplified, reassociate = options.reassociate](Program program) {
                      if (!reassociate) return program;
                      Program contracted = contract::contract(program);
                      return contracted == program ? contracted : simplified(std::move(contracted));
                    }});
  passes.push_back({"share", "on a CPU: what a point computes in two loops is computed in the first",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::gpu) return program;
                      Program shared = fuse::share_computations(program);
                      return shared == program ? shared : simplified(std::move(shared));
                    }});
  passes.push_back({"rows", "on a CPU: rows that a point computes are combined where they are computed",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::gpu) return program;
                      Program combined = parallel::combine_rows(program);
                      return combined == program ? combined : simplified(fuse::fuse(simplified(std::move(combined)), true));
                    }});
  passes.push_back({"twins", "on a GPU: accumulations into the same arrays become one, and so do accumulators that get the same",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::cpu) return program;
                      Program joined = fuse::join_accumulations(program);
                      if (joined != program) program = simplified(std::move(joined));
                      while (fuse::unite_twin_accumulators(program)) program = simplified(std::move(program));
                      return program;
                    }});
  passes.push_back({"inwards", "on a GPU: loops whose steps compute rows element by element run inside of each element",
                    [simplified, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::cpu) return program;
                      for (const auto rule : {parallel::starts_undefined, parallel::loops_inwards, parallel::loops_apart_by_steps, parallel::rows_in_place}) {
                        Program next = rule(program);
                        program = next == program ? std::move(next) : simplified(fuse::fuse(simplified(std::move(next))));
                      }
                      for (;;) {
                        Program next = parallel::keep_states_in_place(program);
                        if (next == program) break;
                        program = simplified(std::move(next));
                      }
                      return program;
                    }});
  passes.push_back({"checkpointed", "put functions with #[checkpoint], and their derivatives, where they are called", [](Program program) {
                      Program inlined = lower::inline_checkpointed(program);
                      if (inlined == program) return program;
                      simplify::share_scalars(inlined);
                      return inlined;
                    }});
  passes.push_back({"alone", "on a GPU: loops with work for one thread run in one thread",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::run_alone(std::move(program)) : program;
                    }});
  passes.push_back({"in_order", "accumulators by operators that threads cannot share become arrays that loops update",
                    [machine = options.machine](Program program) {
                      return parallel::combine_in_order(std::move(program), machine);
                    }});
  if (options.machine == parallel::Machine::gpu) {
    passes.push_back({"sizes", "sizes that only a thread knows get a bound, found by another map",
                      parallel::bound_thread_sizes});
  }
  passes.push_back({"flatten", "parallel operators become nests: who shares which points, and who runs one",
                    [machine = options.machine, order = options.order](Program program) {
                      const bool may_vary = machine == parallel::Machine::gpu && order == parallel::Order::fixed;
                      return may_vary ? flatten_in_fixed_order(std::move(program)) : parallel::flatten(std::move(program), machine);
                    }});
  passes.push_back({"triangles", "on a CPU: sums leave out what is zero by construction, symmetric matrices are added up once",
                    [reassociate = options.reassociate, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::gpu || !reassociate) return program;
                      return parallel::shorten_to_triangles(std::move(program));
                    }});
  passes.push_back({"join", "on a GPU: nests of the same points become one",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::join_nests(std::move(program)) : program;
                    }});
  passes.push_back({"steps", "on a GPU: products that steps of a loop need not wait for are computed for some steps at once",
                    [reassociate = options.reassociate, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::cpu || !reassociate) return program;
                      Program together = parallel::compute_steps_together(program);
                      return together == program ? together : parallel::join_nests(std::move(together));
                    }});
  passes.push_back({"forwards", "on a GPU: nests that go backwards through what they read are numbered forwards",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::number_forwards(std::move(program)) : program;
                    }});
  passes.push_back({"recompute", "on a GPU: arrays that combine smaller ones are computed where nests read them; sums are not stored to be summed up again",
                    [reassociate = options.reassociate, machine = options.machine](Program program) {
                      if (machine == parallel::Machine::cpu) return program;
                      program = parallel::compute_where_read(std::move(program));
                      return reassociate ? parallel::sum_first(std::move(program)) : program;
                    }});
  passes.push_back({"slabs", "on a GPU: sums that few points have are added up slab by slab, where that pays",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::sum_by_slabs(std::move(program)) : program;
                    }});
  passes.push_back({"together", "on a GPU: sums of a thread that read the same get threads of their own, or are added up several at a time",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::sums_together(std::move(program)) : program;
                    }});
  passes.push_back({"flat_sums", "on a GPU: sums over the leading dimension of an array go through the others as one",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::flatten_sums(std::move(program)) : program;
                    }});
  passes.push_back({"short_scalars", "on a GPU: short arithmetic on numbers that the host knows is done where kernels need it",
                    [machine = options.machine](Program program) {
                      return machine == parallel::Machine::gpu ? parallel::compute_short_scalars(parallel::divide_by_counted_sizes(std::move(program))) : program;
                    }});
  passes.push_back({"starts", "arrays that are put together from rows start before these are made", parallel::start_early});
  passes.push_back({"letters", "indices over the same extent have the same letter", parallel::letter_indices});
  passes.push_back({"choose", "how nests are computed: by threads, library calls, atomics, copies, or in parts", parallel::choose});
  return passes;
}

namespace {

/// A pass that is not among them comes behind all of them.
std::size_t first_pass(const std::vector<Pass>& passes, const PipelineOptions& options) {
  if (!options.start_after) return 0;
  for (std::size_t i = 0; i < passes.size(); ++i)
    if (passes[i].name == *options.start_after) return i + 1;
  return passes.size();
}

}  // namespace

Program run_pipeline(const std::vector<Pass>& passes, Program program,
                     const PipelineOptions& options, Program* broken) {
  for (std::size_t i = first_pass(passes, options); i < passes.size(); ++i) {
    const Pass& pass = passes[i];
    const Program before = program;
    try {
      program = pass.function(std::move(program));
      if (options.verify_each) ir::verify_or_throw(program, pass.name);
    } catch (const source::InternalError& error) {
      if (broken) *broken = before;
      source::internal_error(fmt::format("in pass {}: {}", pass.name, error.what()));
    }
    dump(pass, i + 1, before, program, options);
    if (options.stop_after == pass.name) break;
  }
  return program;
}

std::string list_passes(const std::vector<Pass>& passes) {
  std::string text;
  for (const Pass& pass : passes) text += fmt::format("{:<14}{}\n", pass.name, pass.describe);
  return text;
}

namespace {

/// A derivative within a derivative needs the inner one first, in its simplest form.
Program differentiate(Program program, const PipelineOptions& options) {
  while (ad::differentiate_innermost(program, options_of_ad(options))) {
    if (options.verify_each) ir::verify_or_throw(program, "ad");
    program = simplify::simplify(std::move(program), trace_of_simplify(options));
  }
  return simplify::simplify(std::move(program), trace_of_simplify(options));
}

std::string place(source::SourceRange at, const PipelineOptions& options) {
  return options.sources && at.valid() ? options.sources->file_and_line(at) : "<no source>";
}

simplify::Trace trace_of_simplify(const PipelineOptions& options) {
  if (!options.trace_rules || !options.log) return {};
  return [options](std::string_view rule, const ir::Stm& stm) {
    const auto at = options.sources ? options.sources->shown(stm.origin.at) : source::SourceRange{};
    *options.log << place(at, options) << ": " << rule << '\n';
  };
}

ad::Options options_of_ad(const PipelineOptions& options) {
  ad::Options result;
  result.sources = options.sources;
  result.warn = options.warn;
  if (options.trace_rules && options.log)
    result.trace = [options](const std::string& rule, source::SourceRange at) {
      *options.log << place(at, options) << ": " << rule << '\n';
    };
  return result;
}

bool wants_dump(const Pass& pass, const PipelineOptions& options) {
  return std::any_of(options.dump_after.begin(), options.dump_after.end(),
                     [&](const std::string& name) { return name == pass.name || name == "all"; });
}

/// Among dumps after all passes, one that changed nothing is not shown again.
void dump(const Pass& pass, std::size_t number, const Program& before, const Program& after,
          const PipelineOptions& options) {
  if (!wants_dump(pass, options)) return;
  const bool all = wants_dump({"all", "", {}}, options);
  const std::string text = all && before == after ? "-- (unchanged)\n" : ir::to_string(after, {.exact = true});
  if (options.dump_dir) {
    std::filesystem::create_directories(*options.dump_dir);
    const auto name = fmt::format("{:02}-{}.fut", number, pass.name);
    std::ofstream(std::filesystem::path(*options.dump_dir) / name) << text;
  } else if (options.log) {
    *options.log << "-- after " << pass.name << '\n' << text;
  }
}

}  // namespace

}  // namespace boustro
