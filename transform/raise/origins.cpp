#include "transform/raise/origins.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "transform/raise/walk.hpp"

namespace boustro::raise {
namespace {

/// With at most so many bindings inside of it, a binding says for all of them what they are made of.
constexpr int most_bindings_without_comments = 8;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool holds_all(const std::string& lines, const std::string& some) {
  const Lines all = lines_of(lines), part = lines_of(some);
  return std::all_of(part.begin(), part.end(),
                     [&](const std::string& line) { return std::find(all.begin(), all.end(), line) != all.end(); });
}

/// `kmeans.fut:5, 9: reverse_map, reverse_if`
std::string in_words(const std::string& text) {
  std::map<std::string, std::set<int>> places;
  std::vector<std::string> rules;
  for (const std::string& line : lines_of(text)) {
    const std::size_t bar = line.find('|'), colon = line.rfind(':');
    const std::string rule = line.substr(0, bar);
    if (!rule.empty() && std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
    if (bar + 1 >= line.size() || colon == std::string::npos || colon < bar) continue;
    int number = 0;
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
    places[line.substr(bar + 1, colon - bar - 1)].insert(number);
  }
  std::string result;
  for (const auto& [file, numbers] : places) {
    result += result.empty() ? file + ":" : ", " + file + ":";
    for (const int number : numbers) result += (number == *numbers.begin() ? "" : ", ") + std::to_string(number);
  }
  for (std::size_t i = 0; i < rules.size(); ++i) result += (i > 0 ? ", " : result.empty() ? "" : ": ") + rules[i];
  return result;
}

/// The bindings inside, and what all of them are made of.
struct Inside {
  int bindings = 0;
  std::string origins;
};

void look_inside(ast::Exp& exp, Inside& inside) {
  if (auto* let = node_in<ast::Let>(exp)) {
    for (const ast::LetBinding& binding : let->bindings) {
      ++inside.bindings;
      add_origins(inside.origins, binding.comment.text);
    }
    add_origins(inside.origins, let->comment.text);
  }
  for_each_child(exp, [&](ast::Exp& child) { look_inside(child, inside); });
}

void clear_inside(ast::Exp& exp) {
  if (auto* let = node_in<ast::Let>(exp)) {
    for (ast::LetBinding& binding : let->bindings) binding.comment.text.clear();
    let->comment.text.clear();
  }
  for_each_child(exp, clear_inside);
}

void write(ast::Exp& exp, const std::string& around);

/// How many rules and places a comment names, at most, for bindings that have nothing else in common.
constexpr std::size_t most_of_a_group = 3;

std::size_t rules_and_places(const std::string& text, bool rules) {
  std::set<std::string> found;
  for (const std::string& line : lines_of(text)) {
    const std::size_t bar = line.find('|');
    const std::string part = rules ? line.substr(0, bar) : line.substr(bar + 1);
    if (!part.empty()) found.insert(part);
  }
  return found.size();
}

bool is_small(const std::string& text) {
  return rules_and_places(text, true) <= most_of_a_group && rules_and_places(text, false) <= most_of_a_group;
}

/// A binding or the body of a let, on its way to a comment.
struct Line {
  std::string* origins;
  ast::Exp* exp;
  bool is_plain;  // no bindings inside
};

/// Bindings that come from the same share a comment, and short ones that follow each other.
void write_lines(std::vector<Line>& lines, const std::string& around) {
  for (Line& line : lines) {
    Inside inside;
    look_inside(*line.exp, inside);
    line.is_plain = inside.bindings == 0;
    if (inside.bindings > most_bindings_without_comments) continue;
    add_origins(*line.origins, inside.origins);
    clear_inside(*line.exp);
  }
  std::string said = around;
  for (std::size_t begin = 0; begin < lines.size();) {
    std::string group = *lines[begin].origins;
    std::size_t end = begin + 1;
    for (; end < lines.size(); ++end) {
      std::string with_next = group;
      add_origins(with_next, *lines[end].origins);
      const bool is_same = in_words(with_next) == in_words(group);
      if (!is_same && !(lines[end - 1].is_plain && lines[end].is_plain && is_small(with_next))) break;
      group = std::move(with_next);
    }
    for (std::size_t i = begin; i < end; ++i) {
      write(*lines[i].exp, group);
      lines[i].origins->clear();
    }
    if (!holds_all(said, group) && in_words(said) != in_words(group)) *lines[begin].origins = in_words(group);
    if (!group.empty()) said = group;
    begin = end;
  }
}

void write(ast::Exp& exp, const std::string& around) {
  auto* let = node_in<ast::Let>(exp);
  if (!let) return for_each_child(exp, [&](ast::Exp& child) { write(child, around); });
  std::vector<Line> lines;
  for (ast::LetBinding& binding : let->bindings)
    lines.push_back({&binding.comment.text, &*std::get<ast::LetPattern>(binding.node).bound, true});
  lines.push_back({&let->comment.text, &*let->body, true});
  write_lines(lines, around);
}

}  // namespace

std::string origin_line(const ir::Stm& stm, const source::SourceMap* sources) {
  std::string place;
  if (sources && !stm.origin.at.empty()) place = sources->file_and_line(sources->shown(stm.origin.at));
  return stm.origin.rule.empty() && place.empty() ? "" : stm.origin.rule + "|" + place;
}

void add_origins(std::string& lines, const std::string& more) {
  for (const std::string& line : lines_of(more))
    if (!holds_all(lines, line)) lines += (lines.empty() ? "" : "\n") + line;
}

void write_origins(ast::Exp& body) { write(body, ""); }

}  // namespace boustro::raise
