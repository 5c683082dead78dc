#include "emit/text/comment.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace boustro::text {
namespace {

constexpr std::size_t note_margin = 96;  // where notes end
constexpr std::size_t ruler_width = 90;

/// Where a line of at most `width` columns ends: at a space, rather not at one inside of brackets. npos: nowhere.
std::size_t line_end(const std::string& text, std::size_t width, std::size_t indent) {
  std::size_t outside = std::string::npos;
  int depth = 0;
  for (std::size_t k = indent; k <= width; ++k) {
    depth += text[k] == '[' ? 1 : text[k] == ']' ? -1 : 0;
    if (text[k] == ' ' && depth == 0) outside = k;
  }
  if (outside != std::string::npos && outside >= width / 2) return outside;
  const std::size_t last = text.rfind(' ', width);
  return last == std::string::npos || last <= indent ? text.find(' ', indent) : last;
}

/// The words of `text` in lines of at most `width` columns; leading spaces and runs of spaces,
/// which lay out formulas, are kept in lines that fit.
std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t hanging) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (rest.size() > width) {
    const std::size_t indent = rest.find_first_not_of(' ');
    const std::size_t cut = line_end(rest, width, indent);
    if (cut == std::string::npos) break;
    const std::size_t end = rest.find_last_not_of(' ', cut);
    lines.push_back(rest.substr(0, end + 1));
    const std::size_t next = rest.find_first_not_of(' ', cut);
    if (next == std::string::npos) return lines;
    rest = std::string(lines.size() == 1 ? indent + hanging : indent, ' ') + rest.substr(next);
  }
  lines.push_back(rest);
  return lines;
}

/// `//` alone on empty lines. The text ends with the line: some compilers take a carriage return for
/// its end, and all of them a backslash there, or its trigraph, for a sign that the next line belongs to it.
std::string comment_line(std::string_view begin, const std::string& text) {
  std::string line = std::string(begin) + text;
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  const bool joins = line.ends_with('\\') || line.ends_with("?\?/");
  return line + (joins ? " .\n" : "\n");
}

std::string keyed(std::string_view key, std::string_view text) {
  if (text.empty()) return "";
  return comment(fmt::format("  {:<8}{}", key, text), 0, "// ", 8);
}

/// A rule's further lines stand under its first.
std::string rules_text(const std::vector<std::string>& rules) {
  return fmt::format("{}", fmt::join(rules, "; "));
}

}  // namespace

std::string comment(std::string_view text, int depth, std::string_view begin, int hanging) {
  if (text.empty()) return "";
  std::string result;
  std::istringstream paragraphs{std::string(text)};
  const std::size_t width = page_width - begin.size() - 2 * static_cast<std::size_t>(depth);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    for (const std::string& line : wrapped(paragraph, width, static_cast<std::size_t>(hanging))) {
      result += comment_line(begin, line);
    }
  }
  return result;
}

std::string comment_with_note(std::string_view text, std::string_view note, std::string_view begin,
                              int hanging) {
  const std::string lines = comment(text, 0, begin, hanging);
  if (note.empty()) return lines;
  // A note that takes more than a line.
  if (begin.size() + note.size() > note_margin) return lines + comment(note, 0, begin, hanging);
  const std::size_t last = lines.size() < 2 ? 0 : lines.rfind('\n', lines.size() - 2) + 1;  // npos + 1: there is one line
  std::string line = lines.empty() ? std::string(begin) : lines.substr(last, lines.size() - 1 - last);
  const bool fits = line.size() + 2 + note.size() <= note_margin;
  if (!fits) line = begin;
  const std::string gap(note_margin - line.size() - note.size(), ' ');
  return lines.substr(0, fits ? last : lines.size()) + comment_line(line, fmt::format("{}{}", gap, note));
}

std::string ruler(std::string_view title) {
  const std::string line = "// " + std::string(ruler_width - 3, '-') + "\n";
  return "\n" + line + comment(title) + line + "\n";
}

std::string kernel_comment(const plan::Comment& comment, const std::string& same_as) {
  std::string result;
  if (same_as.empty()) {
    for (const std::string& line : comment.formula) result += text::comment(line, 0, "// ", 4);
    result += keyed("source", comment.source);
    result += keyed("rule", rules_text(comment.rules));
  } else {
    result += text::comment("The same as " + same_as + ".");
  }
  result += keyed("grid", comment.grid);
  result += keyed("order", comment.order);
  for (const std::string& note : comment.notes)
    result += (result.empty() ? "" : "//\n") + text::comment(note);
  return result;
}

bool say_the_same(const plan::Comment& x, const plan::Comment& y) {
  return x.formula == y.formula && x.source == y.source && x.sweep == y.sweep && x.rules == y.rules && !x.formula.empty();
}

std::string function_comment(const plan::Comment& comment) {
  std::string result;
  std::string_view note = comment.source;
  for (const std::string& line : comment.formula) {
    result += comment_with_note(line, note, "/// ", line.starts_with(' ') ? 2 : 0);
    note = "";
  }
  result += comment_with_note("", note, "/// ").substr(0, note.empty() ? 0 : std::string::npos);
  for (const std::string& rule : comment.rules) result += text::comment(rule, 0, "/// ");
  for (const std::string& text : {comment.grid, comment.order})
    result += text::comment(text, 0, "/// ");
  for (const std::string& text : comment.notes) result += text::comment(text, 0, "/// ");
  return result;
}

std::string param_note(const plan::Param& param) {
  std::vector<std::string> parts;
  if (!param.shape.empty()) parts.push_back(fmt::format("[{}]", fmt::join(param.shape, "][")));
  switch (param.access) {
    case plan::Access::written:
      parts.push_back("written");
      break;
    case plan::Access::added_to:
      parts.push_back("added to");
      break;
    case plan::Access::updated:
      parts.push_back("updated");
      break;
    case plan::Access::scratch:
      parts.push_back("scratch");
      break;
    case plan::Access::value:
    case plan::Access::read:
      break;
  }
  if (!param.note.empty()) parts.push_back(param.note);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace boustro::text
