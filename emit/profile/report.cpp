#include "emit/profile/report.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "emit/profile/table.hpp"

namespace boustro::profile {
namespace {

using run::Counts;

/// A row that is shown; that of all has no needs, and no bound.
struct Shown {
  std::string name;
  Counts counts;
  double seconds = 0;
  std::string bound = {};
  double occupancy = 0;
  const KernelNeeds* needs = nullptr;
  std::optional<double> measured = {};
};

/// The group stands above the first of its columns that is shown. Those are in which some text is not empty or
/// `0`.
struct Column {
  std::string group, title;
  std::function<std::string(const Shown&)> text;
};

/// The sum of the numbers.
Column counted(const char* group, const char* title, const std::vector<std::uint64_t Counts::*>& numbers) {
  return {group, title, [=](const Shown& shown) {
            std::uint64_t sum = 0;
            for (const auto number : numbers) sum += shown.counts.*number;
            return std::to_string(sum);
          }};
}

Column needed(const char* group, const char* title, int KernelNeeds::*number) {
  return {group, title, [=](const Shown& shown) {
            return shown.needs == nullptr ? "" : std::to_string(shown.needs->*number);
          }};
}

std::string lanes_text(const Shown& shown) {
  const double lanes = cuda_emulation::active_lanes(shown.counts);
  return lanes == 0 ? "" : fmt::format("{:.1f}", lanes);
}

/// How much of what the model says would do was reached.
std::string of_model(const Shown& shown) {
  return shown.measured && *shown.measured > 0 ? percent_text(shown.seconds / *shown.measured) : "";
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      counted("", "launches", {&Counts::launches}),
      counted("", "waits", {&Counts::waits}),
      counted("", "threads", {&Counts::threads}),
      {"", "lanes", lanes_text},
      counted("", "barriers", {&Counts::barriers}),
      counted("floats", "f16", {&Counts::f16_operations}),
      counted("floats", "f32", {&Counts::f32_operations}),
      counted("floats", "f64", {&Counts::f64_operations}),
      counted("floats", "tensor", {&Counts::f64_tensor_operations}),
      counted("floats", "special", {&Counts::f16_special, &Counts::f32_special, &Counts::f64_special}),
      counted("global", "loads", {&Counts::global_loads}),
      counted("global", "bytes", {&Counts::global_load_bytes}),
      counted("global", "sectors", {&Counts::global_load_sectors}),
      counted("global", "stores", {&Counts::global_stores}),
      counted("global", "bytes", {&Counts::global_store_bytes}),
      counted("global", "sectors", {&Counts::global_store_sectors}),
      counted("global", "atomics", {&Counts::global_atomics}),
      counted("global", "on one", {&Counts::most_global_atomics}),
      counted("memory", "needed", {&Counts::needed_bytes}),
      counted("memory", "left", {&Counts::left_bytes}),
      counted("shared", "loads", {&Counts::shared_loads}),
      counted("shared", "stores", {&Counts::shared_stores}),
      counted("shared", "conflicts", {&Counts::shared_load_conflicts, &Counts::shared_store_conflicts}),
      counted("shared", "atomics", {&Counts::shared_atomics}),
      counted("shared", "on one", {&Counts::most_shared_atomics}),
      counted("local", "loads", {&Counts::local_loads}),
      counted("local", "stores", {&Counts::local_stores}),
      needed("thread", "registers", &KernelNeeds::registers),
      needed("thread", "spills", &KernelNeeds::spill_bytes),
      needed("block", "static", &KernelNeeds::static_shared_bytes),
      {"", "occupancy",
       [](const Shown& shown) { return shown.needs == nullptr ? "" : percent_text(shown.occupancy); }},
      {"model", "time",
       [](const Shown& shown) { return shown.seconds == 0 ? "" : time_text(shown.seconds); }},
      {"model", "bound by", [](const Shown& shown) { return shown.bound; }},
      {"measured", "time",
       [](const Shown& shown) { return shown.measured ? time_text(*shown.measured) : ""; }},
      {"measured", "of model", of_model},
  };
  return all;
}

std::vector<Shown> shown_rows(const Profile& profile) {
  std::vector<Shown> all;
  for (const Row& row : profile.rows)
    all.push_back({row.work.name, row.work.counts, row.time.seconds, row.time.bound, row.time.occupancy,
                   row.needs ? &*row.needs : nullptr, row.measured});
  all.push_back({.name = "total",
                 .counts = total_counts(profile),
                 .seconds = total_seconds(profile),
                 .measured = total_measured(profile)});
  return all;
}

std::vector<Column> columns_in_use(const std::vector<Shown>& rows) {
  std::vector<Column> result;
  for (const Column& column : columns()) {
    const bool used = std::any_of(rows.begin(), rows.end(), [&](const Shown& row) {
      const std::string text = column.text(row);
      return !text.empty() && text != "0";
    });
    if (used) result.push_back(column);
  }
  return result;
}

std::string table_of_rows(const Profile& profile) {
  const std::vector<Shown> rows = shown_rows(profile);
  std::vector<Line> lines = {{""}, {""}};  // groups and titles
  for (const Shown& row : rows) lines.push_back({row.name});
  std::string group;
  for (const Column& column : columns_in_use(rows)) {
    lines[0].push_back(column.group == group ? "" : column.group);
    lines[1].push_back(column.title);
    group = column.group;
    for (std::size_t i = 0; i < rows.size(); ++i) lines[i + 2].push_back(column.text(rows[i]));
  }
  return aligned(lines);
}

/// One line: `extrapolated to n = 100 from n = 1, 2, 3, 4`.
std::string extrapolation_text(const std::vector<Axis>& axes) {
  if (axes.empty()) return "";
  std::string to, from;
  for (const Axis& axis : axes) {
    const char* const comma = to.empty() ? "" : "; ";
    to += fmt::format("{}{} = {}", comma, axis.name, axis.to);
    from += fmt::format("{}{} = {}", comma, axis.name, fmt::join(axis.from, ", "));
  }
  return fmt::format("extrapolated to {} from {}\n", to, from);
}

// --- JSON --------------------------------------------------------------------------------

nlohmann::ordered_json numbers_of(const Counts& counts) {
  nlohmann::ordered_json numbers;
  for (const auto& counter : cuda_emulation::counters) numbers[counter.name] = counts.*counter.number;
  numbers["active_lanes"] = cuda_emulation::active_lanes(counts);
  return numbers;
}

nlohmann::ordered_json row_json(const Row& row) {
  nlohmann::ordered_json json = {{"work", row.work.work}, {"name", row.work.name}};
  json.update(numbers_of(row.work.counts));
  json["seconds"] = row.time.seconds;
  json["bound"] = row.time.bound;
  for (const Term& term : row.time.terms) json["terms"][term.name] = term.seconds;
  if (row.measured) json["measured_seconds"] = *row.measured;
  if (row.work.work == "kernel") json["occupancy"] = row.time.occupancy;
  if (row.needs) {
    json["registers"] = row.needs->registers;
    json["spill_bytes"] = row.needs->spill_bytes;
    json["static_shared_bytes"] = row.needs->static_shared_bytes;
  }
  return json;
}

void add_extrapolation(nlohmann::ordered_json& json, const Profile& profile) {
  for (const Axis& axis : profile.extrapolated)
    json["extrapolated"].push_back({{"size", axis.name}, {"from", axis.from}, {"to", axis.to}});
  json["guesses"] = nlohmann::ordered_json::array();
  for (const Guess& guess : profile.guesses)
    json["guesses"].push_back({{"row", guess.row}, {"counter", guess.counter}, {"of", guess.of}});
}

}  // namespace

std::string profile_table(const Profile& profile) {
  return extrapolation_text(profile.extrapolated) + table_of_rows(profile);
}

std::string profile_json(const Profile& profile) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : profile.rows) rows.push_back(row_json(row));
  nlohmann::ordered_json failure;
  if (!profile.failure.empty()) failure = profile.failure;
  nlohmann::ordered_json total = numbers_of(total_counts(profile));
  total["seconds"] = total_seconds(profile);
  if (const auto measured = total_measured(profile)) total["measured_seconds"] = *measured;
  nlohmann::ordered_json result = {
      {"format", report_format}, {"failure", failure},       {"program", profile.program},
      {"entry", profile.entry},  {"device", profile.device}, {"rows", rows},
      {"total", total}};
  if (!profile.extrapolated.empty()) add_extrapolation(result, profile);
  return result.dump(2) + "\n";
}

}  // namespace boustro::profile
