#include "emit/bench/report.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "emit/profile/table.hpp"
#include "templates/harness/statistics.hpp"

namespace boustro::bench {
namespace {

using harness::Statistics;
using harness::statistics_of;

/// A column of each variant.
struct Column {
  std::string title;
  std::function<std::string(const Measurement& shown, const Statistics& statistics)> text;
};

std::string bytes_text(std::uint64_t bytes) {
  const double amount = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} KB", amount / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", amount / 1e6);
  return fmt::format("{:.2f} GB", amount / 1e9);
}

/// One run says nothing about how much they differ.
std::string part_text(const char* sign, double part, std::size_t count) {
  return count < 2 ? "-" : fmt::format("{}{:.1f}%", sign, part * 100);
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"mean", [](const Measurement&, const Statistics& s) { return profile::time_text(s.mean); }},
      {"95% CI", [](const Measurement&, const Statistics& s) { return part_text("±", s.relative_margin(), s.count); }},
      {"std dev", [](const Measurement&, const Statistics& s) { return part_text("", s.relative_deviation(), s.count); }},
      {"runs", [](const Measurement&, const Statistics& s) { return std::to_string(s.count); }},
      {"scratch", [](const Measurement& shown, const Statistics&) { return bytes_text(shown.scratch_bytes); }},
  };
  return all;
}

/// Empty if one of them is not known.
std::string ratio_text(const Measurement& derivative, const Measurement& primal) {
  if (!derivative.failure.empty() || !primal.failure.empty()) return "-";
  const double mean = statistics_of(primal.seconds).mean;
  return mean > 0 ? fmt::format("{:.2f}", statistics_of(derivative.seconds).mean / mean) : "-";
}

/// The variants' labels above their first columns; nothing if there is one variant only.
profile::Line group_line(const Table& table) {
  profile::Line line = {""};
  for (std::size_t v = 0; v < table.variants.size(); ++v) {
    line.push_back(table.variants[v].label);
    line.resize(line.size() + columns().size() - 1 + (v > 0 ? 1 : 0));
  }
  return line;
}

profile::Line title_line(const Table& table) {
  profile::Line line = {full_name(table.program, table.variants.at(0).entry)};
  for (std::size_t v = 0; v < table.variants.size(); ++v) {
    for (const Column& column : columns()) line.push_back(column.title);
    if (v > 0) line.push_back("ratio");
  }
  return line;
}

/// A name that fits into a line; no character of UTF-8 is cut.
std::string shortened(const std::string& name) {
  std::size_t most = 40;
  if (name.size() <= most) return name;
  while (most > 0 && (static_cast<unsigned char>(name[most]) & 0xC0) == 0x80) --most;
  return name.substr(0, most) + "..";
}

profile::Line row_line(const Row& row) {
  profile::Line line = {"  " + shortened(row.data_set)};
  for (std::size_t v = 0; v < row.measurements.size(); ++v) {
    const Measurement& shown = row.measurements[v];
    if (shown.failure.empty()) {
      const Statistics statistics = statistics_of(shown.seconds);
      for (const Column& column : columns()) line.push_back(column.text(shown, statistics));
    } else {
      line.push_back("failed");
      line.resize(line.size() + columns().size() - 1);
    }
    if (v > 0) line.push_back(ratio_text(shown, row.measurements[0]));
  }
  return line;
}

/// All lines set off.
std::string set_off(const std::string& text) {
  std::string result = "        ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i + 1 == text.size()) break;
    result += text[i];
    if (text[i] == '\n') result += "        ";
  }
  return result + "\n";
}

std::string failures_text(const Table& table) {
  std::string text;
  for (const Row& row : table.rows) {
    for (std::size_t v = 0; v < row.measurements.size(); ++v) {
      const std::string& why = row.measurements[v].failure;
      if (why.empty()) continue;
      text += fmt::format("FAILED  {} {}\n{}", full_name(table.program, table.variants.at(v).entry), row.data_set, set_off(why));
    }
  }
  return text;
}

/// The kernels of a function, the longest first.
std::vector<profile::Line> kernel_lines(const std::map<std::string, double>& kernels) {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [name, seconds] : kernels) sorted.emplace_back(-seconds, name);
  std::sort(sorted.begin(), sorted.end());
  std::vector<profile::Line> lines;
  for (const auto& [seconds, name] : sorted) lines.push_back({"  " + name, profile::time_text(-seconds)});
  return lines;
}

std::string kernels_text(const Table& table) {
  std::string text;
  for (const Row& row : table.rows) {
    for (std::size_t v = 0; v < row.measurements.size(); ++v) {
      const auto& kernels = row.measurements[v].kernels;
      if (kernels.empty()) continue;
      text += fmt::format("kernels of {} {}\n{}", full_name(table.program, table.variants.at(v).entry), row.data_set, profile::aligned(kernel_lines(kernels)));
    }
  }
  return text;
}

}  // namespace

std::string full_name(const std::string& program, const std::string& entry) {
  return entry == "main" ? program : program + ":" + entry;
}

std::string table_text(const Table& table) {
  std::vector<profile::Line> lines;
  if (table.variants.size() > 1) lines.push_back(group_line(table));
  lines.push_back(title_line(table));
  for (const Row& row : table.rows) lines.push_back(row_line(row));
  return profile::aligned(lines) + kernels_text(table) + failures_text(table);
}

bool has_failures(const Table& table) {
  for (const Row& row : table.rows) {
    for (const Measurement& measurement : row.measurements) {
      if (!measurement.failure.empty()) return true;
    }
  }
  return false;
}

}  // namespace boustro::bench
