// Completion for zsh.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/pages/pages.hpp"

namespace boustro::pages {
namespace {

/// Inside of single quotes, and of what `_arguments` reads.
std::string zsh_quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += std::string("\\") + c;
    } else {
      result += c;
    }
  }
  return result;
}

/// What completes a value.
std::string zsh_action(const Option& option) {
  if (option.positional) return "_files -g \"*.fut(-.)\"";
  switch (option.value) {
    case Value::file:
      return "_files";
    case Value::folder:
      return "_files -/";
    case Value::pass:
      return "($(boustro --passes | cut -d \" \" -f 1))";
    case Value::choice:
      return fmt::format("({})", fmt::join(option.choices, " "));
    case Value::text:
    case Value::none:
      return "";
  }
  return "";
}

/// The arguments of `_arguments` for one option, a line for each of its names.
std::string zsh_specification(const Option& option) {
  const std::string value = option.value == Value::none ? "" : ":" + zsh_quoted(option.placeholder) + ":" + zsh_action(option);
  if (option.positional) return fmt::format("        '{}:{}:{}' \\\n", option.repeats ? "*" : "1", option.names.at(0), zsh_action(option));
  std::string lines;
  for (const std::string& name : option.names)
    lines += fmt::format("        '{}{}[{}]{}' \\\n", option.repeats ? "*" : "", name, zsh_quoted(option.help), value);
  return lines;
}

std::string zsh_options(const Command& command) {
  std::string lines;
  for (const Option& option : command.options) lines += zsh_specification(option);
  return lines;
}

}  // namespace

std::string zsh_completion(const Command& program) {
  std::string names, cases;
  for (const Command& command : program.commands) {
    names += fmt::format("        '{}:{}'\n", command.name, zsh_quoted(command.help));
    cases += fmt::format("    {}:{})\n      _arguments -S \\\n{}        && return\n      ;;\n", "arguments", command.name, zsh_options(command));
  }
  return fmt::format(R"(#compdef {0}
# Completion of {0} for zsh, made from the definition of its options.

_{0}() {{
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \
{1}        '1:command:->command' \
        '*::argument:->arguments' && return
  case $state:$line[1] in
    command:*)
      local -a commands=(
{2}      )
      _describe command commands && return
      ;;
{3}  esac
}}

_{0} "$@"
)",
                     program.name, zsh_options(program), names, cases);
}

}  // namespace boustro::pages
