#include "emit/explain/rule_head.hpp"

#include <algorithm>
#include <vector>

namespace boustro::explain {
namespace {

// `// Rule      y = ...`, and `// Before:      def ...`: where what follows a key begins, without slashes and space.
constexpr std::size_t text_column = 10, example_column = 13;

std::vector<std::string> lines_in(std::string_view head) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < head.size();) {
    const std::size_t end = std::min(head.find('\n', begin), head.size());
    std::string_view line = head.substr(begin, end - begin);
    line.remove_prefix(std::min<std::size_t>(line.size(), line.starts_with("// ") ? 3 : 2));
    lines.emplace_back(line);
    begin = end + 1;
  }
  return lines;
}

/// Where lines go that begin with the key; null if it is none.
std::string* part_called(RuleHead& head, std::string_view line) {
  if (line.starts_with("Rule ")) return &head.formula;
  if (line.starts_with("Applies ")) return &head.applies;
  if (line.starts_with("Cost ")) return &head.cost;
  if (line.starts_with("Source ")) return &head.source;
  if (line.starts_with("Before:")) return &head.before;
  if (line.starts_with("After ")) return &head.after;
  return nullptr;
}

void add_line(std::string& part, const std::string& line, std::size_t column) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), column);
  part += (part.empty() ? "" : "\n") + line.substr(std::min({begin, column, line.size()}));
}

/// `Reverse mode: map.` and what goes on from it.
std::string title_in(const std::string& opening) {
  const std::size_t colon = opening.find(": ");
  std::string title = colon == std::string::npos ? opening : opening.substr(colon + 2);
  if (title.ends_with('.')) title.pop_back();
  return title;
}

}  // namespace

RuleHead read_rule_head(std::string_view text) {
  RuleHead head;
  std::string opening;
  std::string* part = &opening;
  std::size_t column = 0;
  for (std::string& line : lines_in(text)) {
    if (line.empty()) {  // ends what came before; an example's lines follow each other
      part = nullptr;
      continue;
    }
    if (std::string* const next = part_called(head, line)) {
      part = next;
      const bool is_example = next == &head.before || next == &head.after;
      column = is_example ? example_column : text_column;
      if (next == &head.after) head.after_what = line.substr(6, line.find(':') - 6);
      line.replace(0, std::min(column, line.size()), std::string(std::min(column, line.size()), ' '));
    }
    if (part == &opening) opening += (opening.empty() ? "" : " ") + line;
    else if (part) add_line(*part, line, column);
  }
  head.title = title_in(opening);
  return head;
}

}  // namespace boustro::explain
