// What `boustro test` finds out about programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace boustro::driver {

enum class Outcome { passed, failed, skipped };

/// One run: an entry on one dataset, or the program as a whole if it has none.
struct TestResult {
  std::string what = {};     // `main "#0 (1 2)"`; empty: the whole program
  std::string expects = {};  // "values", "error", "success", "rejection"
  Outcome outcome = Outcome::passed;
  std::string why = {};  // unless it passed
  double seconds = 0;
};

struct ProgramReport {
  std::filesystem::path path;
  std::vector<TestResult> results;
};

}  // namespace boustro::driver
