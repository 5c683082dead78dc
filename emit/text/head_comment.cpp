#include <fmt/format.h>

#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"

namespace boustro::text {
namespace {

/// A line of the planner's; what follows a tab goes to the right margin.
std::string head_line(const std::string& line) {
  const auto tab = line.find('\t');
  if (line.empty()) return "//\n";
  if (tab == std::string::npos) return comment(line, 0, "// ", line.front() == ' ' ? 2 : 0);
  return comment_with_note(line.substr(0, tab), line.substr(tab + 1), "// ");
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
