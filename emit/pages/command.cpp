#include "emit/pages/command.hpp"

#include <CLI/CLI.hpp>

namespace boustro::pages {
namespace {

/// The part of a type's name that its checks made: `{cuda,cpp}` of `TEXT:{cuda,cpp}`.
std::string name_of_check(const std::string& type) {
  const std::size_t colon = type.find(':');
  return colon == type.npos ? type : type.substr(colon + 1);
}

bool is_set(const std::string& check) { return check.size() > 2 && check.front() == '{' && check.back() == '}'; }

Value value_of(const CLI::Option& option, const std::string& check) {
  if (option.get_type_name().empty()) return Value::none;
  if (option.get_positional() || check == "FILE") return Value::file;
  if (check == "DIR") return Value::folder;
  if (check == "PASS") return Value::pass;
  return is_set(check) ? Value::choice : Value::text;
}

std::string placeholder_of(Value value, const std::string& type, const std::vector<std::string>& choices) {
  switch (value) {
    case Value::none:
      return "";
    case Value::choice:
      return CLI::detail::join(choices, "|");
    case Value::file:
      return "FILE";
    case Value::folder:
      return "DIR";
    case Value::pass:
      return "PASS";
    case Value::text:
      return type.substr(0, type.find(':'));
  }
  return "";
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

Option describe(const CLI::Option& option) {
  const std::string type = option.get_type_name(), check = name_of_check(type);
  Option result;
  result.names = names_of(option);
  result.value = value_of(option, check);
  if (result.value == Value::choice) result.choices = CLI::detail::split(check.substr(1, check.size() - 2), ',');
  result.placeholder = placeholder_of(result.value, type, result.choices);
  result.standard = option.get_default_str();
  result.help = option.get_description();
  result.group = option.get_group();
  result.positional = option.get_positional();
  result.repeats = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  return result;
}

}  // namespace

Command describe(const CLI::App& app) {
  Command result{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) result.options.push_back(describe(*option));
  for (const CLI::App* command : app.get_subcommands({})) result.commands.push_back(describe(*command));
  return result;
}

}  // namespace boustro::pages
