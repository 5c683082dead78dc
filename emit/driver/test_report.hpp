// What `boustro test` prints and writes.
#pragma once

#include <string>
#include <vector>

#include "emit/driver/test_result.hpp"

namespace boustro::driver {

/// Prints what failed or was skipped as programs are done, and progress if stderr is a terminal.
class TestPrinter {
 public:
  explicit TestPrinter(std::size_t programs) : programs_(programs) {}
  void print(const ProgramReport& report);
  /// The last line. False if a run has failed.
  bool print_score();

 private:
  void count(const TestResult& result);
  void show_progress(const ProgramReport& report) const;

  std::size_t programs_, done_ = 0;
  int passed_ = 0, failed_ = 0, skipped_ = 0;
};

/// Writes the results as JUnit's XML, which build servers read. Throws std::runtime_error.
void write_junit(const std::string& path, const std::vector<ProgramReport>& reports);

}  // namespace boustro::driver
