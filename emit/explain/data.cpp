// What a page shows, as JSON. Origins are numbers of a table, lines of dumps as well.
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "emit/explain/formula.hpp"
#include "emit/explain/page.hpp"
#include "emit/explain/plan_steps.hpp"
#include "emit/explain/rules.hpp"

namespace boustro::explain {
namespace {

using nlohmann::json;

/// Texts by number, each once.
class Numbered {
 public:
  int operator()(const std::string& text) {
    const auto [found, is_new] = numbers_.emplace(text, static_cast<int>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return found->second;
  }
  /// Of each line of the text.
  std::vector<int> lines(const std::string& text) {
    std::vector<int> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result.push_back((*this)(line));
    return result;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, int> numbers_;
  std::vector<std::string> texts_;
};

json origins_of(const std::vector<std::string>& lines, Numbered& origins) {
  json result = json::array();
  for (const std::string& line : lines) result.push_back(origins.lines(line));
  return result;
}

json pane(const std::string& id, const std::string& title, const std::string& language, const std::string& text) {
  return {{"id", id}, {"title", title}, {"language", language}, {"text", text}};
}

json panes_of(const PageInput& input, Numbered& origins) {
  json files = json::array();
  for (const SourceFile& file : input.files) files.push_back({{"name", file.name}, {"text", file.text}});
  json source = pane("source", input.files.at(0).name, "futhark", "");
  source["files"] = files;
  json derivative = pane("derivative", "derivative", "futhark", input.derivative);
  derivative["origins"] = origins_of(input.derivative_origins, origins);
  json emitted = pane("emitted", input.emitted.source_name, "cuda", input.emitted.source);
  emitted["origins"] = origins_of(input.emitted.origins, origins);
  return {source, derivative, emitted};
}

json rule_json(const Rule& rule) {
  return {{"names", rule.names},   {"file", rule.file},     {"mode", rule.mode},     {"title", rule.title},
          {"formula", formula_html(rule.formula.empty() ? rule.brief : rule.formula)}, {"applies", formula_html(rule.applies)}, {"cost", formula_html(rule.cost)},
          {"source", rule.source}, {"before", rule.before}, {"after", rule.after}, {"after_what", rule.after_what}};
}

/// Those that made something, in the order of RULES.md; of the others the names alone.
json rules_of(const Numbered& origins) {
  std::map<std::string, bool> made;
  for (const std::string& origin : origins.texts()) made[origin.substr(0, origin.find('|'))] = true;
  json rules = json::array();
  for (const Rule& rule : all_rules()) {
    bool fired = false;
    for (const std::string& name : rule.names) fired = made.erase(name) > 0 || fired;
    if (fired) rules.push_back(rule_json(rule));
  }
  return rules;
}

json passes_of(const std::vector<Dump>& dumps) {
  Numbered lines;
  json all = json::array();
  for (const Dump& dump : dumps) {
    json entry = {{"name", dump.pass}, {"describe", dump.describe}};
    if (dump.changed) entry["lines"] = lines.lines(dump.text);
    all.push_back(std::move(entry));
  }
  return {{"lines", lines.texts()}, {"dumps", std::move(all)}};
}

}  // namespace

std::string page_data(const PageInput& input) {
  Numbered origins;
  json data = {{"program", input.program}, {"panes", panes_of(input, origins)}};
  data["plan"] = plan_steps(input.emitted.plan, [&](const std::string& origin) { return origins(origin); });
  data["rules"] = rules_of(origins);
  data["origins"] = origins.texts();
  data["passes"] = passes_of(input.dumps);
  data["profile"] = input.profile.empty() ? json() : json::parse(input.profile);
  return data.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string complaint_about_profile(const std::string& text) {
  const json report = json::parse(text, nullptr, false);
  if (report.is_discarded()) return "it is no JSON";
  if (!report.is_object() || !report.contains("format") || !report.contains("rows") || !report["rows"].is_array())
    return "it is no report of `boustro profile --json`";
  if (report["format"] != 1) return "it is a report of another version";
  return "";
}

}  // namespace boustro::explain
