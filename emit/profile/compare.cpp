#include "emit/profile/compare.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "emit/profile/report.hpp"
#include "emit/profile/table.hpp"

namespace boustro::profile {
namespace {

using Json = nlohmann::ordered_json;

/// What is compared: the sum of these numbers of a row.
struct Quantity {
  std::string title;
  std::vector<std::string> numbers;
  bool is_time = false;

  double of(const Json& row) const {
    double sum = 0;
    for (const std::string& number : numbers)
      if (!is_optional(number) || row.contains(number)) sum += row.at(number).get<double>();
    return sum;
  }
  /// Not measured, or not counted when an older report was made.
  static bool is_optional(const std::string& number) { return number == "measured_seconds" || number == "f64_tensor_operations"; }
  std::string text(double value) const { return is_time ? time_text(value) : fmt::format("{:.0f}", value); }
};

const Quantity quantities[] = {
    {"time", {"seconds"}, true},
    {"measured", {"measured_seconds"}, true},
    {"launches", {"launches"}},
    {"operations", {"f16_operations", "f32_operations", "f64_operations", "f64_tensor_operations"}},
    {"special", {"f16_special", "f32_special", "f64_special"}},
    {"memory bytes", {"needed_bytes", "left_bytes"}},
    {"sectors", {"global_load_sectors", "global_store_sectors"}},
    {"conflicts", {"shared_load_conflicts", "shared_store_conflicts"}},
    {"atomics", {"global_atomics", "shared_atomics"}},
    {"barriers", {"barriers"}},
    {"waits", {"waits"}},
};

/// A row of both; one of them may lack it.
struct Pair {
  std::string name;
  const Json* before = nullptr;
  const Json* now = nullptr;

  std::optional<double> old_value(const Quantity& quantity) const { return value(quantity, before); }
  std::optional<double> new_value(const Quantity& quantity) const { return value(quantity, now); }

 private:
  static std::optional<double> value(const Quantity& quantity, const Json* row) {
    return row == nullptr ? std::nullopt : std::optional(quantity.of(*row));
  }
};

Json parse_report(const std::string& text, const std::string& name, const std::string& device) {
  Json report = Json::parse(text, nullptr, false);
  if (!report.is_object() || !report.contains("format"))
    throw std::invalid_argument(name + ": no report of `boustro profile --json`");
  if (report["format"] != report_format)
    throw std::invalid_argument(
        fmt::format("{}: a report of format {}, but this version reads format {}; make it anew", name,
                    report["format"].dump(), report_format));
  if (report.value("device", Json()) != device)
    throw std::invalid_argument(fmt::format("{}: times of {}, not of {}; choose it by --device", name,
                                            report.value("device", Json()).dump(), device));
  return report;
}

std::vector<Pair> match_rows(const Json& before, const Json& now) {
  std::vector<Pair> pairs;
  for (const Json& row : before.at("rows")) pairs.push_back({row.at("name"), &row, nullptr});
  for (const Json& row : now.at("rows")) {
    const auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      return pair.before != nullptr && pair.name == row.at("name") &&
             pair.before->at("work") == row.at("work");
    });
    if (same == pairs.end()) {
      pairs.push_back({row.at("name"), nullptr, &row});
    } else {
      same->now = &row;
    }
  }
  pairs.push_back({"total", &before.at("total"), &now.at("total")});
  return pairs;
}

bool differs(const Quantity& quantity, const std::vector<Pair>& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
    return pair.old_value(quantity).value_or(0) != pair.new_value(quantity).value_or(0);
  });
}

void add_columns(std::vector<Line>& lines, const Quantity& quantity, const std::vector<Pair>& pairs) {
  for (const char* const text : {quantity.title.c_str(), "", ""}) lines[0].push_back(text);
  for (const char* const text : {"old", "new", "ratio"}) lines[1].push_back(text);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto before = pairs[i].old_value(quantity), now = pairs[i].new_value(quantity);
    Line& line = lines[i + 2];
    line.push_back(before ? quantity.text(*before) : "-");
    line.push_back(now ? quantity.text(*now) : "-");
    line.push_back(before && now && *before != 0 ? fmt::format("{:.2f}", *now / *before) : "-");
  }
}

std::string compare_reports(const Json& before, const Json& now) {
  const std::vector<Pair> pairs = match_rows(before, now);
  std::vector<Line> lines = {{""}, {""}};  // quantities, old and new
  for (const Pair& pair : pairs) lines.push_back({pair.name});
  for (const Quantity& quantity : quantities)
    if (quantity.numbers[0] == "seconds" || differs(quantity, pairs)) add_columns(lines, quantity, pairs);
  return aligned(lines);
}

}  // namespace

void check_report(const std::string& text, const std::string& name, const std::string& device) {
  parse_report(text, name, device);
}

std::string compare_table(const std::string& before, const std::string& name, const Profile& now) {
  const Json report = parse_report(before, name, now.device);
  try {
    return compare_reports(report, Json::parse(profile_json(now)));
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(name + ": a report of `boustro profile --json` that lacks something");
  }
}

}  // namespace boustro::profile
