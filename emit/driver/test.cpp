// boustro test: runs the test blocks of programs.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include <fmt/format.h>

#include "emit/driver/commands.hpp"
#include "emit/driver/compare.hpp"
#include "emit/driver/random.hpp"
#include "emit/driver/runner.hpp"
#include "emit/run/toolchain.hpp"
#include "frontend/test_blocks/test_blocks.hpp"
#include "frontend/values/read.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using namespace test_blocks;
using values::Value;

struct Score {
  int passed = 0, failed = 0, skipped = 0;
};

/// A run that cannot be carried out, through no fault of the program: the reason.
struct Skip {
  std::string reason;
};

/// One program with all that its runs need.
struct Program {
  fs::path path;
  const TestOptions& options;
  Score& score;
  std::optional<RunEntry> run;        // on the target
  std::optional<RunEntry> reference;  // the evaluator, for `auto output`

  void passed() const { ++score.passed; }
  void failed(const std::string& what, const std::string& why) const {
    ++score.failed;
    std::cout << "FAILED  " << path.string() << " " << what << "\n        " << why << "\n";
  }
  void skipped(const std::string& what, const std::string& why) const {
    ++score.skipped;
    std::cout << "skipped " << path.string() << " " << what << "\n        " << why << "\n";
  }
};

std::vector<Value> read_inputs(const Program& program, const Input& input) {
  return ir::match(
      input, [](const InlineValues& v) { return values::read_values(v.text); },
      [&](const FileValues& v) {
        return values::read_values(
            values::read_file((program.path.parent_path() / v.path).string()));
      },
      [](const test_blocks::RandomValues& v) {
        std::vector<Value> result;
        for (const std::string& item : v.items) {
          driver::RandomValues random(1);  // equal items are equal data
          result.push_back(random_item(random, item));
        }
        return result;
      },
      [](const ScriptValues&) -> std::vector<Value> { throw Skip{"script input"}; });
}

/// The values to compare with; nothing if the run must only succeed.
std::optional<std::vector<Value>> expected_values(const Program& program, const std::string& entry,
                                                  const Case& test,
                                                  const std::vector<Value>& input) {
  const auto read = [&](const std::string& text) {
    if (std::holds_alternative<test_blocks::RandomValues>(test.input)) {
      throw Skip{"the expected values belong to another generator of random input"};
    }
    return std::optional(values::read_values(text));
  };
  return ir::match(
      test.expected, [](const AnyResult&) { return std::optional<std::vector<Value>>(); },
      [](const RuntimeError&) { return std::optional<std::vector<Value>>(); },
      [&](const InlineValues& v) { return read(v.text); },
      [&](const FileValues& v) {
        return read(values::read_file((program.path.parent_path() / v.path).string()));
      },
      [&](const AutomaticResult&) {
        return program.reference ? std::optional((*program.reference)(entry, input)) : std::nullopt;
      });
}

/// Why the run is wrong; empty if it is right.
std::string judge(const Program& program, const std::string& entry, const Case& test) {
  const std::vector<Value> input = read_inputs(program, test.input);
  const auto expected = expected_values(program, entry, test, input);
  const bool must_fail = std::holds_alternative<RuntimeError>(test.expected);
  std::vector<Value> got;
  try {
    got = (*program.run)(entry, input);
  } catch (const RunError& error) {
    return must_fail ? "" : error.what();
  }
  if (must_fail) return "succeeds, but must fail";
  if (!expected) return "";
  return difference(got, *expected,
                    program.options.strict ? Tolerance::strict : Tolerance::futhark);
}

void run_case(const Program& program, const std::string& entry, const Case& test) {
  const std::string what = fmt::format("{} \"{}\"", entry, test.name);
  try {
    const std::string problem = judge(program, entry, test);
    if (problem.empty()) {
      program.passed();
    } else {
      program.failed(what, problem);
    }
  } catch (const Skip& skip) {
    program.skipped(what, skip.reason);
  } catch (const std::exception& error) {
    program.failed(what, error.what());
  }
}

std::string first_error(const Session& session) {
  for (const source::Diagnostic& diagnostic : session.diagnostics.all()) {
    if (source::severity_of(diagnostic.message) != source::Severity::warning)
      return to_string(diagnostic, session.sources);
  }
  return "";
}

/// A program whose blocks say that it must not compile.
void test_negative(Program& program) {
  Session session;
  if (load_typed(session, program.path.string())) {
    program.failed("", "is accepted, but must be rejected");
  } else {
    program.passed();
  }
}

/// Makes the program ready; reports it as failed otherwise. All entries fail together.
bool prepare(Program& program, Session& session, Session& reference, int runs) {
  try {
    if (auto core = load_core(session, program.path.string())) {
      program.run =
          make_runner(session, std::move(*core), program.options.target, program.options.mode);
    }
    if (program.run && program.options.target != "evaluate") {
      if (auto core = load_core(reference, program.path.string())) {
        program.reference = make_runner(reference, std::move(*core), "evaluate", "plain");
      }
    }
  } catch (const std::exception& error) {
    program.failed("", error.what());
    program.score.failed += runs - 1;
    return false;
  }
  if (program.run) return true;
  program.failed("", first_error(session));
  program.score.failed += runs - 1;
  return false;
}

void test_program(const fs::path& path, const TestOptions& options, Score& score) {
  Program program{path, options, score, {}, {}};
  Specification specification;
  try {
    specification = read_test_blocks(values::read_file(path.string()));
  } catch (const TestBlockError& error) {
    return program.failed(fmt::format("line {}", error.line), error.what());
  } catch (const std::system_error& error) {
    return program.failed("", error.what());
  }
  if (specification.compile_error) return test_negative(program);

  int runs = 0;
  for (const Block& block : specification.blocks)
    runs += static_cast<int>(block.entries.size() * block.cases.size());
  Session session, reference;
  if (runs == 0) {
    if (load_typed(session, path.string())) return program.passed();
    return program.failed("", first_error(session));
  }
  if (!prepare(program, session, reference, runs)) return;
  for (const Block& block : specification.blocks) {
    for (const std::string& entry : block.entries) {
      for (const Case& test : block.cases) run_case(program, entry, test);
    }
  }
}

/// The programs of a folder, in a fixed order.
std::vector<fs::path> programs_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> result;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".fut") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

int test(const TestOptions& options) {
  Score score;
  for (const std::string& path : options.paths) {
    for (const fs::path& program : programs_in(path)) test_program(program, options, score);
  }
  std::cout << fmt::format("{} passed, {} failed, {} skipped\n", score.passed, score.failed,
                           score.skipped);
  return score.failed == 0 ? 0 : 1;
}

}  // namespace boustro::driver
