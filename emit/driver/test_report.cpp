#include "emit/driver/test_report.hpp"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

namespace boustro::driver {
namespace {

/// All lines set off from the one above.
std::string indented(const std::string& text) {
  std::string result = "        ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "        ";
  }
  if (!result.ends_with('\n')) result += '\n';
  return result;
}

}  // namespace

void TestPrinter::print(const ProgramReport& report) {
  ++done_;
  for (const TestResult& result : report.results) {
    count(result);
    if (result.outcome == Outcome::passed) continue;
    std::cout << (result.outcome == Outcome::failed ? "FAILED  " : "skipped ")
              << report.path.string() << " " << result.what << "\n"
              << indented(result.why);
  }
  std::cout.flush();
  show_progress(report);
}

void TestPrinter::count(const TestResult& result) {
  switch (result.outcome) {
    case Outcome::passed:
      ++passed_;
      break;
    case Outcome::failed:
      ++failed_;
      break;
    case Outcome::skipped:
      ++skipped_;
      break;
  }
}

void TestPrinter::show_progress(const ProgramReport& report) const {
  if (!isatty(STDERR_FILENO)) return;
  const char* const erase_line = "\r\033[K";
  std::cerr << erase_line;
  if (done_ == programs_) return;
  std::cerr << fmt::format("{}/{} programs, {} failed: {}", done_, programs_, failed_,
                           report.path.filename().string())
            << std::flush;
}

bool TestPrinter::print_score() {
  std::cout << fmt::format("{} passed, {} failed, {} skipped\n", passed_, failed_, skipped_);
  return failed_ == 0;
}

}  // namespace boustro::driver
