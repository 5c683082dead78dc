// The main program of a bundle: calls each entry point on each data set in a process of its own, compares, and reports.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "child.hpp"
#include "compare.hpp"
#include "exchange.hpp"
#include "report.hpp"

namespace bundle {

/// Calls an entry of a program by its name.
using CallEntry = void (*)(const char* entry, harness::Input& input, harness::Output& output);

/// A program's name, and what calls its entries.
using Programs = std::vector<std::pair<std::string, CallEntry>>;

/// Where calls leave their times; see calls.hpp.
constexpr const char* times_file = "build/times";

/// In the child: calls the entry and prints how its results compare.
inline void run_case(const Case& what, CallEntry call) {
  const std::vector<Value> expected = read_values(what.expected);
  const std::vector<Value> last_digits = what.last_digits == "-" ? std::vector<Value>() : read_values(what.last_digits);
  harness::Input input(read_values(what.arguments), expected);
  harness::Output output;
  call(what.entry.c_str(), input, output);
  const Comparison comparison = compare(output.results(), expected, last_digits);
  std::printf("%.9g %s\n", comparison.relative_error, comparison.difference.c_str());
}

/// Those that count; see calls.hpp.
inline void read_times(Outcome& outcome) {
  std::ifstream file(times_file);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("scratch ", 0) == 0)
      outcome.scratch = std::strtoull(line.c_str() + 8, nullptr, 10);
    else if (line == "again")
      outcome.seconds.clear();
    else
      outcome.seconds.push_back(std::strtod(line.c_str(), nullptr));
  }
}

inline Outcome try_case(const Case& what, const Programs& programs, bool timed, unsigned seconds) {
  Outcome outcome;
  outcome.what = what;
  const Ending ending = in_child(
      [&] {
        if (timed) setenv("HARNESS_TIMES", times_file, 1);
        for (const auto& [name, call] : programs) {
          if (name == what.program) return run_case(what, call);
        }
        harness::give_up(("there is no program " + what.program).c_str());
      },
      seconds);
  if (!ending.well) {
    outcome.failure = ending.why.empty() ? "fails without a reason" : ending.why;
    return outcome;
  }
  char* rest = nullptr;
  outcome.relative_error = std::strtod(ending.said.c_str(), &rest);
  if (*rest == ' ') outcome.failure = rest + 1;
  if (timed && outcome.failure.empty()) read_times(outcome);
  return outcome;
}

inline std::string environment(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : text;
}

/// `bundle check` or `bundle bench`. Returns how the program ends: 1 if something has failed.
inline int run(int count, char** words, const Programs& programs) {
  const std::string mode = count == 2 ? words[1] : "";
  if (mode != "check" && mode != "bench") harness::give_up("usage: build/bundle check|bench");
  const bool timed = mode == "bench";
  const unsigned seconds = static_cast<unsigned>(std::stoul(environment("TIMEOUT", "0")));
  std::vector<Outcome> all;
  for (const Case& what : read_cases("cases.tsv")) {
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s:%s %s", what.program.c_str(), what.entry.c_str(), what.data_set.c_str());
    all.push_back(try_case(what, programs, timed, seconds));
  }
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
  print_table(all, timed);
  write_json(environment("RESULTS", "results.json"), mode, environment("DEVICE", "unknown"), all);
  const auto failed = std::count_if(all.begin(), all.end(), [](const Outcome& outcome) { return !outcome.failure.empty(); });
  std::printf("%zu passed, %zu failed\n", all.size() - static_cast<std::size_t>(failed), static_cast<std::size_t>(failed));
  return failed > 0 ? 1 : 0;
}

}  // namespace bundle
