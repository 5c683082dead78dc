// boustro bench: how long entries take, and derivatives beside their functions.
#include <iostream>
#include <new>
#include <system_error>

#include <unistd.h>

#include "emit/bench/report.hpp"
#include "emit/bench/times.hpp"
#include "emit/driver/bench_progress.hpp"
#include "emit/driver/commands.hpp"
#include "emit/driver/compare.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/programs_in.hpp"
#include "emit/driver/reference.hpp"
#include "emit/driver/workload.hpp"
#include "emit/run/watches.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using bench::Measurement;

run::Target target_of(const BenchOptions& options) {
  const std::string& name = options.workload.target;
  return name == "cpp" ? run::Target::cpp : name == "cuda" ? run::Target::cuda : run::Target::cuda_on_cpu;
}

/// A program, and where single kernels are measured, with watches, too.
struct Compiled {
  run::CompiledProgram program;
  std::optional<run::KernelTimes> kernels;
};

/// Nothing if the program was refused.
std::optional<Compiled> compile_workload(Session& session, const Workload& workload, const BenchOptions& options) {
  const StatusLine status("compiling " + session.name);
  const run::Target target = target_of(options);
  const plan::Target planned = target == run::Target::cpp ? plan::Target::cpu : plan::Target::gpu;
  auto core = run_passes(session, workload.core, goal_of(planned), {});
  if (!core) return std::nullopt;
  auto emitted = emit(session, *core, {.target = planned, .name = session.name});
  if (!emitted) return std::nullopt;
  std::optional<run::KernelTimes> kernels;
  if (options.kernels) kernels.emplace(*core, *emitted);
  const std::vector<std::string> flags = {"-O3", "-march=native", "-fopenmp"};  // of C++
  return Compiled{run::CompiledProgram(std::move(*core), std::move(*emitted), target, run::Mode::plain, flags), std::move(kernels)};
}

/// Measures the entries of one program.
class Bench {
 public:
  Bench(const Workload& workload, const Compiled& compiled, const BenchOptions& options)
      : workload_(workload), compiled_(compiled), options_(options), reference_(workload) {}

  bench::Table measure_subject(const Subject& subject) const {
    bench::Table table{workload_.path.string(), subject.variants, {}};
    for (const DataSet& data_set : subject.data_sets) table.rows.push_back(measure_row(subject, data_set));
    return table;
  }

 private:
  bench::Row measure_row(const Subject& subject, const DataSet& data_set) const {
    bench::Row row{data_set.name, {}};
    std::vector<values::Value> arguments, results;
    for (std::size_t v = 0; v < subject.variants.size(); ++v) {
      if (v > 0 && !row.measurements[0].failure.empty()) {
        row.measurements.push_back({.failure = "the function itself has failed"});
        continue;
      }
      row.measurements.push_back(measure([&](Measurement& measured) {
        const Call call = v == 0 ? workload_.call(subject, data_set)
                                 : workload_.derivative_call(subject, v, data_set, arguments, results);
        const std::string& entry = subject.variants[v].entry;
        const auto got = time_calls(measured, entry, data_set.name, call.arguments);
        measured.failure = judge_results(measured, entry, call, got);
        if (v == 0) arguments = call.arguments, results = got;
      }));
    }
    return row;
  }

  /// What goes wrong is the measurement's failure.
  template <typename Body>
  static Measurement measure(const Body& body) {
    Measurement measured;
    try {
      body(measured);
    } catch (const std::bad_alloc&) {
      measured.failure = "out of memory";
    } catch (const source::InternalError&) {
      throw;
    } catch (const std::exception& error) {
      measured.failure = error.what();
    }
    return measured;
  }

  std::vector<values::Value> time_calls(Measurement& measured, const std::string& entry, const std::string& data_set,
                                        const std::vector<values::Value>& arguments) const {
    const run::TemporaryFolder folder;
    const run::TimeSettings times{folder.path() / "times", options_.runs, options_.seconds, options_.convergence};
    const BenchProgress progress(entry + " " + data_set, times);
    auto results = compiled_.program.run(entry, arguments, {.times = times, .limit_seconds = options_.timeout});
    const bench::Times read = bench::read_times(times.file);
    measured.seconds = read.seconds;
    measured.scratch_bytes = read.scratch_bytes;
    if (compiled_.kernels) measured.kernels = time_kernels(entry, arguments);
    return results;
  }

  /// None, and a remark, if that fails.
  std::map<std::string, double> time_kernels(const std::string& entry, const std::vector<values::Value>& arguments) const {
    try {
      return compiled_.kernels->measure(entry, arguments, options_.timeout);
    } catch (const std::runtime_error& error) {
      std::cerr << "note: kernels of " << entry << " were not measured: " << error.what() << "\n";
      return {};
    }
  }

  /// Why the results are wrong; empty if they are right, or nothing is expected.
  std::string judge_results(Measurement& measured, const std::string& entry, const Call& call,
                            const std::vector<values::Value>& got) const {
    if (call.test == nullptr || options_.compare == Compare::nothing) return "";
    auto expected = read_output(workload_.path, call.test->expected);
    const bool computed = std::holds_alternative<test_blocks::AutomaticResult>(call.test->expected);
    if (computed && options_.compare == Compare::all)
      expected = values::WrittenValues{reference_.run(entry, call.arguments), {}};
    measured.compared = expected.has_value();
    return expected ? difference(got, *expected, Tolerance::futhark) : "";
  }

  const Workload& workload_;
  const Compiled& compiled_;
  const BenchOptions& options_;
  const Reference reference_;
};

/// What comes of all programs.
struct BenchResults {
  std::vector<bench::Table> tables;
  bool failed = false;
};

void bench_workload(Session& session, const Workload& workload, const BenchOptions& options, BenchResults& results) {
  const auto program = compile_workload(session, workload, options);
  if (!session.report() || !program) {
    results.failed = true;
    return;
  }
  const Bench bench(workload, *program, options);
  for (const Subject& subject : workload.subjects) {
    results.tables.push_back(bench.measure_subject(subject));
    std::cout << table_text(results.tables.back()) << std::endl;
    results.failed = results.failed || has_failures(results.tables.back());
  }
}

void bench_program(const fs::path& path, const BenchOptions& options, BenchResults& results) {
  Session session;
  try {
    const auto workload = load_workload(session, path.string(), options.workload);
    if (workload && !workload->subjects.empty()) return bench_workload(session, *workload, options, results);
    if (!session.report() || !workload) results.failed = true;
  } catch (const WorkloadError& error) {
    std::cerr << "error: " << error.what() << "\n";
    results.failed = true;
  }
}

/// That it cannot be written is not to be found out after an hour of measuring.
std::string why_not_writable(const fs::path& file) {
  const std::string obstacle = run::obstacle_at(file);
  if (!obstacle.empty()) return obstacle;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return access(folder.c_str(), W_OK) == 0 ? "" : std::generic_category().message(errno);
}

/// False, and a complaint, if it cannot.
bool write_report(const fs::path& file, const BenchResults& results) {
  try {
    run::write_file(file, json_text(results.tables));
    return true;
  } catch (const std::system_error& error) {
    std::cerr << "error: cannot write `" << file.string() << "`: " << error.code().message() << "\n";
    return false;
  }
}

}  // namespace

int bench(const BenchOptions& given) {
  const std::string obstacle = given.json.empty() ? "" : why_not_writable(given.json);
  if (!obstacle.empty()) {
    std::cerr << "error: cannot write `" << given.json << "`: " << obstacle << "\n";
    return 1;
  }
  BenchResults results;
  for (const std::string& path : given.paths) {
    BenchOptions options = given;
    if (fs::is_directory(path)) {
      options.workload.folders.push_back(path);  // they import from each other
      options.workload.entries_with_data_sets = true;
    }
    for (const fs::path& program : programs_in(path)) bench_program(program, options, results);
  }
  if (!given.json.empty() && !write_report(given.json, results)) return 1;
  if (results.tables.empty() && !results.failed) {
    std::cerr << "error: there is nothing to measure: no entry has data sets\nhint: a test block may list some, or --size n=10 makes random ones\n";
    return 1;
  }
  return results.failed ? 1 : 0;
}

}  // namespace boustro::driver
