#include "emit/text/origins.hpp"

namespace boustro::text {
namespace {

// Characters that no text has: comments replace them, literals escape them.
constexpr char begin_of_origins = '\1', end_of_origins = '\2', end_of_marked = '\3';

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

std::string marked(const std::vector<plan::MadeFor>& origins, const std::string& text) {
  std::string all;
  for (const plan::MadeFor& origin : origins)
    if (!origin.text.empty()) all += (all.empty() ? "" : "\n") + origin.text;
  return all.empty() ? text : begin_of_origins + all + end_of_origins + text + end_of_marked;
}

Unmarked take_marks(std::string_view marked) {
  Unmarked result;
  std::vector<int> around{-1};
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] == begin_of_origins) {
      const std::size_t end = marked.find(end_of_origins, i);
      result.origins.emplace_back(marked.substr(i + 1, end - i - 1));
      around.push_back(static_cast<int>(result.origins.size()) - 1);
      i = end;
    } else if (marked[i] == end_of_marked) {
      around.pop_back();
    } else {
      result.text += marked[i];
      result.of_characters.push_back(around.back());
    }
  }
  return result;
}

std::vector<std::string> origins_of_lines(const Unmarked& unmarked, std::string_view formatted) {
  std::vector<std::string> lines;
  std::size_t next = 0;        // of the text
  bool is_line_known = false;  // something of it was seen
  for (std::size_t i = 0; i < formatted.size(); ++i) {
    if (i == 0 || formatted[i - 1] == '\n') {
      lines.emplace_back();
      is_line_known = false;
    }
    if (is_space(formatted[i])) continue;
    while (next < unmarked.text.size() && is_space(unmarked.text[next])) ++next;
    if (next == unmarked.text.size()) break;
    const int origin = unmarked.of_characters[next];
    if (!is_line_known && origin >= 0) lines.back() = unmarked.origins[static_cast<std::size_t>(origin)];
    is_line_known = true;
    if (unmarked.text[next] == formatted[i]) ++next;
  }
  return lines;
}

}  // namespace boustro::text
