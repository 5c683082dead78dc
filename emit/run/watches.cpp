#include "emit/run/watches.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/source/diagnostics.hpp"

namespace boustro::run {
namespace {

constexpr int calls = 3;

/// By what is watched.
using Seconds = std::map<std::string, double>;

EmittedProgram with_text(EmittedProgram program, verify::Rewritten (*rewrite)(const verify::CudaText&)) {
  const verify::Rewritten watched =
      rewrite({program.source_name, program.source, program.header_name, program.header});
  if (!watched.problems.empty()) throw CompileError(fmt::format("{}", fmt::join(watched.problems, "\n")));
  program.source = watched.source;
  return program;
}

Seconds read_seconds(const std::filesystem::path& path) {
  std::ifstream file(path);
  Seconds all;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    source::internal_check(tab != line.npos, "run: what watches saw is incomplete");
    all[line.substr(tab + 1)] += std::stod(line.substr(0, tab));
  }
  return all;
}

Seconds measure(const CompiledProgram& program, const std::string& entry,
                const std::vector<values::Value>& args) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "watches";
  Seconds shortest;
  for (int call = 0; call < calls; ++call) {
    program.run(entry, args, {.watches_file = file});
    for (const auto& [name, seconds] : read_seconds(file)) {
      const auto [at, is_new] = shortest.emplace(name, seconds);
      at->second = std::min(at->second, seconds);
    }
  }
  return shortest;
}

std::vector<CountedWork> count(const CompiledProgram& program, const std::string& entry,
                               const std::vector<values::Value>& args) {
  const TemporaryFolder folder;
  program.run(entry, args, {.watches_file = folder.path() / "watches"});
  return read_counts(folder.path() / "watches");
}

}  // namespace

std::vector<NestRun> run_nests(const ir::Program& core, const EmittedProgram& program,
                               const std::string& entry, const std::vector<values::Value>& args) {
  const EmittedProgram watched = with_text(program, &verify::time_nests);
  const std::vector<std::string> flags = {"-O3", "-march=native", "-fopenmp"};
  const Seconds times = measure(CompiledProgram(core, watched, Target::cpp, Mode::plain, flags), entry, args);
  const std::vector<CountedWork> counted =
      count(CompiledProgram(core, watched, Target::cpp, Mode::counts), entry, args);
  std::vector<NestRun> nests;
  NestRun rest;
  for (const CountedWork& work : counted) {
    const double seconds = times.at(work.name);
    if (work.work == "nest") {
      nests.push_back({work, seconds});
      rest.seconds -= seconds;
    } else if (work.name == "0: " + program.plan.entries.at(0).name) {
      rest.work = {"rest", "rest of the entry", work.counts};
      rest.seconds += seconds;
    }
  }
  rest.seconds = std::max(rest.seconds, 0.0);  // the shortest calls need not be the same
  nests.push_back(rest);
  return nests;
}

bool has_gpu() { return std::filesystem::exists("/dev/nvidiactl") && !nvcc_path().empty(); }

std::map<std::string, double> time_kernels(const ir::Program& core, const EmittedProgram& program,
                                           const std::string& entry, const std::vector<values::Value>& args) {
  return measure(CompiledProgram(core, with_text(program, &verify::time_launches), Target::cuda, Mode::plain),
                 entry, args);
}

}  // namespace boustro::run
