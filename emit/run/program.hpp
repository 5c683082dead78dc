// An emitted program, compiled for a target of this machine, whose entries can be called on values.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "emit/plan/plan.hpp"
#include "emit/run/process.hpp"
#include "emit/run/toolchain.hpp"
#include "frontend/values/value.hpp"
#include "transform/ir/ir.hpp"

namespace boustro::run {

/// What the emitted text is compiled with. `cuda` needs nvcc and a GPU.
enum class Target { cpp, cuda_on_cpu, cuda };

/// The text of a file and its header, and the plan that they were printed from.
struct EmittedProgram {
  plan::Program plan;
  std::string source_name, source;  // kmeans.cu
  std::string header_name, header;  // kmeans.hpp
  std::vector<std::string> origins = {};  // of each line of the source, if they were asked for
};

/// The entry failed: a check (index out of bounds, ...), or an error that the entry returned. The
/// text says which.
struct RunFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// ... the process took too long and was ended.
struct RunTimeout : RunFailure {
  using RunFailure::RunFailure;
};

/// How calls are timed, see templates/harness/calls.hpp.
struct TimeSettings {
  std::filesystem::path file;  // gets the times
  int runs = 10;               // at least
  double seconds = 0.5;        // of all runs together, at least
  double convergence = 300;    // seconds at most to go on until the mean is certain; 0: do not
};

struct RunSettings {
  int fail_call = 0;                // this call of the CUDA runtime, or of a C++ entry's allocator, from 1 on, fails
  std::string order = "ascending";  // of threads: ascending, descending or a number
  std::filesystem::path counts_file = {};  // Mode::counts leaves there what it counted
  std::filesystem::path watches_file = {};  // a program with watches leaves there what they saw
  std::optional<TimeSettings> times = {};  // call the entry many times
  int limit_seconds = 0;  // for the whole process; 0: none
};

class CompiledProgram {
 public:
  /// `core` is the program that was planned: it tells the results' types. `flags` are added for the
  /// cpp target. Throws CompileError.
  CompiledProgram(ir::Program core, EmittedProgram emitted, Target target, Mode mode,
                  const std::vector<std::string>& flags = {"-O2"});

  /// Calls an entry on the values of its source-level parameters. Throws RunFailure,
  /// std::invalid_argument for values that do not fit, or std::bad_alloc if it runs out of memory.
  std::vector<values::Value> run(const std::string& entry, const std::vector<values::Value>& args,
                                 const RunSettings& settings = {}) const;

  const EmittedProgram& emitted() const { return emitted_; }
  /// The program itself; see templates/harness/exchange.hpp.
  std::filesystem::path executable() const { return folder_.path() / "harness"; }

 private:
  ir::Program core_;
  EmittedProgram emitted_;
  Mode mode_;
  TemporaryFolder folder_;
};

}  // namespace boustro::run
