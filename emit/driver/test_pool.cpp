#include "emit/driver/test_pool.hpp"

#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "emit/driver/test_program.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

// ---- The child: events become lines of JSON

json to_json(const TestResult& result) {
  return {{"what", result.what},
          {"expects", result.expects},
          {"outcome", static_cast<int>(result.outcome)},
          {"why", result.why},
          {"seconds", result.seconds}};
}

TestResult result_from(const json& message) {
  return {message["what"], message["expects"], static_cast<Outcome>(message["outcome"].get<int>()),
          message["why"], message["seconds"]};
}

std::vector<TestResult> results_from(const json& messages) {
  std::vector<TestResult> results;
  for (const json& message : messages) results.push_back(result_from(message));
  return results;
}

void send(int pipe, const json& message) {
  const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = write(pipe, line.data() + sent, line.size() - sent);
    if (count < 0) _exit(1);  // the parent has gone
    sent += static_cast<std::size_t>(count);
  }
}

/// Ends this process, by SIGXCPU, when it has computed for that long from now on. On a busy machine
/// a run may take longer by the clock.
void limit_processor_time(int seconds) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto so_far = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1;
  const rlimit limit{static_cast<rlim_t>(so_far + seconds), RLIM_INFINITY}, no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &limit);
}

[[noreturn]] void be_child(int pipe, const fs::path& path, const TestOptions& options,
                           std::size_t first) {
  setpgid(0, 0);                     // compilers that it starts end with it
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // and it ends with its parent
  const TestEvents events{[&](const std::vector<TestResult>& runs) {
                            json found = json::array();
                            for (const TestResult& run : runs) found.push_back(to_json(run));
                            send(pipe, {{"found", found}});
                          },
                          [&] { send(pipe, {{"ready", true}}); },
                          [&](const TestResult& result) {
                            send(pipe, to_json(result));
                            if (options.target == "evaluate") limit_processor_time(options.timeout);
                          }};
  if (options.target == "evaluate") limit_processor_time(options.timeout);
  test_program(path, options, first, events);
  _exit(0);
}

// ---- The parent

/// A program under test.
struct Job {
  ProgramReport report = {};
  std::vector<TestResult> planned = {};  // all of its runs
  bool ready = false;                    // they have begun
  pid_t child = 0;
  int pipe = -1;
  std::string unread = {};
  Clock::time_point deadline = {};

  bool finished() const { return !planned.empty() && report.results.size() >= planned.size(); }
};

class Pool {
 public:
  explicit Pool(const TestOptions& options) : options_(options) {}

  void start(Job& job) const {
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    std::cout.flush();
    job.ready = false;
    job.unread.clear();
    job.child = fork();
    if (job.child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (job.child == 0) {
      close(ends[0]);
      be_child(ends[1], job.report.path, options_, job.report.results.size());
    }
    close(ends[1]);
    job.pipe = ends[0];
    set_deadline(job);
  }

  /// Waits until at least one of the jobs says something or is out of time. Those that are done
  /// have no child any more.
  void wait(std::vector<Job*>& jobs) const {
    std::vector<pollfd> pipes;
    for (const Job* job : jobs) pipes.push_back({job->pipe, POLLIN, 0});
    poll(pipes.data(), pipes.size(), milliseconds_left(jobs));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (pipes[i].revents != 0)
        listen(*jobs[i]);
      else if (Clock::now() >= jobs[i]->deadline) {
        kill(-jobs[i]->child, SIGKILL);
        kill(jobs[i]->child, SIGKILL);
        end(*jobs[i], too_long());
      }
    }
  }

 private:
  /// By the clock. The evaluator limits its own processor time; a compiler for another target takes
  /// its own time.
  std::chrono::seconds limit(const Job& job) const {
    if (options_.target == "evaluate") return std::chrono::seconds(10 * options_.timeout);
    return std::chrono::seconds(options_.timeout + (job.ready ? 0 : 600));
  }
  std::string too_long() const { return fmt::format("takes longer than {} s", options_.timeout); }
  void set_deadline(Job& job) const { job.deadline = Clock::now() + limit(job); }

  static int milliseconds_left(const std::vector<Job*>& jobs) {
    Clock::time_point first = Clock::time_point::max();
    for (const Job* job : jobs) first = std::min(first, job->deadline);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now());
    return static_cast<int>(std::max<std::int64_t>(0, left.count()));
  }

  void listen(Job& job) const {
    char buffer[4096];
    const ssize_t count = read(job.pipe, buffer, sizeof buffer);
    if (count <= 0) return end(job, "");
    job.unread.append(buffer, static_cast<std::size_t>(count));
    for (std::size_t line = 0; (line = job.unread.find('\n')) != std::string::npos;) {
      understand(job, json::parse(job.unread.substr(0, line)));
      job.unread.erase(0, line + 1);
    }
    set_deadline(job);
  }

  static void understand(Job& job, const json& message) {
    if (message.contains("found"))
      job.planned = results_from(message["found"]);
    else if (message.contains("ready"))
      job.ready = true;
    else
      job.report.results.push_back(result_from(message));
  }

  /// The child has ended, or was ended for the given reason. If runs are left, the one that was
  /// under way has failed, and another child goes on behind it.
  void end(Job& job, std::string reason) const {
    close(job.pipe);
    int status = 0;
    waitpid(job.child, &status, 0);
    job.child = 0;
    if (job.finished()) return;
    if (reason.empty() && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) reason = too_long();
    if (reason.empty())
      reason = WIFSIGNALED(status) ? fmt::format("crashes: {}", strsignal(WTERMSIG(status)))
                                   : "internal error: the process that tests it has ended";
    if (job.planned.empty()) job.planned.emplace_back();
    const bool all = !job.ready;
    do {
      job.report.results.push_back(job.planned[job.report.results.size()]);
      job.report.results.back().outcome = Outcome::failed;
      job.report.results.back().why = reason;
    } while (all && !job.finished());
    if (!job.finished()) start(job);
  }

  const TestOptions& options_;
};

}  // namespace

void test_programs(const std::vector<fs::path>& paths, const TestOptions& options,
                   const std::function<void(const ProgramReport&)>& report) {
  const Pool pool(options);
  std::deque<Job> jobs;  // begun and not reported yet, in order
  for (std::size_t next = 0; next < paths.size() || !jobs.empty();) {
    std::vector<Job*> running;
    for (Job& job : jobs) {
      if (job.child != 0) running.push_back(&job);
    }
    if (next < paths.size() && running.size() < static_cast<std::size_t>(options.jobs)) {
      jobs.push_back({{paths[next++], {}}});
      pool.start(jobs.back());
      continue;
    }
    pool.wait(running);
    for (; !jobs.empty() && jobs.front().child == 0; jobs.pop_front()) report(jobs.front().report);
  }
}

}  // namespace boustro::driver
