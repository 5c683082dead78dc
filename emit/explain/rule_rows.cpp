#include "emit/explain/rule_rows.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace boustro::explain {
namespace {

/// `| a | b |`
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 2; begin < line.size();) {
    const std::size_t end = std::min(line.find(" |", begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 3;
  }
  return cells;
}

/// Links are what they show, and code is plain.
std::string plain(const std::string& text) {
  std::string result = std::regex_replace(text, std::regex(R"(\[([^\]]*\.[ch]pp)\]\([^)]*\))"), "$1");
  result.erase(std::remove(result.begin(), result.end(), '`'), result.end());
  return result;
}

/// Names of rules in backquotes, which leave the text with the parentheses around them.
std::vector<std::string> take_names(std::string& text) {
  static const std::regex name("`((?:reverse|forward)_[a-z_]+)`"), in_parentheses(R"( \(`(?:reverse|forward)_[a-z_]+`(?:, `[a-z_]+`)*\))");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) names.push_back((*at)[1]);
  text = std::regex_replace(text, in_parentheses, "");
  return names;
}

RuleRow row_of_file(const std::string& mode, std::vector<std::string> cells) {
  static const std::regex link(R"(\[[^\]]*\]\(([^)]*)\))");
  std::smatch target;
  std::regex_match(cells[0], target, link);
  RuleRow row{.mode = mode, .names = take_names(cells[1]), .file = target[1]};
  row.brief = plain(cells[1]), row.cost = plain(cells[2]), row.source = plain(cells[3]), row.tests = plain(cells[4]);
  return row;
}

/// What the return sweep reads again: no rule of one statement, but named in provenance as well.
RuleRow row_of_name(const std::string& mode, const std::vector<std::string>& cells) {
  return {.mode = mode, .names = {plain(cells[0])}, .brief = plain(cells[1]), .cost = plain(cells[2]), .tests = plain(cells[3])};
}

}  // namespace

std::vector<RuleRow> read_rule_rows(std::string_view text) {
  std::vector<RuleRow> rows;
  std::string mode;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) mode = line.substr(line.find_first_not_of("# "));
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() == 5 && cells[0].starts_with("[")) rows.push_back(row_of_file(mode, cells));
    if (cells.size() == 4 && cells[0].starts_with("`")) rows.push_back(row_of_name(mode, cells));
  }
  return rows;
}

}  // namespace boustro::explain
