#include "emit/bindings/call.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/plan/query_name.hpp"
#include "emit/text/expression.hpp"
#include "emit/text/file.hpp"
#include "emit/text/types.hpp"

namespace boustro::bindings {
namespace {

bool is_size(const Function& function, const std::string& name) {
  return std::any_of(function.sizes.begin(), function.sizes.end(), [&](const plan::Param* size) { return size->name == name; });
}

/// In arithmetic an Extent says that it is a number.
plan::Expr with_values(plan::Expr expr, const Function& function) {
  if (auto* variable = std::get_if<plan::Var>(&expr.head); variable && is_size(function, variable->name)) variable->name += ".value()";
  for (plan::Expr& arg : expr.args) arg = with_values(std::move(arg), function);
  return expr;
}

}  // namespace

CppText::CppText(templates::Language language) : place{dialect, needs} { dialect.language = language; }

std::string argument_name(const Function& function, const Value& value) {
  return fmt::format("{{\"{}\", \"{}\"}}", function.name, value.name);
}

std::string extent_variables(const Function& function) {
  std::vector<std::string> variables;
  for (const plan::Param* size : function.sizes) variables.push_back(fmt::format("{0}(\"{0}\")", size->name));
  return variables.empty() ? "" : fmt::format("Extent {};\n", fmt::join(variables, ", "));
}

std::string dimensions(const Value& value, const CppText& text) { return "{" + text::expressions(value.param->extents, text.place) + "}"; }

std::string shape(const Function& function, const Value& value, const CppText& text) {
  std::vector<std::string> extents;
  for (const plan::Expr& extent : value.param->extents)
    extents.push_back(text::expression(extent.args.empty() ? extent : with_values(extent, function), text.place));
  return fmt::format("{{{}}}", fmt::join(extents, ", "));
}

std::string element_type(const Value& value, const CppText& text) { return text::type_text(value.type(), text.place); }

std::string query_call(const Interface& interface, const Function& function, const Spelling& spell) {
  std::string args = "&bytes";
  for (const plan::Param& param : text::query_params(*function.entry)) args += ", " + spell(param);
  return fmt::format("{}::{}({})", interface.plan->name_space, plan::query_name(function.entry->name), args);
}

std::string entry_call(const Interface& interface, const Function& function, const Spelling& spell, const CallWords& words) {
  std::vector<std::string> args;
  bool failure_due = function.checks();
  for (const plan::Param& param : function.entry->params) {
    const bool output = param.access == plan::Access::written || param.access == plan::Access::added_to;
    if (failure_due && !output) args.push_back(words.failure), failure_due = false;
    args.push_back(param.late ? "&" + param.name : spell(param));
  }
  if (failure_due) args.push_back(words.failure);
  if (function.entry->allocates) args.push_back(words.allocator);
  args.insert(args.end(), {words.scratch, words.bytes});
  if (!words.stream.empty()) args.push_back(words.stream);
  return fmt::format("{}::{}({})", interface.plan->name_space, function.entry->name, fmt::join(args, ", "));
}

std::string late_variables(const Function& function, const CppText& text) {
  std::string result;
  for (const plan::Param& param : function.entry->params) {
    if (!param.late) continue;
    plan::Type type = param.type;
    type.pointer = !param.shape.empty();
    result += fmt::format("{} = {};\n", text::variable_text(type, param.name, text.place), type.pointer ? "nullptr" : "0");
  }
  return result;
}

std::string call_variables(const Interface& interface, const Function& function, const CppText& text) {
  std::string result = late_variables(function, text);
  if (function.entry->allocates) result += fmt::format("{}::DefaultAllocator allocator;\n", interface.plan->name_space);
  if (function.checks()) result += fmt::format("{}::Failure failure_found{{}};\n", interface.plan->name_space);
  return result;
}

bool has_late_results(const Function& function) {
  return std::any_of(function.results.begin(), function.results.end(), [](const Value& value) { return value.param->late; });
}

std::string failure_argument(const Interface& interface, const Function& function) {
  return function.checks() ? fmt::format("{}::failure_text(failure_found)", interface.plan->name_space) : "\"\"";
}

std::string require_function(const plan::Program& plan) {
  std::string cases;
  if (text::has_checks(plan))
    cases += fmt::format("case {}::Status::check_failed: throw std::runtime_error(where + failure);\n", plan.name_space);
  if (text::allocates(plan))
    cases += fmt::format("case {}::Status::out_of_memory: throw OutOfMemory(where + \"not enough memory\");\n", plan.name_space);
  return fmt::format(
      "/// Turns what is not success into an exception.\n"
      "void require_success(const char* function, {0}::Status status, {1}) {{\n"
      "const std::string where = std::string(function) + \": \";\n"
      "switch (status) {{\n"
      "case {0}::Status::success: return;\n"
      "case {0}::Status::invalid_value: throw std::invalid_argument(where + \"a size is negative or too large\");\n{2}}}\n}}\n\n",
      plan.name_space, text::has_checks(plan) ? "const std::string& failure = \"\"" : "const char* /*failure*/ = \"\"", cases);
}

std::string raw_string(const std::string& text) {
  std::string mark = "text";
  while (text.find(")" + mark + "\"") != text.npos) mark += "_";
  return fmt::format("R\"{0}({1}){0}\"", mark, text);
}

}  // namespace boustro::bindings
