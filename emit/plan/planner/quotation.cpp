#include "emit/plan/planner/quotation.hpp"

#include <algorithm>
#include <cctype>

namespace boustro::plan::planner {
namespace {

constexpr std::string_view cut = " ...";

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space) result += c;
    if (space && !result.empty() && result.back() != ' ') result += ' ';
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// Part of an operator, so that parentheses around it make a section.
bool is_symbol(char c) { return std::string_view("+-*/%=!><|&^`.").find(c) != std::string_view::npos; }

/// Whether the parenthesis at the start is closed at the end and only groups: no tuple, no section. A bracket that is a character, in a
/// string or in a comment would count as one, so of texts with such this is not said.
bool is_grouped(std::string_view text) {
  if (text.size() < 3 || text.front() != '(' || text.back() != ')') return false;
  if (is_symbol(text[1]) || is_symbol(text[text.size() - 2])) return false;
  if (text.find_first_of("'\"") != std::string_view::npos || text.find("--") != std::string_view::npos) return false;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (std::string_view("([{").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(text[i]) != std::string_view::npos) --depth;
    if (depth == 0 || (depth == 1 && text[i] == ',')) return false;
  }
  return true;
}

std::string up_to_a_word(std::string text, std::size_t room) {
  if (text.size() <= room) return text;
  const auto space = text.rfind(' ', room - cut.size());
  return text.substr(0, space == std::string::npos ? room - cut.size() : space) + std::string(cut);
}

}  // namespace

std::string quotation(std::string_view text, std::size_t room) {
  std::string line = on_one_line(text);
  if (is_grouped(line)) line = on_one_line(std::string_view(line).substr(1, line.size() - 2));
  return up_to_a_word(std::move(line), room);
}

}  // namespace boustro::plan::planner
