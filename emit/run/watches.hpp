// Runs emitted programs with watches in them: what nests of loops and launches of kernels take, measured, and
// what nests do, counted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/run/counts.hpp"
#include "emit/run/program.hpp"

namespace boustro::run {

/// An outermost nest of loops of a C++ entry, by its line and condition, or what is left of the entry.
struct NestRun {
  CountedWork work;    // of all its runs in one call of the entry; `work.work` is `nest` or `rest`
  double seconds = 0;  // of all of them; the shortest of several calls
};

/// Compiles a C++ program with watches around its nests, calls the entry a few times with all workers of the
/// machine, and once to count, with one. Throws what CompiledProgram throws.
std::vector<NestRun> run_nests(const ir::Program& core, const EmittedProgram& program,
                               const std::string& entry, const std::vector<values::Value>& args);

/// Whether this machine seems to have a GPU and nvcc.
bool has_gpu();

/// A CUDA program with watches around its launches and its calls of functions of CUB. Throws what CompiledProgram throws.
class KernelTimes {
 public:
  KernelTimes(const ir::Program& core, const EmittedProgram& program);

  /// Calls the entry a few times, within `limit_seconds` if these are not 0. The result is the seconds of all launches in one call, by the
  /// name of the kernel or function of CUB; the shortest of several calls.
  std::map<std::string, double> measure(const std::string& entry, const std::vector<values::Value>& args, int limit_seconds = 0) const;

 private:
  CompiledProgram program_;
};

}  // namespace boustro::run
