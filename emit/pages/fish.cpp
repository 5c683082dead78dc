// Completion for fish.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/pages/pages.hpp"

namespace boustro::pages {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// What completes a value; -x and -r take one, -x none of the files that are offered otherwise.
std::string fish_value(const Option& option) {
  switch (option.value) {
    case Value::none:
      return "";
    case Value::file:
      return " -r -F";
    case Value::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Value::pass:
      return " -x -a '(boustro --passes | string split -f 1 \" \")'";
    case Value::choice:
      return fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
    case Value::text:
      return " -x";
  }
  return "";
}

std::string fish_line(const std::string& program, const std::string& condition, const Option& option) {
  std::string names;
  for (const std::string& name : option.names) names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("complete -c {} -n '{}'{}{} -d {}\n", program, condition, names, fish_value(option), fish_quoted(option.help));
}

}  // namespace

std::string fish_completion(const Command& program) {
  std::string text = fmt::format("# Completion of {0} for fish, made from the definition of its options.\n\ncomplete -c {0} -f\n", program.name);
  for (const Option& option : program.options) text += fish_line(program.name, "__fish_use_subcommand", option);
  for (const Command& command : program.commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    text += fmt::format("\ncomplete -c {} -n __fish_use_subcommand -a {} -d {}\n", program.name, command.name, fish_quoted(command.help));
    for (const Option& option : command.options) {
      if (option.positional)
        text += fmt::format("complete -c {} -n '{}' -a '(__fish_complete_suffix .fut)'\n", program.name, condition);
      else
        text += fish_line(program.name, condition, option);
    }
  }
  return text;
}

}  // namespace boustro::pages
