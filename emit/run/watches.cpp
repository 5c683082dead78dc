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

/// In order.
using Watched = std::vector<std::pair<std::string, double>>;

EmittedProgram with_text(EmittedProgram program, verify::Rewritten (*rewrite)(const verify::CudaText&)) {
  const verify::Rewritten watched =
      rewrite({program.source_name, program.source, program.header_name, program.header});
  if (!watched.problems.empty()) throw CompileError(fmt::format("{}", fmt::join(watched.problems, "\n")));
  program.source = watched.source;
  return program;
}

Watched read_watches(const std::filesystem::path& path) {
  std::ifstream file(path);
  Watched all;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    source::internal_check(tab != line.npos, "run: what watches saw is incomplete");
    all.emplace_back(line.substr(tab + 1), std::stod(line.substr(0, tab)));
  }
  return all;
}

void keep_shortest(Seconds& shortest, const Seconds& seconds) {
  for (const auto& [name, some] : seconds) {
    const auto [at, is_new] = shortest.emplace(name, some);
    at->second = std::min(at->second, some);
  }
}

Seconds sum_of(const Watched& watched) {
  Seconds all;
  for (const auto& [name, seconds] : watched) all[name] += seconds;
  return all;
}

Seconds measure(const CompiledProgram& program, const std::string& entry,
                const std::vector<values::Value>& args) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "watches";
  Seconds shortest;
  for (int call = 0; call < calls; ++call) {
    program.run(entry, args, {.watches_file = file});
    keep_shortest(shortest, sum_of(read_watches(file)));
  }
  return shortest;
}

/// The first call does not count, in which kernels are loaded. All are taken to have launched the same.
Seconds shortest_of_calls(const Watched& launches, std::size_t calls_made) {
  const std::size_t in_a_call = launches.size() / calls_made;
  Seconds shortest;
  for (std::size_t call = 1; call < calls_made; ++call) {
    const auto first = launches.begin() + static_cast<std::ptrdiff_t>(call * in_a_call);
    keep_shortest(shortest, sum_of({first, first + static_cast<std::ptrdiff_t>(in_a_call)}));
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

KernelTimes::KernelTimes(const ir::Program& core, const EmittedProgram& program)
    : program_(core, with_text(program, &verify::time_launches), Target::cuda, Mode::plain) {}

std::map<std::string, double> KernelTimes::measure(const std::string& entry, const std::vector<values::Value>& args, int limit_seconds) const {
  const TemporaryFolder folder;
  const std::filesystem::path watches = folder.path() / "watches", times = folder.path() / "times";
  program_.run(entry, args, {.watches_file = watches, .times = TimeSettings{times, calls, 0, 0}, .limit_seconds = limit_seconds});
  return shortest_of_calls(read_watches(watches), 1 + calls);
}

}  // namespace boustro::run
