#include "emit/explain/rules.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/explain/embedded.hpp"
#include "emit/explain/rule_head.hpp"
#include "emit/explain/rule_rows.hpp"

namespace boustro::explain {
namespace {

std::string_view head_of(const std::string& file) {
  for (const EmbeddedText& head : rule_heads)
    if (head.name == file) return head.text;
  return "";
}

/// `reverse/map.cpp` is reverse_map.
std::string name_of_file(const std::string& file) {
  std::string name = file.substr(0, file.rfind('.'));
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

Rule rule_of(const RuleRow& row) {
  const RuleHead head = read_rule_head(head_of(row.file));
  Rule rule{.names = row.names, .file = row.file, .mode = row.mode, .title = head.title, .brief = row.brief};
  if (rule.names.empty()) rule.names.push_back(name_of_file(row.file));
  if (rule.title.empty()) rule.title = rule.names[0];
  rule.formula = head.formula;
  rule.applies = head.applies;
  rule.cost = head.cost.empty() ? row.cost : head.cost;
  rule.source = head.source.empty() ? row.source : head.source;
  rule.before = head.before;
  rule.after = head.after;
  rule.after_what = head.after_what;
  rule.tests = row.tests;
  return rule;
}

std::string keyed(std::string_view key, std::string_view text) {
  if (text.empty()) return "";
  std::string indented(text);
  for (std::size_t at = 0; (at = indented.find('\n', at)) != std::string::npos; ++at) indented.insert(at + 1, 10, ' ');
  return fmt::format("{:<10}{}\n", key, indented);
}

}  // namespace

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> result;
    for (const RuleRow& row : read_rule_rows(embedded_text("RULES.md"))) result.push_back(rule_of(row));
    return result;
  }();
  return rules;
}

const Rule* find_rule(std::string_view name) {
  for (const Rule& rule : all_rules())
    if (std::find(rule.names.begin(), rule.names.end(), name) != rule.names.end()) return &rule;
  return nullptr;
}

std::vector<const Rule*> rules_called(std::string_view name) {
  if (const Rule* const rule = find_rule(name)) return {rule};
  std::vector<const Rule*> found;
  const std::string begin = std::string(name) + "_";
  for (const Rule& rule : all_rules())
    if (std::any_of(rule.names.begin(), rule.names.end(), [&](const std::string& other) { return other.starts_with(begin); }))
      found.push_back(&rule);
  return found;
}

std::string rule_text(const Rule& rule) {
  std::string text = fmt::format("{}\n{}: {}\n\n", fmt::join(rule.names, ", "), rule.mode, rule.title);
  text += keyed("Rule", rule.formula.empty() ? rule.brief : rule.formula);
  text += keyed("Applies", rule.applies) + keyed("Cost", rule.cost) + keyed("Source", rule.source);
  text += keyed("Tests", rule.tests);
  if (!rule.file.empty()) text += keyed("File", "transform/ad/" + rule.file);
  if (!rule.before.empty()) text += "\nBefore:\n" + keyed("", rule.before);
  if (!rule.after.empty()) text += "After " + rule.after_what + ":\n" + keyed("", rule.after);
  return text;
}

std::string list_of_rules() {
  std::string text, mode;
  for (const Rule& rule : all_rules()) {
    if (rule.mode != mode) text += fmt::format("{}{}\n", mode.empty() ? "" : "\n", rule.mode);
    mode = rule.mode;
    for (const std::string& name : rule.names) text += fmt::format("  {:<32}{}\n", name, rule.brief);
  }
  return text;
}

}  // namespace boustro::explain
