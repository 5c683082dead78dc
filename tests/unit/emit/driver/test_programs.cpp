#include "emit/driver/test_pool.hpp"

#include <filesystem>
#include <fstream>

#include <boost/test/unit_test.hpp>

#include "emit/driver/test_report.hpp"
#include "frontend/values/read.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;

/// A folder that goes away in the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("boustro_test_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
};

/// One letter for each run: p, F or s.
std::string outcomes(const std::vector<ProgramReport>& reports) {
  std::string result;
  for (const ProgramReport& report : reports) {
    for (const TestResult& run : report.results)
      result += run.outcome == Outcome::passed ? 'p' : run.outcome == Outcome::failed ? 'F' : 's';
    result += ' ';
  }
  return result;
}

std::vector<ProgramReport> test_all(const std::vector<fs::path>& paths, TestOptions options) {
  std::vector<ProgramReport> reports;
  test_programs(paths, options, [&](const ProgramReport& report) { reports.push_back(report); });
  return reports;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_test_has_its_outcome) {
  const Folder folder;
  const std::vector<fs::path> paths = {
      folder.write(
          "right.fut",
          "-- ==\n-- entry: f g\n-- input { 1 } output { 2 }\n-- input { 2 } output { 3 }\n"
          "entry f (x: i32) : i32 = x + 1\nentry g (x: i32) : i32 = x + 1\n"),
      folder.write("wrong.fut",
                   "-- ==\n-- input { 1 } output { 3 }\n-- input { 1 } output { 1 }\n"
                   "def main (x: i32) : i32 = x\n"),
      folder.write("fails.fut",
                   "-- ==\n-- input { 0 } error: zero\n-- input { 1 } error: zero\n"
                   "def main (x: i32) : i32 = 1 / x\n"),
      folder.write(
          "sizes.fut",
          "-- ==\n-- input { 2i64 [1, 2] } output { 2i64 }\n-- input { 3i64 [1, 2] } error: size\n"
          "entry main (n: i64) (xs: [n]i32) : i64 = n + 0 * length xs\n"),
      folder.write("negative.fut", "-- ==\n-- error: type\ndef main (x: i32) : f32 = x\n"),
      folder.write("accepted.fut", "-- ==\n-- error: type\ndef main (x: i32) : i32 = x\n"),
      folder.write("no_block.fut", "def f (x: i32) : i32 = x\n"),
      folder.write("tagged.fut", "-- ==\n-- tags { disable }\n-- input { 1 } output { 3 }\n"),
      folder.write("script.fut",
                   "-- ==\n-- script input { 1 + one } output { 2 }\n"
                   "-- script input { $loadimg \"a.png\" }\n-- script input { other }\n"
                   "def one = 1i32\ndef main (x: i32) : i32 = x\n"),
      folder.write("broken.fut",
                   "-- ==\n-- input { 1 } output { 1 }\n-- input { 2 }\ndef main = \n"),
  };
  for (const int jobs : {1, 3}) {
    TestOptions options;
    options.jobs = jobs;
    BOOST_TEST(outcomes(test_all(paths, options)) == "pppp Fp pF pp p F p s pFF FF ");
  }
}

BOOST_AUTO_TEST_CASE(an_endless_run_costs_one_run) {
  const Folder folder;
  TestOptions options;
  options.timeout = 1;
  const auto reports = test_all(
      {folder.write(
          "endless.fut",
          "-- ==\n-- input { 1 } output { 0 }\n-- input { -1 }\n-- input { 2 } output { 0 }\n"
          "def main (x: i32) : i32 = loop y = x while y != 0 do y - i32.sgn x * i32.sgn x\n")},
      options);
  BOOST_TEST(outcomes(reports) == "pFp ");
  BOOST_TEST(reports.at(0).results.at(1).why == "takes longer than 1 s");
}

/// The first run takes 800 MB; the other ones show that the limit ends that run alone.
BOOST_AUTO_TEST_CASE(a_run_that_takes_too_much_memory_costs_one_run) {
  const std::string runs =
      "-- ==\n-- input { 100000000i64 }\n-- input { 10i64 } output { 45i64 }\n"
      "-- input { 100000000i64 } error: memory\n"
      "def main (n: i64) : i64 =\n"
      "  let xs = scan (+) 0 (iota n) in reduce i64.max 0 (map (\\i -> xs[(i * 7919) % n]) (iota n))\n";
  const Folder folder;
  const fs::path program = folder.write("large.fut", runs);
  for (const auto& [target, mode] :
       {std::pair{"evaluate", "plain"}, {"cpp", "plain"}, {"cpp", "asan"}}) {
    TestOptions options;
    options.target = target;
    options.mode = mode;
    options.memory = 600'000'000;
    const auto reports = test_all({program}, options);
    BOOST_TEST(outcomes(reports) == "FpF ");
    BOOST_TEST(reports.at(0).results.at(0).why == "needs more memory than 0.6 GB");
  }
}

BOOST_AUTO_TEST_CASE(junit_lists_every_run) {
  const Folder folder;
  const fs::path file = folder.path / "results.xml";
  write_junit(file.string(),
              {{"a.fut",
                {{"main \"x\"", "success", Outcome::passed, "", 0.5},
                 {"main \"<\"", "values", Outcome::failed, "is 1, expected 2", 0}}}});
  const std::string text = values::read_file(file.string());
  BOOST_TEST(text.find("<testsuite name=\"a.fut\" tests=\"2\" failures=\"1\" skipped=\"0\">") !=
             text.npos);
  BOOST_TEST(text.find("<property name=\"expects\" value=\"values\"/>") != text.npos);
  BOOST_TEST(text.find("name=\"main &quot;&lt;&quot;\"") != text.npos);
  BOOST_TEST(text.find("<failure message=\"is 1, expected 2\"/>") != text.npos);
}

}  // namespace boustro::driver
