#include "transform/raise/lines.hpp"

#include <algorithm>
#include <utility>

#include "transform/raise/origins.hpp"
#include "transform/raise/walk.hpp"

namespace boustro::raise {
namespace {

// Characters that no program has.
constexpr char begin_of_origins = '\1', separator = '\2';

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indentation_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }
bool is_comment(std::string_view line) { return line.substr(indentation_of(line)).starts_with("--"); }

void mark(ast::Comment& comment) {
  if (comment.text.empty()) return;
  std::replace(comment.text.begin(), comment.text.end(), '\n', separator);
  comment.text.insert(comment.text.begin(), begin_of_origins);
}

/// A binding: what it is made of, and before which of the characters of a text, white space, comments and parentheses aside, it stands.
struct Mark {
  std::size_t at;
  std::string origins;
};

/// Neither spaces nor parentheses, which a text may have more of on lines of a width.
bool counts(char c) { return c != ' ' && c != '(' && c != ')'; }

std::vector<Mark> marks_in(std::string_view marked) {
  std::vector<Mark> marks;
  std::size_t characters = 0;
  for (const std::string_view line : lines_in(marked)) {
    const std::size_t begin = line.find(begin_of_origins);
    if (begin != line.npos) {
      marks.push_back({characters, std::string(line.substr(begin + 1))});
      std::replace(marks.back().origins.begin(), marks.back().origins.end(), separator, '\n');
    } else if (!is_comment(line)) {
      characters += static_cast<std::size_t>(std::count_if(line.begin(), line.end(), counts));
    }
  }
  return marks;
}

/// Bindings around a line: those that began at its column or before.
class Around {
 public:
  void leave_behind(std::size_t column) {
    while (!open_.empty() && open_.back().column > column) open_.pop_back();
  }
  void enter(std::size_t column, const std::string& origins) {
    while (!open_.empty() && open_.back().column >= column) open_.pop_back();
    open_.push_back({column, origins});
  }
  std::string origins() const { return open_.empty() ? "" : open_.back().origins; }

 private:
  struct Open {
    std::size_t column;
    std::string origins;
  };
  std::vector<Open> open_;
};

}  // namespace

void mark_origins(ast::Exp& body) {
  if (auto* let = node_in<ast::Let>(body)) {
    for (ast::LetBinding& binding : let->bindings) mark(binding.comment);
    mark(let->comment);
  }
  for_each_child(body, mark_origins);
}

std::vector<std::string> origins_of_lines(std::string_view printed, std::string_view marked) {
  const std::vector<Mark> marks = marks_in(marked);
  std::vector<std::string> result;
  std::size_t characters = 0, next = 0, comments = 0;
  Around around;
  for (const std::string_view line : lines_in(printed)) {
    if (is_comment(line)) {
      ++comments;
      continue;
    }
    const std::size_t indentation = indentation_of(line);
    around.leave_behind(indentation);
    std::string origins;
    bool is_begin = true;
    for (std::size_t column = indentation; column < line.size(); ++column) {
      if (!counts(line[column])) continue;
      for (; next < marks.size() && marks[next].at == characters; ++next) {
        around.enter(column, marks[next].origins);
        add_origins(origins, marks[next].origins);
      }
      if (is_begin) add_origins(origins, around.origins());
      is_begin = false;
      ++characters;
    }
    result.insert(result.end(), std::exchange(comments, 0) + 1, origins);
  }
  result.insert(result.end(), comments, "");
  return result;
}

std::vector<std::string> origins_of_core_lines(std::string_view printed) {
  std::vector<std::string> result;
  for (const std::string_view line : lines_in(printed)) {
    const std::size_t comment = line.rfind("  -- ");
    std::string origins;
    if (comment != line.npos) {
      const std::string text(line.substr(comment + 5));
      const std::size_t comma = text.find(", ");
      origins = comma != text.npos ? text.substr(0, comma) + "|" + text.substr(comma + 2) : text.find(':') != text.npos ? "|" + text : text + "|";
    }
    result.push_back(std::move(origins));
  }
  return result;
}

}  // namespace boustro::raise
