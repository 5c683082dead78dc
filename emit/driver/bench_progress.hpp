// A line on the terminal that says how far a measurement is.
#pragma once

#include <string>
#include <thread>

#include "emit/run/program.hpp"

namespace boustro::driver {

/// While it lives, the last line of stderr says this, if stderr is a terminal.
class StatusLine {
 public:
  explicit StatusLine(const std::string& text);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
};

/// While it lives, the last line of stderr has a bar, the number of runs and their mean, if stderr is a terminal. Looks at the
/// file of times now and then.
class BenchProgress {
 public:
  BenchProgress(const std::string& name, const run::TimeSettings& settings);
  ~BenchProgress();
  BenchProgress(const BenchProgress&) = delete;
  BenchProgress& operator=(const BenchProgress&) = delete;

 private:
  std::jthread watcher_;
};

/// The line for what is in the file of times.
std::string progress_text(const std::string& name, const run::TimeSettings& settings);

}  // namespace boustro::driver
