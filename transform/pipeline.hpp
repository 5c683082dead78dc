// The passes on core programs, in order.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/source/diagnostics.hpp"
#include "transform/ir/ir.hpp"
#include "transform/parallel/parallel.hpp"

namespace boustro {

/// A pass maps a verified program to a verified program. It refuses by source::refuse what it
/// cannot do.
struct Pass {
  std::string name;      // as --dump-after and --stop-after spell it
  std::string describe;  // one line for --passes
  std::function<ir::Program(ir::Program)> function;
};

/// What a caller wants to see of the passes.
struct PipelineOptions {
  std::vector<std::string> dump_after;     // names of passes, or "all"
  std::optional<std::string> dump_dir;     // one file a dump, `03-ad.fut`; else to `log`
  std::optional<std::string> start_after;  // the program is a dump after this pass: only those behind it run
  std::optional<std::string> stop_after;   // the name of the last pass to run
  bool verify_each = false;
  bool trace_rules = false;
  parallel::Machine machine = parallel::Machine::gpu;
  bool reassociate = true;  // products with sums: the pass `contract`
  parallel::Order order = parallel::Order::any;
  const source::SourceMap* sources = nullptr;  // for places in traces and dumps
  std::function<void(source::Diagnostic warning)> warn;
  std::ostream* log = nullptr;                 // dumps and traces; nowhere if null
};

/// From lowered programs to what the planner takes.
std::vector<Pass> translate_passes(const PipelineOptions& options = {});
/// The same, up to the derivative in its simplest form: for `boustro derive`.
std::vector<Pass> derive_passes(const PipelineOptions& options = {});

/// Runs passes in order. An internal error carries the name of the pass that broke, and `broken`,
/// if given, then holds the program that went into it.
ir::Program run_pipeline(const std::vector<Pass>& passes, ir::Program program,
                         const PipelineOptions& options = {}, ir::Program* broken = nullptr);

/// A line a pass: name and description.
std::string list_passes(const std::vector<Pass>& passes);

}  // namespace boustro
