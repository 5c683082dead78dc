// How often a harness calls the entry: once, or as often as it takes to know how long a call takes.
//
// With HARNESS_TIMES=FILE in the environment calls are timed, from before the call until all of its work is done. The
// first one warms up and does not count. Then there are at least HARNESS_RUNS calls that take at least HARNESS_SECONDS
// together, or many_calls. If the mean is not certain to 1% then (its standard error), these are forgotten, as they may
// still have warmed up, and others made until it is, for HARNESS_CONVERGENCE seconds at most.
//
// The file gets lines as things happen: `scratch BYTES`, a line for each call, its seconds, and `again` where all
// times before are forgotten.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "give_up.hpp"
#include "statistics.hpp"

namespace harness {

/// The standard error of the mean, relative to it, at which a measurement may end.
constexpr double certain_enough = 0.01;
/// So many calls are enough, however short they are.
constexpr std::size_t many_calls = 10000;

/// A number from the environment, or another one.
inline double number_from(const char* variable, double otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atof(text);
}

/// Decides whether times that were taken so far are enough, or forgets them.
class Sample {
 public:
  Sample(double runs, double seconds, double convergence)
      : runs_(static_cast<std::size_t>(runs)), seconds_(seconds), convergence_(convergence) {
    wanted_ = runs_;
  }

  enum class Verdict { more, forget, enough };

  void add(double seconds) {
    times_.push_back(seconds);
    total_ += seconds;
  }

  Verdict judge() {
    if (times_.size() < wanted_) return Verdict::more;
    if (!converging_ && total_ < seconds_ && times_.size() < many_calls) return Verdict::more;
    const bool certain = statistics_of(times_).relative_error() <= certain_enough;
    if (certain || convergence_ <= 0 || times_.size() >= 2 * many_calls) return Verdict::enough;
    if (converging_ && total_ >= convergence_) return Verdict::enough;
    wanted_ = converging_ ? times_.size() + (times_.size() + 1) / 2 : std::max(runs_, times_.size() / 2);
    if (converging_) return Verdict::more;
    converging_ = true;
    times_.clear();
    total_ = 0;
    return Verdict::forget;
  }

  const std::vector<double>& times() const { return times_; }

 private:
  std::size_t runs_, wanted_;
  double seconds_, convergence_, total_ = 0;
  bool converging_ = false;
  std::vector<double> times_;
};

/// The calls of one entry on one set of arguments:
///
///     while (calls.next()) {
///       calls.begin();
///       entry(..);
///       calls.end(&finish_entry);
///     }
class Calls {
 public:
  Calls()
      : sample_(number_from("HARNESS_RUNS", 10), number_from("HARNESS_SECONDS", 0.5),
                number_from("HARNESS_CONVERGENCE", 0)) {
    const char* const path = std::getenv("HARNESS_TIMES");
    if (path == nullptr) return;
    file_ = std::fopen(path, "w");
    if (file_ == nullptr) give_up("cannot write the file of times");
  }
  ~Calls() {
    if (file_ != nullptr && std::fclose(file_) != 0) give_up("cannot write the file of times");
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  bool timed() const { return file_ != nullptr; }

  /// Whether there was a call before the one that comes.
  bool again() const { return calls_ > 1; }

  void tell_scratch(std::size_t bytes) {
    if (timed()) std::fprintf(file_, "scratch %zu\n", bytes);
  }

  bool next() {
    ++calls_;
    if (calls_ == 1) return true;
    if (!timed()) return false;
    if (calls_ == 2) return true;  // the first one has warmed up
    const Sample::Verdict verdict = sample_.judge();
    if (verdict == Sample::Verdict::forget) std::fprintf(file_, "again\n");
    return verdict != Sample::Verdict::enough;
  }

  void begin() { begin_ = Clock::now(); }

  /// `finish` waits until the call's work is done.
  void end(void (*finish)()) {
    if (!timed()) return;
    finish();
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    if (calls_ == 1) return;
    sample_.add(seconds);
    std::fprintf(file_, "%.9f\n", seconds);
    if (now - flushed_ < std::chrono::milliseconds(100)) return;
    std::fflush(file_);  // somebody may watch
    flushed_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Sample sample_;
  std::FILE* file_ = nullptr;
  int calls_ = 0;
  Clock::time_point begin_ = {}, flushed_ = {};
};

}  // namespace harness
