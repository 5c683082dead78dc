// What is said of all cases: a table, and a file in JSON.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cases.hpp"
#include "statistics.hpp"

namespace bundle {

/// Of one case.
struct Outcome {
  Case what;
  std::string failure;             // empty: its results are as expected
  double relative_error = -1;      // negative: not known
  std::vector<double> seconds;     // of each call that was timed
  unsigned long long scratch = 0;  // bytes
};

inline std::string number_text(const char* format, double number) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, number);
  return buffer;
}

inline std::string time_text(double seconds) {
  if (seconds < 1e-3) return number_text("%.2f us", seconds * 1e6);
  if (seconds < 1) return number_text("%.2f ms", seconds * 1e3);
  return number_text("%.2f s", seconds);
}

/// A name that fits into a line; no character of UTF-8 is cut.
inline std::string shortened(const std::string& name) {
  std::size_t most = 40;
  if (name.size() <= most) return name;
  while (most > 0 && (static_cast<unsigned char>(name[most]) & 0xC0) == 0x80) --most;
  return name.substr(0, most) + "..";
}

/// The outcome of the function itself on the data set of a derivative; null if there is none that was timed.
inline const Outcome* primal_of(const Outcome& derivative, const std::vector<Outcome>& all) {
  for (const Outcome& other : all) {
    if (other.what.program == derivative.what.program && other.what.data_set == derivative.what.data_set &&
        other.what.role == "primal" && other.what.entry == derivative.what.primal && !other.seconds.empty())
      return &other;
  }
  return nullptr;
}

/// How many times as long a derivative takes as the function; negative if that is not known.
inline double ratio_of(const Outcome& outcome, const std::vector<Outcome>& all) {
  if (outcome.what.role == "primal" || outcome.seconds.empty()) return -1;
  const Outcome* const primal = primal_of(outcome, all);
  if (primal == nullptr) return -1;
  const double mean = harness::statistics_of(primal->seconds).mean;
  return mean > 0 ? harness::statistics_of(outcome.seconds).mean / mean : -1;
}

inline std::vector<std::string> table_row(const Outcome& outcome, const std::vector<Outcome>& all, bool timed) {
  const Case& what = outcome.what;
  std::vector<std::string> row = {what.program + ":" + what.entry, shortened(what.data_set), outcome.failure.empty() ? "passed" : "FAILED",
                                  outcome.relative_error < 0 ? "-" : number_text("%.1e", outcome.relative_error)};
  if (!timed) return row;
  const bool known = !outcome.seconds.empty();
  const harness::Statistics statistics = known ? harness::statistics_of(outcome.seconds) : harness::Statistics();
  const double ratio = ratio_of(outcome, all);
  row.push_back(known ? time_text(statistics.mean) : "-");
  row.push_back(statistics.count > 1 ? number_text("+-%.1f%%", statistics.relative_margin() * 100) : "-");
  row.push_back(std::to_string(statistics.count));
  row.push_back(ratio < 0 ? "" : number_text("%.2f", ratio));
  return row;
}

inline void print_table(const std::vector<Outcome>& all, bool timed) {
  std::vector<std::vector<std::string>> rows = {{"function", "data set", "result", "max error"}};
  if (timed) rows[0].insert(rows[0].end(), {"mean", "95% CI", "runs", "ratio"});
  for (const Outcome& outcome : all) rows.push_back(table_row(outcome, all, timed));
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - row[i].size(), ' ');
      line += i < 3 ? row[i] + blanks + "  " : blanks + row[i] + "  ";
    }
    std::printf("%s\n", line.substr(0, line.find_last_not_of(' ') + 1).c_str());
  }
  for (const Outcome& outcome : all) {
    if (!outcome.failure.empty())
      std::printf("FAILED  %s:%s %s\n        %s\n", outcome.what.program.c_str(), outcome.what.entry.c_str(),
                  outcome.what.data_set.c_str(), outcome.failure.c_str());
  }
}

/// A string of JSON.
inline std::string quoted(const std::string& text) {
  const char* const digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      (result += "\\u00") += {digits[c >> 4], digits[c & 15]};
    else
      result += c;
  }
  return result + "\"";
}

inline void write_outcome(std::FILE* file, const Outcome& outcome, const std::vector<Outcome>& all) {
  const Case& what = outcome.what;
  std::fprintf(file, "    {\"program\": %s, \"entry\": %s, \"role\": %s, \"data_set\": %s, \"passed\": %s",
               quoted(what.program).c_str(), quoted(what.entry).c_str(), quoted(what.role).c_str(),
               quoted(what.data_set).c_str(), outcome.failure.empty() ? "true" : "false");
  if (!outcome.failure.empty()) std::fprintf(file, ", \"failure\": %s", quoted(outcome.failure).c_str());
  if (outcome.relative_error >= 0) std::fprintf(file, ", \"max_relative_error\": %.6g", outcome.relative_error);
  if (!outcome.seconds.empty()) {
    const harness::Statistics statistics = harness::statistics_of(outcome.seconds);
    std::fprintf(file,
                 ",\n     \"runs\": %zu, \"mean_seconds\": %.9g, \"standard_deviation\": %.9g, \"confidence_95\": [%.9g, %.9g], "
                 "\"scratch_bytes\": %llu",
                 statistics.count, statistics.mean, statistics.deviation, statistics.low, statistics.high, outcome.scratch);
    const double ratio = ratio_of(outcome, all);
    if (ratio >= 0) std::fprintf(file, ", \"primal\": %s, \"ratio\": %.6g", quoted(what.primal).c_str(), ratio);
    std::fprintf(file, ",\n     \"seconds\": [");
    for (std::size_t i = 0; i < outcome.seconds.size(); ++i)
      std::fprintf(file, "%s%.9f", i > 0 ? ", " : "", outcome.seconds[i]);
    std::fprintf(file, "]");
  }
  std::fprintf(file, "}");
}

/// The file is complete or not there.
inline void write_json(const std::string& path, const std::string& mode, const std::string& device,
                       const std::vector<Outcome>& all) {
  const std::string temporary = path + ".tmp";
  std::FILE* const file = std::fopen(temporary.c_str(), "w");
  if (file == nullptr) harness::give_up(("cannot write " + path).c_str());
  std::fprintf(file, "{\n  \"mode\": %s,\n  \"device\": %s,\n  \"results\": [\n", quoted(mode).c_str(), quoted(device).c_str());
  for (std::size_t i = 0; i < all.size(); ++i) {
    write_outcome(file, all[i], all);
    std::fprintf(file, "%s\n", i + 1 < all.size() ? "," : "");
  }
  std::fprintf(file, "  ]\n}\n");
  if (std::fclose(file) != 0 || std::rename(temporary.c_str(), path.c_str()) != 0)
    harness::give_up(("cannot write " + path).c_str());
}

}  // namespace bundle
