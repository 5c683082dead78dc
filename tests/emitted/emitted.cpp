// Every entry of every sample and test program, emitted and run. The evaluator says what is right.
//
//   verify   Clang accepts the file, and so do our own rules
//   cpp      the C++ target, under AddressSanitizer and UndefinedBehaviorSanitizer
//   parts    the same by two workers, what they share being divided into as many parts as it can be, and two points at a time
//   asan     CUDA on the CPU, likewise, threads in ascending and descending order by turns
//   races    CUDA on the CPU, under the race detector, threads in a random order, so that lanes of warps go apart
//   order    what --deterministic emits, of a few programs: the same bits whatever the order of threads
//   versions what is emitted for sizes that are typically small, or large, of programs with kernels to choose from: right for all sizes
//   faults   each call of the CUDA runtime fails in turn: the entry must return the error; the same program as that of races
//
// The arguments are those of points.hpp. `--run_test=kmeans/races` runs one of them. A suite `nvcc` compiles what all programs become
// for CUDA, without a warning. BOUSTRO_SHARE=1/4 leaves every fourth program, from the second on: kinds of one program share what is made of it,
// so that shares run side by side rather than kinds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <utility>

#include <fmt/ranges.h>
#include <boost/test/unit_test.hpp>

#include "emit/driver/compare.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/runner.hpp"
#include "emit/run/process.hpp"
#include "frontend/values/read.hpp"
#include "nvcc.hpp"
#include "points.hpp"
#include "tests/source_folder.hpp"
#include "translation.hpp"
#include "transform/ir/traversal.hpp"

namespace boustro::tests {
namespace {

namespace fs = std::filesystem;
using driver::Session;

/// The evaluator's answer, or its failure.
struct Answer {
  std::optional<std::vector<values::Value>> values;
  std::string failure;
};

/// Answers by the program as it is before all passes.
struct Reference {
  Session session;
  driver::RunEntry run;

  explicit Reference(const fs::path& path) {
    auto core = driver::load_core(session, path.string());
    BOOST_REQUIRE(core.has_value());
    run = driver::make_runner(session, std::move(*core), "evaluate", "plain").value();
  }

  Answer answer(const std::string& entry, const Point& point) const {
    try {
      return {run(entry, point.args), ""};
    } catch (const driver::RunError& error) {
      return {std::nullopt, error.what()};
    }
  }
};

/// Arguments of an entry, and the answer once it has been asked for.
struct Case {
  Point point;
  std::optional<Answer> answer;
};

/// A translated program and what is run of it: entries on arguments, with the evaluator's answers.
struct Subject {
  Translation translation;
  Reference reference;
  std::vector<const ir::Function*> entries;
  std::map<std::string, std::vector<Case>> cases;  // of each entry
  std::optional<run::CompiledProgram> with_race_detector;

  Subject(const fs::path& path, plan::Target target) : translation(path, target), reference(path) {
    const std::string text = values::read_file(path.string());
    for (const ir::Function& function : translation.core.functions) {
      if (!function.entry) continue;
      entries.push_back(&function);
      for (Point& point : points_for(function, text)) cases[function.entry->name].push_back({std::move(point), {}});
    }
  }

  const Answer& answer(const std::string& entry, Case& one) const {
    if (!one.answer) one.answer = reference.answer(entry, one.point);
    return *one.answer;
  }
};

/// The kinds of tests of a program come one after the other and share what is made here, until another program's turn comes.
Subject& subject_of(const fs::path& path, plan::Target target) {
  static fs::path last;
  static std::map<plan::Target, std::unique_ptr<Subject>> subjects;
  if (std::exchange(last, path) != path) subjects.clear();
  auto& subject = subjects[target];
  if (!subject) subject = std::make_unique<Subject>(path, target);
  return *subject;
}

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
void compare_at(const Point& point, const std::string& entry, const Answer& expected,
                const run::CompiledProgram& program, const run::RunSettings& settings) {
  try {
    const auto got = program.run(entry, point.args, settings);
    BOOST_TEST(expected.values.has_value(),
               entry << ", " << point.what << ": succeeds, but should fail with: " << expected.failure);
    if (!expected.values) return;
    const std::string difference = driver::difference(got, *expected.values, driver::Tolerance::strict);
    BOOST_TEST(difference == "", entry << ", " << point.what << ": " << difference);
  } catch (const run::RunFailure& error) {
    BOOST_TEST(!expected.values.has_value(), entry << ", " << point.what << ": fails: " << error.what());
  }
}

/// `divided`: what the program shares among workers, which adds in another order. `orders` of threads take turns.
void compare_everywhere(Subject& subject, const run::CompiledProgram& program, bool divided,
                        const std::vector<std::string>& orders) {
  std::size_t turn = 0;
  for (const ir::Function* const function : subject.entries) {
    const std::string& entry = function->entry->name;
    const bool contracted = is_contracted(function->body), tuples = scans_tuples(function->body);
    for (Case& one : subject.cases[entry]) {
      if (tuples && has_nan(one.point)) continue;
      if ((divided || contracted) && !is_associative_at(one.point)) continue;
      compare_at(one.point, entry, subject.answer(entry, one), program, {.order = orders[turn++ % orders.size()]});
    }
  }
}

/// The text with another value of a constant, if it has that.
std::string with_constant(const std::string& text, const std::string& name, const std::string& value) {
  const std::string changed = std::regex_replace(text, std::regex("(constexpr int64_t " + name + " = )[^;]*;"), "$01" + value + ";");
  BOOST_REQUIRE((changed != text) == (text.find(name) != text.npos));
  return changed;
}

/// As if the least work were worth a part of its own, and with two points at a time: few sizes of ours are large enough to be
/// divided otherwise. Nothing if the program divides nothing.
std::optional<run::EmittedProgram> divided(run::EmittedProgram emitted) {
  std::string text = with_constant(with_constant(emitted.source, "least_part_work", "0"), "max_lanes", "2");
  if (std::exchange(emitted.source, std::move(text)) == emitted.source) return std::nullopt;
  return emitted;
}

// ---- The kinds of tests

void test_verify(const fs::path& path) {
  for (const plan::Target target : {plan::Target::gpu, plan::Target::cpu}) {
    const auto verdict = driver::verify_emitted(subject_of(path, target).translation.emitted);
    BOOST_TEST(verdict.problems.empty(), fmt::format("{}", fmt::join(verdict.problems, "\n")));
  }
}

/// Optimising what the sanitizers add takes g++ several times as long as it takes to run these small cases.
const std::vector<std::string> unoptimised = {"-O0", "-g1"};

/// `subject` is compiled for the CPU, from its own text or another.
run::CompiledProgram compile(const Subject& subject, const run::EmittedProgram& emitted, run::Target target, run::Mode mode,
                             const std::vector<std::string>& flags = unoptimised) {
  return {subject.translation.core, emitted, target, mode, flags};
}

void test_cpp(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::cpu);
  compare_everywhere(subject, compile(subject, subject.translation.emitted, run::Target::cpp, run::Mode::asan), false, {"ascending"});
}
void test_parts(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::cpu);
  const auto emitted = divided(subject.translation.emitted);
  if (!emitted) return;
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);  // tests run side by side
  compare_everywhere(subject, compile(subject, *emitted, run::Target::cpp, run::Mode::asan, {"-O0", "-g1", "-fopenmp"}), true,
                     {"ascending"});
}
void test_asan(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::gpu);
  compare_everywhere(subject, compile(subject, subject.translation.emitted, run::Target::cuda_on_cpu, run::Mode::asan), false,
                     {"ascending", "descending"});
}

/// Compiled once for two kinds of tests.
const run::CompiledProgram& with_race_detector(Subject& subject) {
  if (!subject.with_race_detector)
    subject.with_race_detector.emplace(compile(subject, subject.translation.emitted, run::Target::cuda_on_cpu, run::Mode::races));
  return *subject.with_race_detector;
}

void test_races(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::gpu);
  compare_everywhere(subject, with_race_detector(subject), false, {"7"});
}

/// Arguments on which the entry succeeds where no call of the runtime fails; large ones come last.
const Point& succeeding_point(Subject& subject, const std::string& entry) {
  for (Case& one : subject.cases[entry])
    if (subject.answer(entry, one).values) return one.point;
  BOOST_FAIL(entry << " fails on all arguments");
  throw std::logic_error("unreachable");
}

void test_faults(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::gpu);
  const run::CompiledProgram& program = with_race_detector(subject);
  for (const ir::Function* const function : subject.entries) {
    const std::string& entry = function->entry->name;
    const Point& point = succeeding_point(subject, entry);
    for (int call = 1;; ++call) {
      BOOST_REQUIRE(call < 10000);
      try {
        program.run(entry, point.args, {.fail_call = call});
        break;  // there were fewer calls than that
      } catch (const run::RunFailure& failure) {
        const std::string text = failure.what();
        BOOST_TEST(text.find("cudaErrorUnknown") != std::string::npos, entry << ", call " << call << ": " << text);
      }
    }
  }
}

/// With --deterministic results are those of the evaluator, and the same to the last bit whatever the order of threads.
void test_order(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::gpu);
  const Translation fixed(path, plan::Target::gpu, "", true);
  const run::CompiledProgram program(fixed.core, fixed.emitted, run::Target::cuda_on_cpu, run::Mode::races, unoptimised);
  for (const ir::Function& function : fixed.core.functions) {
    if (!function.entry) continue;
    const std::string& entry = function.entry->name;
    for (Case& one : subject.cases[entry]) {
      if (!is_associative_at(one.point) || has_nan(one.point)) continue;
      compare_at(one.point, entry, subject.answer(entry, one), program, {.order = "ascending"});
      if (!subject.answer(entry, one).values) continue;
      const auto ascending = program.run(entry, one.point.args, {.order = "ascending"});
      for (const char* order : {"descending", "7", "8"})
        BOOST_TEST((program.run(entry, one.point.args, {.order = order}) == ascending), entry << ", " << one.point.what << ", order " << order);
    }
  }
}

/// Kernels that were chosen for small sizes, or for large ones, are right for all.
void test_versions(const fs::path& path) {
  Subject& subject = subject_of(path, plan::Target::gpu);
  for (const std::int64_t size : {2, 4096}) {
    BOOST_TEST_CONTEXT("typical size " << size) {
      const Translation chosen(path, plan::Target::gpu, "", false, size);
      BOOST_TEST(driver::verify_emitted(chosen.emitted).problems.empty());
      const run::CompiledProgram program(chosen.core, chosen.emitted, run::Target::cuda_on_cpu, run::Mode::asan, unoptimised);
      compare_everywhere(subject, program, false, {"ascending", "descending"});
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

/// Programs whose additions of floats many threads share otherwise, in every way that there is.
const std::set<std::string> with_varying_order{"kmeans", "recurrence", "fixed_order"};

/// Programs in which each kind of choice between kernels occurs.
const std::set<std::string> with_versions{"kmeans", "copies_per_block", "staged_rows", "steps_together", "stored_sums"};

/// Whether the program with this number belongs to the share that is asked for.
bool is_in_share(std::size_t number) {
  const char* const share = std::getenv("BOUSTRO_SHARE");
  unsigned which = 0, of = 1;
  if (share != nullptr && std::sscanf(share, "%u/%u", &which, &of) != 2) throw std::invalid_argument("BOUSTRO_SHARE is such as 1/4");
  return of <= 1 || number % of == which;
}

void add(boost::unit_test::test_suite& suite, const std::string& name, const std::function<void()>& test) {
  suite.add(boost::unit_test::make_test_case(test, name, __FILE__, __LINE__));
}

}  // namespace
}  // namespace boustro::tests

bool init_unit_test() {
  using namespace boustro::tests;
  const auto samples = programs_in("samples");
  const auto programs = programs_in("tests/programs");
  std::size_t number = 0;
  for (const auto& paths : {samples, programs}) {
    for (const fs::path& path : paths) {
      if (!is_in_share(number++)) continue;
      auto* const suite = BOOST_TEST_SUITE(path.stem().string());
      for (const auto& [name, test] : kinds) add(*suite, name, [=, test = test] { test(path); });
      if (with_varying_order.contains(path.stem().string())) add(*suite, "order", [=] { test_order(path); });
      if (with_versions.contains(path.stem().string())) add(*suite, "versions", [=] { test_versions(path); });
      boost::unit_test::framework::master_test_suite().add(suite);
    }
  }
  add_nvcc(samples, programs);
  return true;
}

int main(int count, char** words) {
  return boost::unit_test::unit_test_main(init_unit_test, count, words);
}
