// Completion for bash, which needs nothing but bash.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/pages/pages.hpp"

namespace boustro::pages {
namespace {

std::string all_names(const std::vector<Option>& options) {
  std::string names;
  for (const Option& option : options)
    if (!option.positional) names += fmt::format("{}{}", names.empty() ? "" : " ", fmt::join(option.names, " "));
  return names;
}

/// How the value behind an option is completed, as a command of the shell.
std::string action_for(const Option& option) {
  switch (option.value) {
    case Value::file:
      return "_boustro_files f";
    case Value::folder:
      return "_boustro_files d";
    case Value::pass:
      return "_boustro_words \"$(boustro --passes | cut -d ' ' -f 1)\"";
    case Value::choice:
      return fmt::format("_boustro_words \"{}\"", fmt::join(option.choices, " "));
    case Value::text:
    case Value::none:
      return "";
  }
  return "";
}

/// A case for each option that takes a value.
std::string cases_of(const Command& command) {
  std::string cases;
  for (const Option& option : command.options) {
    if (option.positional || option.value == Value::none) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
    const std::string action = action_for(option);
    cases += fmt::format("    {}) {}return ;;\n", fmt::join(patterns, "|"), action.empty() ? "" : action + "; ");
  }
  return cases;
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::vector<std::string> commands;
  std::string cases, names;
  for (const Command& command : program.commands) {
    commands.push_back(command.name);
    cases += cases_of(command);
    names += fmt::format("    {}) options=\"{}\" ;;\n", command.name, all_names(command.options));
  }
  return fmt::format(R"(# Completion of {0} for bash, made from the definition of its options.

_boustro_words() {{ COMPREPLY=($(compgen -W "$1" -- "$current")); }}

# Names of files (f) or folders (d).
_boustro_files() {{
  local IFS=$'\n'
  COMPREPLY=($(compgen -$1 -- "$current"))
  compopt -o filenames 2>/dev/null
}}

# Programs, and folders that may hold some.
_boustro_programs() {{
  local IFS=$'\n'
  COMPREPLY=($(compgen -d -- "$current"; compgen -f -X '!*.fut' -- "$current"))
  compopt -o filenames 2>/dev/null
}}

_boustro() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= options= word
  if [ "$current" = "=" ]; then  # of --option=value, which bash takes apart
    current=
  elif [ "$previous" = "=" ]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
    case $word in
    {1}) command=$word; break ;;
    esac
  done
  COMPREPLY=()
  case $command:$previous in
{2}  esac
  case $command in
    '') _boustro_words "{3} {4}"; return ;;
{5}  esac
  case $current in
    -*) _boustro_words "$options" ;;
    *) _boustro_programs ;;
  esac
}}

complete -F _boustro {0}
)",
                     program.name, fmt::join(commands, "|"), cases, fmt::join(commands, " "), all_names(program.options), names);
}

}  // namespace boustro::pages
