#include "emit/driver/bench_progress.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "emit/bench/times.hpp"
#include "emit/profile/table.hpp"

namespace boustro::driver {
namespace {

const char* const erase_line = "\r\033[K";

void watch_times(const std::stop_token& stop, const std::string& name, const run::TimeSettings& settings) {
  while (!stop.stop_requested()) {
    std::cerr << erase_line << progress_text(name, settings) << std::flush;
    for (int pause = 0; pause < 5 && !stop.stop_requested(); ++pause)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::cerr << erase_line << std::flush;
}

}  // namespace

std::string progress_text(const std::string& name, const run::TimeSettings& settings) {
  constexpr int steps = 20;
  const bench::Times times = bench::read_times(settings.file);
  const double count = static_cast<double>(times.seconds.size());
  const double total = std::accumulate(times.seconds.begin(), times.seconds.end(), 0.0);
  if (times.seconds.empty() && !times.again) return name;
  const std::string mean = count > 0 ? profile::time_text(total / count) : "-";
  if (times.again) return fmt::format("{}  {} runs, {}, until the mean is certain", name, count, mean);
  const double done = std::min({1.0, count / settings.runs, settings.seconds > 0 ? total / settings.seconds : 1.0});
  const int filled = static_cast<int>(done * steps);
  return fmt::format("{}  [{:#<{}}{:.<{}}] {} runs, {}", name, "", filled, "", steps - filled, count, mean);
}

StatusLine::StatusLine(const std::string& text) {
  if (isatty(STDERR_FILENO)) std::cerr << erase_line << text << std::flush;
}

StatusLine::~StatusLine() {
  if (isatty(STDERR_FILENO)) std::cerr << erase_line << std::flush;
}

BenchProgress::BenchProgress(const std::string& name, const run::TimeSettings& settings) {
  if (!isatty(STDERR_FILENO)) return;
  watcher_ = std::jthread([name, settings](const std::stop_token& stop) { watch_times(stop, name, settings); });
}

BenchProgress::~BenchProgress() = default;

}  // namespace boustro::driver
