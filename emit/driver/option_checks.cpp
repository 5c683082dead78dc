#include "emit/driver/option_checks.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include "emit/explain/rules.hpp"
#include "emit/plan/planner/global_names.hpp"

namespace boustro::driver {
std::string check_output(const std::string& text) {
  if (text.empty()) return "the name of a file is missing";
  if (text == "-")
    return "a source and its header are two files: they cannot go to standard output";
  return "";
}

std::string check_namespace(const std::string& text) {
  static const std::regex names("[A-Za-z_][A-Za-z_0-9]*(::[A-Za-z_][A-Za-z_0-9]*)*"),
      separator("::");
  if (!std::regex_match(text, names))
    return fmt::format("`{}` is no C++ namespace: names joined by `::`", text);
  for (std::sregex_token_iterator part(text.begin(), text.end(), separator, -1), end; part != end;
       ++part) {
    const std::string free = plan::planner::namespace_name(part->str(), part->first == text.begin());
    if (free != part->str())
      return fmt::format("`{}` is reserved or a name of the headers, `{}` is not", part->str(), free);
  }
  return "";
}

std::string check_memory(const std::string& bytes) {
  return std::stoull(bytes) < 500'000'000 ? "a run needs at least 500MB" : "";
}

std::string check_not_empty(const std::string& text) {
  return text.empty() ? "the name of a function is missing" : "";
}

std::vector<std::string> names_of(const std::vector<Pass>& passes) {
  std::vector<std::string> names;
  for (const Pass& pass : passes) names.push_back(pass.name);
  return names;
}

std::string check_page(const std::string& text) { return text.empty() ? "the name of a file is missing" : ""; }

std::string check_rule(const std::string& text) {
  if (!explain::rules_called(text).empty()) return "";
  std::string nearest;
  unsigned least = ~0U;
  for (const explain::Rule& rule : explain::all_rules())
    for (const std::string& name : rule.names) {
      const unsigned distance = llvm::StringRef(text).edit_distance(name);
      if (distance < least) nearest = name, least = distance;
    }
  return fmt::format("`{}` is no rule: perhaps `{}`, or see boustro rules", text, nearest);
}

std::string check_pass(const std::string& text, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), text) != names.end()) return "";
  std::vector<std::string> nearest = names;
  const auto distance = [&](const std::string& name) { return llvm::StringRef(text).edit_distance(name); };
  std::stable_sort(nearest.begin(), nearest.end(), [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  return fmt::format("`{}` is no pass of this command: perhaps `{}` or `{}`, or see boustro --passes", text, nearest.at(0), nearest.at(1));
}

}  // namespace boustro::driver
