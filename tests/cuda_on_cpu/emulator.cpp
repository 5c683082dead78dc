// Runs every CUDA program of this folder on the CPU in all modes, and every one of negative/, each
// of which has one error, in the mode that its first line names: `// expect: MODE: a text that the
// output must contain`. The mode `parse` stands for Clang's own diagnostics. Those of counts/ say what
// the mode `counts` counts, with all numbers that are not zero:
//
//   // expect kernel: NAME
//   //   launches 1, blocks 4, ...
//
// but for instructions, which are the compiler's affair. Where they stand, `active_lanes 32` is how many lanes run one on average,
// rounded, `warp_chain 6000` is as many instructions that wait for each other, up to a hundredth, and `warp_load_waits 3` is counted, too: outside of loops
// a kernel's arguments, which the emulator loads, are among these.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include <fmt/ranges.h>
#include <boost/test/unit_test.hpp>

#include "emit/run/counts.hpp"
#include "emit/run/process.hpp"
#include "emit/run/toolchain.hpp"
#include "emit/verify/verify.hpp"
#include "templates/embedded.hpp"
#include "tests/source_folder.hpp"

namespace boustro::run {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const fs::path folder = fs::path(boustro::tests::source_folder) / "tests/cuda_on_cpu";

/// Pieces that emitted files have copies of stand in the text, as there.
std::string with_templates(std::string text) {
  const std::regex include("#include \"templates/(\\w+)\\.cuh\"");
  for (std::smatch found; std::regex_search(text, found, include);)
    text = found.prefix().str() + templates::find(found[1].str(), templates::Language::cuda)->text + found.suffix().str();
  return text;
}

verify::CudaText cuda_text(const fs::path& path) {
  return {path.filename().string(), with_templates(contents(path)), "check.cuh", contents(folder / "check.cuh")};
}

/// The program, which is made in this folder.
fs::path compiled(const fs::path& path, Mode mode, const fs::path& work) {
  compile_cuda_for_cpu(cuda_text(path), mode, work / "test.o");
  link_for_cpu({work / "test.o"}, mode, work / "test");
  return work / "test";
}

Outcome run_on_cpu(const fs::path& path, Mode mode,
                   const std::map<std::string, std::string>& environment = {}) {
  const TemporaryFolder work;
  return execute(compiled(path, mode, work.path()).string(), {}, environment);
}

void run_positive(const fs::path& path) {
  for (const Mode mode : {Mode::plain, Mode::asan, Mode::races}) {
    const TemporaryFolder work;
    const fs::path program = compiled(path, mode, work.path());
    const bool fast = mode == Mode::plain;
    for (const std::string& order : fast ? std::vector<std::string>{"ascending", "descending", "7"} : std::vector<std::string>{"ascending"}) {
      const Outcome outcome = execute(program.string(), {}, {{"CUDA_EMULATION_ORDER", order}});
      BOOST_TEST(outcome.ok(), "mode " << static_cast<int>(mode) << ", threads in order " << order << ": " << outcome.output);
    }
  }
}

void run_negative(const fs::path& path) {
  const std::string text = contents(path);
  std::smatch expectation;
  BOOST_REQUIRE(std::regex_search(text, expectation, std::regex("^// expect: ([a-z]+): (.*)")));
  const std::string mode = expectation[1];
  std::string output;
  if (mode == "parse") {
    output = fmt::format(
        "{}", fmt::join(verify::verify_cuda(cuda_text(path), {{}, {"main"}}).problems, "\n"));
  } else {
    const Outcome outcome = run_on_cpu(path, mode == "asan"    ? Mode::asan
                                             : mode == "races" ? Mode::races
                                                               : Mode::plain);
    BOOST_TEST(!outcome.ok());
    output = outcome.output;
  }
  BOOST_TEST(output.find(expectation[2].str()) != std::string::npos,
             "expected `" << expectation[2] << "` in: " << output);
}

bool counts_instructions(const std::string& counter) {
  return counter.ends_with("_instructions") || counter.ends_with("_chain") || counter == "warp_load_waits";
}

/// `kernel: NAME` and its numbers, a line each.
std::string described(const std::string& work, const std::string& name, const Counts& counts) {
  std::string text = work + ": " + name + "\n";
  for (const auto& counter : cuda_emulation::counters) {
    const std::uint64_t number = counts.*counter.number;
    if (number != 0 && !counts_instructions(counter.name))
      text += fmt::format("  {} {}\n", counter.name, number);
  }
  return text;
}

std::string expected_counts(const std::string& text) {
  static const std::regex row("// expect ([a-z]+): ([^\n]*)\n((//   [^\n]*\n)*)"),
      number("([a-z][a-z0-9_]*) ([0-9]+)");
  std::string all;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const std::string numbers = (*at)[3];
    Counts counts;
    for (std::sregex_iterator n(numbers.begin(), numbers.end(), number); n != end; ++n) {
      if ((*n)[1] == "active_lanes") continue;
      const auto* const counter =
          std::find_if(std::begin(cuda_emulation::counters), std::end(cuda_emulation::counters),
                       [&](const auto& counter) { return (*n)[1] == counter.name; });
      BOOST_REQUIRE_MESSAGE(counter != std::end(cuda_emulation::counters), (*n)[1]);
      counts.*counter->number = std::stoull((*n)[2]);
    }
    all += described((*at)[1], (*at)[2], counts);
  }
  return all;
}

/// A number that stands in some rows, by their names.
std::map<std::string, long> expected_in_rows(const std::string& text, const std::string& what) {
  static const std::regex row("// expect [a-z]+: ([^\n]*)\n((//   [^\n]*\n)*)");
  const std::regex stated(what + " ([0-9]+)");
  std::map<std::string, long> all;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const std::string numbers = (*at)[2];
    std::smatch number;
    if (std::regex_search(numbers, number, stated)) all[(*at)[1]] = std::stol(number[1]);
  }
  return all;
}

void run_counts(const fs::path& path) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "counts";
  const Outcome outcome =
      run_on_cpu(path, Mode::counts, {{"CUDA_EMULATION_COUNTS", file.string()}});
  BOOST_TEST(outcome.ok(), outcome.output);
  std::string counted;
  const auto expected_lanes = expected_in_rows(contents(path), "active_lanes"),
             expected_waits = expected_in_rows(contents(path), "warp_load_waits"), expected_chains = expected_in_rows(contents(path), "warp_chain");
  for (const CountedWork& work : read_counts(file)) {
    counted += described(work.work, work.name, work.counts);
    if (const auto lanes = expected_lanes.find(work.name); lanes != expected_lanes.end())
      BOOST_TEST(std::lround(cuda_emulation::active_lanes(work.counts)) == lanes->second, work.name);
    if (const auto waits = expected_waits.find(work.name); waits != expected_waits.end())
      BOOST_TEST(static_cast<long>(work.counts.warp_load_waits) == waits->second, work.name);
    if (const auto chain = expected_chains.find(work.name); chain != expected_chains.end())
      BOOST_TEST(std::abs(static_cast<long>(work.counts.warp_chain) - chain->second) <= chain->second / 100,
                 work.name << ": " << work.counts.warp_chain << " instructions that wait for each other");
  }
  BOOST_TEST(counted == expected_counts(contents(path)));
}

void add_cases(boost::unit_test::test_suite& suite, const fs::path& from,
               void (*test)(const fs::path&)) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    suite.add(boost::unit_test::make_test_case([=] { test(path); }, path.stem().string(), __FILE__,
                                               __LINE__));
  }
}

}  // namespace
}  // namespace boustro::run

bool init_unit_test() {
  auto& master = boost::unit_test::framework::master_test_suite();
  auto* const counts = BOOST_TEST_SUITE("counts");
  boustro::run::add_cases(master, boustro::run::folder, boustro::run::run_positive);
  boustro::run::add_cases(master, boustro::run::folder / "negative", boustro::run::run_negative);
  boustro::run::add_cases(*counts, boustro::run::folder / "counts", boustro::run::run_counts);
  master.add(counts);
  return true;
}

int main(int count, char** words) {
  return boost::unit_test::unit_test_main(init_unit_test, count, words);
}
