#include "emit/driver/test_program.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "emit/driver/compare.hpp"
#include "emit/driver/runner.hpp"
#include "emit/driver/test_data.hpp"
#include "emit/run/process.hpp"
#include "emit/run/toolchain.hpp"
#include "frontend/values/read.hpp"
#include "transform/facts/history.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using namespace test_blocks;
using values::Value;

/// A run that is not carried out, through no fault of the program: the reason.
struct Skip {
  std::string reason;
};

struct Run {
  std::string entry;
  const Case* test;

  /// The run before it is carried out.
  TestResult planned() const {
    return {
        .what = fmt::format("{} \"{}\"", entry, test->name),
        .expects = ir::match(
            test->expected, [](const InlineValues&) { return "values"; },
            [](const FileValues&) { return "values"; }, [](const RuntimeError&) { return "error"; },
            [](const auto&) { return "success"; })};
  }
};

/// One program with all that its runs need.
struct Program {
  fs::path path;
  const TestOptions& options;
  Session session = {}, reference_session = {};
  std::optional<RunEntry> run = {};        // on the target
  std::optional<RunEntry> reference = {};  // the evaluator, for `auto output` on other targets
};

// ---- One run

/// The values to compare with; nothing if the run must only succeed.
std::optional<values::WrittenValues> expected_values(const Program& program, const Run& run,
                                                     const std::vector<Value>& input) {
  if (std::holds_alternative<AutomaticResult>(run.test->expected) && program.reference)
    return values::WrittenValues{(*program.reference)(run.entry, input), {}};
  return read_output(program.path, run.test->expected);
}

/// Why the run is wrong; empty if it is right.
std::string judge(const Program& program, const Run& run) {
  const std::vector<Value> input = read_input(program.path, program.options.folders, run.test->input);
  const auto expected = expected_values(program, run, input);
  const bool must_fail = std::holds_alternative<RuntimeError>(run.test->expected);
  std::vector<Value> got;
  try {
    got = (*program.run)(run.entry, input);
  } catch (const RunError& error) {
    return must_fail ? "" : error.what();
  } catch (const std::invalid_argument& error) {  // arguments that do not fit the entry
    return must_fail ? "" : error.what();
  }
  if (must_fail) return "succeeds, but must fail";
  if (!expected) return "";
  return difference(got, *expected,
                    program.options.strict ? Tolerance::strict : Tolerance::futhark);
}

/// The same with the memory that a run may take.
std::string judge_limited(const Program& program, const Run& run) {
  try {
    const run::MemoryLimit limit(program.options.memory);
    return judge(program, run);
  } catch (const std::bad_alloc&) {
    return fmt::format("needs more memory than {:.4} GB", static_cast<double>(program.options.memory) / 1e9);
  }
}

/// The result of a test that says why it fails, timed.
template <typename Test>
TestResult result_of(TestResult result, Test test) {
  const auto begin = std::chrono::steady_clock::now();
  result.outcome = Outcome::failed;
  try {
    result.why = test();
    if (result.why.empty()) result.outcome = Outcome::passed;
  } catch (const Skip& skip) {
    result.outcome = Outcome::skipped;
    result.why = skip.reason;
  } catch (const source::InternalError& error) {
    result.why = fmt::format("internal error: {}", error.what());
  } catch (const std::exception& error) {
    result.why = error.what();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

// ---- Compiling

/// Makes the program ready for its runs; if that fails, why.
std::string prepare(Program& program, bool needs_reference) {
  const std::string path = program.path.string();
  program.session.folders = program.reference_session.folders = program.options.folders;
  auto core = load_core(program.session, path);
  if (core)
    program.run = make_runner(program.session, std::move(*core), program.options.target,
                              program.options.mode, {},
                              {.versions = program.options.check_annotations ? facts::versions_of : nullptr});
  if (!program.run) return program.session.first_error();
  if (!needs_reference) return "";
  core = load_core(program.reference_session, path);
  if (core)
    program.reference =
        make_runner(program.reference_session, std::move(*core), "evaluate", "plain");
  return program.reference ? "" : program.reference_session.first_error();
}

std::string reject(const fs::path& path, const TestOptions& options) {
  Session session;
  session.folders = options.folders;
  return load_typed(session, path.string()) ? "is accepted, but must be rejected" : "";
}

// ---- All of them

std::vector<Run> runs_of(const Specification& specification) {
  std::vector<Run> runs;
  for (const EntryCase& each : cases_of(specification)) runs.push_back({each.entry, each.test});
  return runs;
}

bool needs_reference(const std::vector<Run>& runs, const TestOptions& options) {
  return options.target != "evaluate" && std::any_of(runs.begin(), runs.end(), [](const Run& run) {
           return std::holds_alternative<AutomaticResult>(run.test->expected);
         });
}

void test_whole(const TestEvents& events, const std::function<std::string()>& test,
                const char* expects = "success") {
  const TestResult planned{.expects = expects};
  events.found({planned});
  events.done(result_of(planned, test));
}

void test_runs(Program& program, const std::vector<Run>& runs, std::size_t first,
               const TestEvents& events) {
  std::vector<TestResult> planned;
  for (const Run& run : runs) planned.push_back(run.planned());
  events.found(planned);
  const TestResult compiled =
      result_of({}, [&] { return prepare(program, needs_reference(runs, program.options)); });
  events.ready();
  for (std::size_t i = first; i < runs.size(); ++i) {
    if (!compiled.why.empty()) {
      events.done(result_of(planned[i], [&] { return compiled.why; }));
      continue;
    }
    events.done(result_of(planned[i], [&] {
      const auto tag = excluding_tag(runs[i].test->tags, program.options.target, {"notest"});
      if (tag) throw Skip{"tag " + *tag};
      return judge_limited(program, runs[i]);
    }));
  }
}

}  // namespace

void test_program(const fs::path& path, const TestOptions& options, std::size_t first,
                  const TestEvents& events) {
  Specification specification;
  try {
    specification = read_test_blocks(values::read_file(path.string()));
  } catch (const TestBlockError& error) {
    const std::string why = fmt::format("line {}: {}", error.line, error.what());
    return test_whole(events, [&] { return why; });
  } catch (const std::system_error& error) {
    return test_whole(events, [&] { return std::string(error.what()); });
  }
  if (const auto tag = excluding_tag(specification.tags, options.target, {"notest"}))
    return test_whole(events, [&]() -> std::string { throw Skip{"tag " + *tag}; });
  if (specification.compile_error)
    return test_whole(events, [&] { return reject(path, options); }, "rejection");

  Program program{path, options};
  const std::vector<Run> runs = runs_of(specification);
  if (runs.empty()) return test_whole(events, [&] { return prepare(program, false); });
  test_runs(program, runs, first, events);
}

}  // namespace boustro::driver
