#include <fmt/format.h>

#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"

namespace boustro::text {
namespace {

/// Columns by which further lines are indented: to the text behind a word such as `forward` that
/// stands in a column of its own, or a little.
int hanging_of(const std::string& line) {
  const auto word = line.find_first_not_of(' ');
  if (word == std::string::npos || word == 0) return 0;
  const auto gap = line.find("  ", word);
  const auto text = gap < 12 ? line.find_first_not_of(' ', gap) : std::string::npos;
  return 2 + (text == std::string::npos ? 0 : static_cast<int>(text - word));
}

/// A line of the planner's; what follows a tab goes to the right margin.
std::string head_line(const std::string& line) {
  const auto tab = line.find('\t');
  if (line.empty()) return "//\n";
  if (tab == std::string::npos) return comment(line, 0, "// ", hanging_of(line));
  return comment_with_note(line.substr(0, tab), line.substr(tab + 1), "// ", hanging_of(line));
}

}  // namespace

std::string head_comment(const plan::Program& program, const Options& options,
                         const Dialect& dialect, std::string_view language) {
  std::string result =
      comment(fmt::format("{0}{1}: {2} for the entry points of {3}, declared in {0}.hpp.\nWritten "
                          "by `{4} {3}`; yours to edit. {5}.",
                          program.name, dialect.extension, dialect.has_stream ? "CUDA C++" : "C++",
                          program.source, options.command, language));
  if (!program.head.empty()) result += "//\n";
  for (const std::string& line : program.head) result += head_line(line);
  return result + "\n";
}

}  // namespace boustro::text
