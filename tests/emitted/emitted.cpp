// Every entry of every sample and test program, emitted and run. The evaluator says what is right.
//
//   verify   Clang accepts the file, and so do our own rules
//   cpp      the C++ target, under AddressSanitizer and UndefinedBehaviorSanitizer
//   parts    the same by two workers, what they share being divided into as many parts as it can be, and two points at a time
//   asan     CUDA on the CPU, likewise, threads in ascending and descending order
//   races    CUDA on the CPU, under the race detector, threads in a random order, so that lanes of warps go apart
//   faults   each call of the CUDA runtime fails in turn: the entry must return the error
//
// The arguments are those of points.hpp. `--run_test=kmeans/races` runs one of them. A suite `nvcc` compiles what all programs become
// for CUDA, without a warning.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <utility>

#include <fmt/ranges.h>
#include <boost/test/unit_test.hpp>

#include "emit/driver/compare.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/runner.hpp"
#include "emit/run/process.hpp"
#include "frontend/values/read.hpp"
#include "points.hpp"
#include "tests/source_folder.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::tests {
namespace {

namespace fs = std::filesystem;
using driver::Session;

/// A program, translated for one target.
struct Subject {
  bool divided = false;  // into parts
  Session session;
  ir::Program core;
  run::EmittedProgram emitted;

  Subject(const fs::path& path, plan::Target target, const std::string& name_space = "") {
    auto loaded = driver::load_core(session, path.string());
    if (loaded)
      loaded = driver::run_passes(session, std::move(*loaded), driver::goal_of(target),
                                  {.verify_each = true});
    std::optional<run::EmittedProgram> text;
    if (loaded) {
      text =
          driver::emit(session, *loaded,
                       {.target = target, .name = path.stem().string(), .name_space = name_space});
    }
    std::string reasons;
    for (const auto& diagnostic : session.diagnostics.all())
      reasons += to_string(diagnostic, session.sources);
    BOOST_REQUIRE_MESSAGE(text.has_value(), reasons);
    core = std::move(*loaded);
    emitted = std::move(*text);
  }
};

/// The evaluator's answer, or its failure.
struct Reference {
  Session session;
  driver::RunEntry run;

  explicit Reference(const fs::path& path) {
    auto core = driver::load_core(session, path.string());
    BOOST_REQUIRE(core.has_value());
    run = driver::make_runner(session, std::move(*core), "evaluate", "plain").value();
  }
};

/// Products were multiplied with sums instead of their terms, or products with zeros left out.
bool is_contracted(const ir::Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const ir::Stm& stm) {
    bool inside = stm.origin.rule == "contraction" || stm.origin.rule == "triangle";
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { inside = inside || is_contracted(inner); });
    return inside;
  });
}

/// Prefixes of tuples, such as linear functions. The evaluator begins with the neutral element, a library call with the first one: the same, but
/// for a 0 of the neutral element that meets a NaN, as 0 * NaN shows.
bool scans_tuples(const ir::Body& body) {
  return std::any_of(body.stms.begin(), body.stms.end(), [](const ir::Stm& stm) {
    const auto* nest = std::get_if<ir::Nest>(&stm.exp);
    bool any = nest && std::any_of(nest->outs.begin(), nest->outs.end(),
                                   [](const ir::Out& out) { return out.method == ir::Method::library && out.kind == ir::OutKind::scan && out.values() > 1; });
    ir::for_each_body(stm.exp, [&](const ir::Body& inner) { any = any || scans_tuples(inner); });
    return any;
  });
}
bool has_nan(const Point& point) { return point.what.find("NaN") != std::string::npos; }

/// Sums of infinities are not associative, as inf - inf shows; nor are their products with zeros.
bool is_associative_at(const Point& point) { return point.what.find("infinity") == std::string::npos; }

/// Both agree: the same values, or both fail.
void compare_at(const Point& point, const std::string& entry, const Reference& reference,
                const run::CompiledProgram& program, const run::RunSettings& settings) {
  std::optional<std::vector<values::Value>> expected;
  std::string failure;
  try {
    expected = reference.run(entry, point.args);
  } catch (const driver::RunError& error) {
    failure = error.what();
  }
  try {
    const auto got = program.run(entry, point.args, settings);
    BOOST_TEST(expected.has_value(),
               entry << ", " << point.what << ": succeeds, but should fail with: " << failure);
    if (!expected) return;
    const std::string difference = driver::difference(got, *expected, driver::Tolerance::strict);
    BOOST_TEST(difference == "", entry << ", " << point.what << ": " << difference);
  } catch (const run::RunFailure& error) {
    BOOST_TEST(!expected.has_value(), entry << ", " << point.what << ": fails: " << error.what());
  }
}

void compare_everywhere(const fs::path& path, const Subject& subject, run::Target target,
                        run::Mode mode, const std::vector<std::string>& orders) {
  const Reference reference(path);
  const std::string text = values::read_file(path.string());
  std::vector<std::string> flags = {"-O1", "-g"};
  if (subject.divided) flags.push_back("-fopenmp");
  const run::CompiledProgram program(subject.core, subject.emitted, target, mode, flags);
  for (const ir::Function& function : subject.core.functions) {
    if (!function.entry) continue;
    const bool contracted = is_contracted(function.body), tuples = scans_tuples(function.body);
    for (const Point& point : points_for(function, text)) {
      if (tuples && has_nan(point)) continue;
      if ((subject.divided || contracted) && !is_associative_at(point)) continue;
      for (const std::string& order : orders) {
        compare_at(point, function.entry->name, reference, program, {.order = order});
      }
    }
  }
}

void compare_everywhere(const fs::path& path, plan::Target planned, run::Target target,
                        run::Mode mode, const std::vector<std::string>& orders) {
  compare_everywhere(path, Subject(path, planned), target, mode, orders);
}

/// The text with another value of a constant, if it has that.
std::string with_constant(const std::string& text, const std::string& name, const std::string& value) {
  const std::string changed = std::regex_replace(text, std::regex("(constexpr int64_t " + name + " = )[^;]*;"), "$01" + value + ";");
  BOOST_REQUIRE((changed != text) == (text.find(name) != text.npos));
  return changed;
}

/// As if the least work were worth a part of its own, and with two points at a time: few sizes of ours are large enough to be
/// divided otherwise. False if the program divides nothing.
bool divide(Subject& subject) {
  subject.divided = true;
  std::string& source = subject.emitted.source;
  const std::string divided = with_constant(with_constant(source, "least_part_work", "0"), "max_lanes", "2");
  return std::exchange(source, divided) != divided;
}

// ---- The kinds of tests

void test_verify(const fs::path& path) {
  const Subject subject(path, plan::Target::gpu);
  const auto verdict = driver::verify_emitted(subject.emitted);
  BOOST_TEST(verdict.problems.empty(), fmt::format("{}", fmt::join(verdict.problems, "\n")));
  const Subject other(path, plan::Target::cpu);
  const auto cpp_verdict = driver::verify_emitted(other.emitted);
  BOOST_TEST(cpp_verdict.problems.empty(),
             fmt::format("{}", fmt::join(cpp_verdict.problems, "\n")));
}

/// What keeps newer versions of nvcc from optimising code that nobody runs.
std::vector<std::string> quickly() {
  static const bool can = run::execute(run::nvcc_path(), {"--help"}).output.find("Ofast-compile") != std::string::npos;
  return can ? std::vector<std::string>{"--Ofast-compile=max"} : std::vector<std::string>{};
}

/// One file that includes those that the programs become, each in a namespace of its own: nvcc reads CUB once for all of them.
fs::path write_together(const fs::path& folder, const std::vector<fs::path>& paths, const std::string& suffix = "") {
  fs::create_directory(folder);
  std::string text;
  for (const fs::path& path : paths) {
    const Subject subject(path, plan::Target::gpu, path.stem().string() + suffix);
    run::write_file(folder / subject.emitted.header_name, subject.emitted.header);
    run::write_file(folder / subject.emitted.source_name, subject.emitted.source);
    text += fmt::format("#include \"{}\"\n", subject.emitted.source_name);
  }
  const fs::path result = folder / "together.cu";
  run::write_file(result, text);
  return result;
}

void test_nvcc(const std::vector<fs::path>& paths) {
  const run::TemporaryFolder folder;
  const fs::path source = write_together(folder.path() / "only", paths);
  std::vector<std::string> flags = quickly();
  flags.insert(flags.end(), {"-c", "-o", (folder.path() / "only.o").string()});
  BOOST_CHECK_NO_THROW(run::compile_nvcc({source}, flags));
}

/// Two files of one sample, in namespaces of their own, make one library.
void test_linking(const std::vector<fs::path>& samples) {
  const run::TemporaryFolder folder;
  std::vector<fs::path> sources = {write_together(folder.path() / "first", samples, "_first"),
                                   write_together(folder.path() / "second", samples, "_second"),
                                   folder.path() / "main.cu"};
  run::write_file(sources.back(), "int main() { return 0; }\n");
  std::vector<std::string> flags = quickly();
  flags.insert(flags.end(), {"-o", (folder.path() / "linked").string()});
  BOOST_CHECK_NO_THROW(run::compile_nvcc(sources, flags));
}

void test_cpp(const fs::path& path) {
  compare_everywhere(path, plan::Target::cpu, run::Target::cpp, run::Mode::asan, {"ascending"});
}
void test_parts(const fs::path& path) {
  Subject subject(path, plan::Target::cpu);
  if (!divide(subject)) return;
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);  // tests run side by side
  compare_everywhere(path, subject, run::Target::cpp, run::Mode::asan, {"ascending"});
}
void test_asan(const fs::path& path) {
  compare_everywhere(path, plan::Target::gpu, run::Target::cuda_on_cpu, run::Mode::asan,
                     {"ascending", "descending"});
}
void test_races(const fs::path& path) {
  compare_everywhere(path, plan::Target::gpu, run::Target::cuda_on_cpu, run::Mode::races,
                     {"7"});
}

/// Arguments on which the entry succeeds where no call of the runtime fails.
Point succeeding_point(const Reference& reference, const ir::Function& function,
                       const std::string& text) {
  for (const Point& point : points_for(function, text)) {
    try {
      reference.run(function.entry->name, point.args);
      return point;
    } catch (const driver::RunError&) {
    }
  }
  BOOST_FAIL(function.entry->name << " fails on all arguments");
  return {};
}

void test_faults(const fs::path& path) {
  const Subject subject(path, plan::Target::gpu);
  const Reference reference(path);
  const run::CompiledProgram program(subject.core, subject.emitted, run::Target::cuda_on_cpu,
                                     run::Mode::plain);
  const std::string text = values::read_file(path.string());
  for (const ir::Function& function : subject.core.functions) {
    if (!function.entry) continue;
    const Point point = succeeding_point(reference, function, text);
    for (int call = 1;; ++call) {
      BOOST_REQUIRE(call < 10000);
      try {
        program.run(function.entry->name, point.args, {.fail_call = call});
        break;  // there were fewer calls than that
      } catch (const run::RunFailure& failure) {
        const std::string text = failure.what();
        BOOST_TEST(text.find("cudaErrorUnknown") != std::string::npos,
                   function.entry->name << ", call " << call << ": " << text);
      }
    }
  }
}

const std::map<std::string, void (*)(const fs::path&)> kinds = {
    {"verify", test_verify}, {"cpp", test_cpp},     {"parts", test_parts},
    {"asan", test_asan},     {"races", test_races}, {"faults", test_faults}};

std::vector<fs::path> programs_in(const std::string& folder) {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator(fs::path(source_folder) / folder)) {
    if (entry.path().extension() == ".fut") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

void add(boost::unit_test::test_suite& suite, const std::string& name, const std::function<void()>& test) {
  suite.add(boost::unit_test::make_test_case(test, name, __FILE__, __LINE__));
}

/// What nvcc is asked: each program of the tests, some at a time, and whether samples can be linked.
void add_nvcc(const std::vector<fs::path>& samples, const std::vector<fs::path>& programs) {
  constexpr std::size_t at_a_time = 10;
  auto* const suite = BOOST_TEST_SUITE("nvcc");
  add(*suite, "linking", [=] { test_linking(samples); });
  for (std::size_t begin = 0; begin < programs.size(); begin += at_a_time) {
    const auto first = programs.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = programs.begin() + static_cast<std::ptrdiff_t>(std::min(begin + at_a_time, programs.size()));
    add(*suite, first->stem().string() + "_to_" + std::prev(last)->stem().string(),
        [some = std::vector<fs::path>(first, last)] { test_nvcc(some); });
  }
  boost::unit_test::framework::master_test_suite().add(suite);
}

}  // namespace
}  // namespace boustro::tests

bool init_unit_test() {
  using namespace boustro::tests;
  const auto samples = programs_in("samples");
  const auto programs = programs_in("tests/programs");
  for (const auto& paths : {samples, programs}) {
    for (const fs::path& path : paths) {
      auto* const suite = BOOST_TEST_SUITE(path.stem().string());
      for (const auto& [name, test] : kinds) add(*suite, name, [=, test = test] { test(path); });
      boost::unit_test::framework::master_test_suite().add(suite);
    }
  }
  add_nvcc(samples, programs);
  return true;
}

int main(int count, char** words) {
  return boost::unit_test::unit_test_main(init_unit_test, count, words);
}
