#include "emit/bindings/interface.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/bindings/python_text.hpp"
#include "frontend/source/diagnostics.hpp"

namespace boustro::bindings {
namespace {

bool is_output(const plan::Param& param) { return param.access == plan::Access::written; }

/// What stands in the emitted signature behind one another: results, parameters, sizes.
struct Groups {
  explicit Groups(const plan::Entry& entry) {
    for (const plan::Param& param : entry.params) {
      const bool extent = param.late && param.shape.empty();
      if (!extent) (is_output(param) ? results : others).push_back(&param);
    }
  }
  std::vector<const plan::Param*> results, others;
};

bool has_name(const std::vector<Value>& values, const std::string& name) {
  return std::any_of(values.begin(), values.end(), [&](const Value& value) { return value.name == name; });
}

/// The source's values, each of which is one or several of the emitted function's. Derivatives of derivatives may have two of one name.
std::vector<Value> values_of(const std::vector<ir::EntryValue>& source, const std::vector<const plan::Param*>& emitted, bool named) {
  std::vector<Value> result;
  for (const ir::EntryValue& value : source) {
    for (int i = 0; i < value.count; ++i) {
      const plan::Param* const param = emitted.at(result.size());
      const std::string in_source = python_identifier(value.name);
      const bool as_in_source = named && value.count == 1 && is_python_identifier(in_source) && in_source != "_";
      const std::string name = as_in_source ? in_source : python_identifier(param->name);
      result.push_back(
          {has_name(result, name) ? python_identifier(param->name) : name, value.count == 1 ? value.type : "part of " + value.type, param});
    }
  }
  return result;
}

Function function_of(const ir::Function& core, const plan::Entry& entry) {
  const Groups groups(entry);
  Function function{python_identifier(entry.name), core.entry->name, core.at, &entry, {}, {}, {}};
  function.params = values_of(core.entry->params, groups.others, true);
  function.results = values_of(core.entry->results, groups.results, false);
  function.sizes.assign(groups.others.begin() + static_cast<std::ptrdiff_t>(function.params.size()), groups.others.end());
  source::internal_check(
      function.sizes.size() == static_cast<std::size_t>(core.size_params) && function.results.size() == groups.results.size(),
      fmt::format("bindings: the plan of `{}` has other values than its program", entry.name));
  return function;
}

/// `[n][d]f32`
std::string type_text(const plan::Param& param) {
  std::string text;
  for (const std::string& extent : param.shape) text += "[" + extent + "]";
  return text + std::string(values::name_of(param.type.prim));
}

/// Adjoints and tangents have no type in the source, the parameters of the function that is differentiated have.
void name_types(Function& by, const Function& of) {
  for (std::size_t i = 0; i < by.params.size(); ++i)
    by.params[i].source_type = i < of.params.size() ? of.params[i].source_type : type_text(*by.params[i].param);
  for (Value& result : by.results) result.source_type = type_text(*result.param);
}

}  // namespace

Interface interface_of(const ir::Program& core, const plan::Program& plan, const std::vector<Derivative>& derivatives) {
  Interface result{&plan, {}, derivatives};
  for (const ir::Function& function : core.functions)
    if (function.entry) result.functions.push_back(function_of(function, plan.entries.at(result.functions.size())));
  for (const Derivative& derivative : derivatives)
    for (Function& function : result.functions)
      if (function.in_source == derivative.by) name_types(function, function_named(result, derivative.of));
  return result;
}

const Derivative* derivative_of(const Interface& interface, const Function& function) {
  for (const Derivative& derivative : interface.derivatives)
    if (derivative.of == function.in_source) return &derivative;
  return nullptr;
}

const Function& function_named(const Interface& interface, const std::string& in_source) {
  return *std::find_if(interface.functions.begin(), interface.functions.end(),
                       [&](const Function& function) { return function.in_source == in_source; });
}

bool mentions(const plan::Expr& expr, const std::string& name) {
  const auto* variable = std::get_if<plan::Var>(&expr.head);
  return (variable && variable->name == name) ||
         std::any_of(expr.args.begin(), expr.args.end(), [&](const plan::Expr& arg) { return mentions(arg, name); });
}

bool decides_shapes(const Function& function, const Value& value) {
  return std::any_of(function.entry->params.begin(), function.entry->params.end(), [&](const plan::Param& param) {
    return std::any_of(param.extents.begin(), param.extents.end(),
                       [&](const plan::Expr& extent) { return mentions(extent, value.param->name); });
  });
}

std::string free_name(const Function& function, std::string base) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(function.entry->params.begin(), function.entry->params.end(),
                       [&](const plan::Param& param) { return param.name == name; });
  };
  while (taken(base)) base += "_";
  return base;
}

}  // namespace boustro::bindings
