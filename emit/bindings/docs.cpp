#include "emit/bindings/docs.hpp"

#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/element_types.hpp"
#include "emit/text/comment.hpp"

namespace boustro::bindings {
namespace {

std::string signature(const Function& function) {
  std::vector<std::string> names;
  for (const Value& param : function.params) names.push_back(param.name);
  return fmt::format("{}({})", function.name, fmt::join(names, ", "));
}

/// "points : [n][d]f32" and, below, "array of float32".
std::string row(const Value& value, std::string_view array) {
  return fmt::format("{} : {}\n    {}\n", value.name, value.source_type,
                     value.is_array() ? fmt::format("{} of {}", array, numpy_name(value.type())) : numpy_name(value.type()));
}

std::string section(std::string_view title, const std::vector<Value>& values, std::string_view array) {
  if (values.empty()) return "";
  std::string result = fmt::format("\n{}\n{}\n", title, std::string(title.size(), '-'));
  for (const Value& value : values) result += row(value, array);
  return result;
}

}  // namespace

std::string description(const Function& function) {
  std::string result;
  for (const std::string& text : function.entry->doc) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto first = line.find_first_not_of(" \t\r");
      result += (first == line.npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") + 1 - first)) + "\n";
    }
  }
  if (result.empty()) result = fmt::format("Entry point `{}`, {}.\n", function.entry->name, function.entry->source);
  return result;
}

std::string docstring_body(const Function& function, std::string_view array) {
  return description(function) + section("Parameters", function.params, array) + section("Returns", function.results, array);
}

std::string docstring(const Function& function, std::string_view array) {
  return fmt::format("{}\n--\n\n{}", signature(function), docstring_body(function, array));
}

std::string head_comment(const std::string& what, const std::string& remarks, const std::string& command) {
  return text::comment(what) + "//\n" + text::comment(remarks) + "//\n//     " + command + "\n";
}

}  // namespace boustro::bindings
