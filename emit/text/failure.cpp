#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/text/file.hpp"

namespace boustro::text {
namespace {

/// `text` as a string literal.
std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

/// The message with a value for each `{}`, as a sum of strings.
std::string message_text(const plan::CheckSite& site) {
  std::string rest = fmt::format("{}: {}", site.at, site.message);
  std::vector<std::string> pieces;
  for (int value = 0;; ++value) {
    const auto hole = rest.find("{}");
    pieces.push_back(string_literal(rest.substr(0, hole)));
    if (hole == std::string::npos) break;
    pieces.push_back(fmt::format("std::to_string(failure.values[{}])", value));
    rest = rest.substr(hole + 2);
  }
  // The first one is not empty: it begins with the place. An empty last one says nothing.
  if (pieces.back() == "\"\"") pieces.pop_back();
  return fmt::format("{}", fmt::join(pieces, " + "));
}

}  // namespace

bool has_checks(const plan::Program& program) { return !program.checks.empty(); }

bool allocates(const plan::Program& program) {
  for (const plan::Entry& entry : program.entries)
    if (entry.allocates) return true;
  return false;
}

std::string failure_text(const plan::Program& program) {
  if (!has_checks(program)) return "";
  std::string cases;
  int number = 1;
  for (const plan::CheckSite& site : program.checks) cases += fmt::format("case {}:\nreturn {};\n", number++, message_text(site));
  return fmt::format(
      "std::string failure_text(const Failure& failure) {{\nswitch (failure.check) {{\n{}"
      "default:\nreturn \"\";\n}}\n}}\n\n",
      cases);
}

}  // namespace boustro::text
