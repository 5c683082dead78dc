// boustro test: runs the test blocks of programs.
#include <filesystem>

#include "emit/driver/commands.hpp"
#include "emit/driver/programs_in.hpp"
#include "emit/driver/test_pool.hpp"
#include "emit/driver/test_report.hpp"

namespace boustro::driver {

namespace fs = std::filesystem;

int test(const TestOptions& given) {
  TestOptions options = given;
  std::vector<fs::path> programs;
  for (const std::string& path : options.paths) {
    if (fs::is_directory(path)) options.folders.push_back(path);  // they import from each other
    const std::vector<fs::path> found = programs_in(path);
    programs.insert(programs.end(), found.begin(), found.end());
  }
  TestPrinter printer(programs.size());
  std::vector<ProgramReport> reports;
  test_programs(programs, options, [&](const ProgramReport& report) {
    printer.print(report);
    if (!options.junit.empty()) reports.push_back(report);
  });
  if (!options.junit.empty()) write_junit(options.junit, reports);
  return printer.print_score() ? 0 : 1;
}

}  // namespace boustro::driver
