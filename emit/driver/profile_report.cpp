#include "emit/driver/profile_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace boustro::driver {
namespace {

using run::CountedWork;
using run::Counts;

/// The sum of these is shown. The group stands above the first of its columns that is.
struct Column {
  std::string group, title;
  std::vector<std::uint64_t Counts::*> numbers;

  std::uint64_t of(const Counts& counts) const {
    std::uint64_t sum = 0;
    for (const auto number : numbers) sum += counts.*number;
    return sum;
  }
};

const Column columns[] = {
    {"", "launches", {&Counts::launches}},
    {"", "waits", {&Counts::waits}},
    {"", "threads", {&Counts::threads}},
    {"", "barriers", {&Counts::barriers}},
    {"global", "loads", {&Counts::global_loads}},
    {"global", "bytes", {&Counts::global_load_bytes}},
    {"global", "sectors", {&Counts::global_load_sectors}},
    {"global", "stores", {&Counts::global_stores}},
    {"global", "bytes", {&Counts::global_store_bytes}},
    {"global", "sectors", {&Counts::global_store_sectors}},
    {"global", "atomics", {&Counts::global_atomics}},
    {"global", "on one", {&Counts::most_global_atomics}},
    {"shared", "loads", {&Counts::shared_loads}},
    {"shared", "stores", {&Counts::shared_stores}},
    {"shared", "conflicts", {&Counts::shared_load_conflicts, &Counts::shared_store_conflicts}},
    {"shared", "atomics", {&Counts::shared_atomics}},
    {"shared", "on one", {&Counts::most_shared_atomics}},
    {"local", "loads", {&Counts::local_loads}},
    {"local", "stores", {&Counts::local_stores}},
};

std::vector<Column> columns_with_numbers(const Counts& total) {
  std::vector<Column> result;
  for (const Column& column : columns)
    if (column.of(total) != 0) result.push_back(column);
  return result;
}

using Line = std::vector<std::string>;  // a text for each column

std::vector<Line> headings(const std::vector<Column>& shown) {
  Line groups = {""}, titles = {""};
  std::string group;
  for (const Column& column : shown) {
    groups.push_back(column.group == group ? "" : column.group);
    titles.push_back(column.title);
    group = column.group;
  }
  return {groups, titles};
}

Line line_of(const std::string& name, const Counts& counts, const std::vector<Column>& shown) {
  Line line = {name};
  for (const Column& column : shown) line.push_back(std::to_string(column.of(counts)));
  return line;
}

/// Names to the left, numbers to the right.
std::string aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.at(0).size());
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row = fmt::format("{:<{}}", line[0], widths[0]);
    for (std::size_t i = 1; i < line.size(); ++i)
      row += fmt::format("  {:>{}}", line[i], widths[i]);
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

nlohmann::ordered_json numbers_of(const Counts& counts) {
  nlohmann::ordered_json numbers;
  for (const auto& counter : cuda_emulation::counters)
    numbers[counter.name] = counts.*counter.number;
  return numbers;
}

}  // namespace

std::string profile_table(const Profile& profile) {
  const Counts total = run::total_of(profile.work);
  const std::vector<Column> shown = columns_with_numbers(total);
  std::vector<Line> lines = headings(shown);
  for (const CountedWork& work : profile.work)
    lines.push_back(line_of(work.name, work.counts, shown));
  lines.push_back(line_of("total", total, shown));
  return aligned(lines);
}

std::string profile_json(const Profile& profile) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const CountedWork& work : profile.work) {
    nlohmann::ordered_json row = {{"work", work.work}, {"name", work.name}};
    row.update(numbers_of(work.counts));
    rows.push_back(row);
  }
  nlohmann::ordered_json failure;
  if (!profile.failure.empty()) failure = profile.failure;
  const nlohmann::ordered_json result = {
      {"failure", failure}, {"rows", rows}, {"total", numbers_of(run::total_of(profile.work))}};
  return result.dump(2) + "\n";
}

}  // namespace boustro::driver
