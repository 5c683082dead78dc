// How autograd goes backwards through a function.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/torch.hpp"

namespace boustro::bindings {
namespace {

/// What backward passes on: saved arguments in their order.
class Rule {
 public:
  Rule(const std::string& library, const Interface& interface, const Function& function, const Derivative& derivative)
      : library_(library), interface_(interface), function_(function), derivative_(derivative), context_(free_name(function, "context")) {}

  std::string text() const {
    return fmt::format(
        "/// {0}, and backwards {1}.\n"
        "class {2} : public torch::autograd::Function<{2}> {{\n public:\n"
        "static variable_list forward(AutogradContext* {3}, {4}) {{\n"
        "const at::AutoDispatchBelowADInplaceOrView {5};\n{6}{7}}}\n\n"
        "static variable_list backward(AutogradContext* context, const variable_list& adjoints) {{\n{8}}}\n}};\n\n"
        "{9} {0}_with_derivative({4}) {{\n{11}{10}}}\n\n",
        function_.entry->name, vjp().entry->name, class_name(), context_, torch_parameters(function_, ""), free_name(function_, "below"),
        save(), compute(), backward(), torch_result_type(function_), apply(), refuse_others());
  }

 private:
  std::string class_name() const { return function_.entry->name + "_rule"; }

  std::string save() const {
    std::vector<std::string> tensors;
    std::string others;
    for (const Value& value : function_.params) {
      if (is_tensor(value))
        tensors.push_back(value.param->name);
      else
        others += fmt::format("{}->saved_data[\"{}\"] = {};\n", context_, value.name, value.param->name);
    }
    return fmt::format("{}->save_for_backward({{{}}});\n{}", context_, fmt::join(tensors, ", "), others);
  }

  std::string compute() const {
    const std::string names = names_of(function_.results);
    std::vector<std::string> fixed;
    for (const Value& value : function_.results)
      if (!values::is_float(value.type())) fixed.push_back(value.param->name);
    return fmt::format("const auto {} = call_operator<{}>(\"{}::{}\"{});\n{}return {{{}}};\n",
                       function_.results.size() > 1 ? "[" + names + "]" : names, signature(function_), library_, function_.name,
                       arguments(function_),
                       fixed.empty() ? "" : fmt::format("{}->mark_non_differentiable({{{}}});\n", context_, fmt::join(fixed, ", ")), names);
  }

  static std::string signature(const Function& function) { return fmt::format("decltype({}_on_cpu<true>)", function.entry->name); }

  static std::string arguments(const Function& function) { return function.params.empty() ? "" : ", " + names_of(function.params); }

  const Function& vjp() const { return function_named(interface_, derivative_.by); }

  /// A parameter that forward has saved: the tensors in their order, others by name.
  std::string backward() const {
    std::vector<std::string> args;
    std::size_t tensors = 0;
    for (const Value& value : function_.params) {
      if (is_tensor(value))
        args.push_back(fmt::format("saved[{}]", tensors++));
      else
        args.push_back(
            fmt::format("context->saved_data[\"{}\"].{}()", value.name, value.type() == values::PrimType::boolean ? "toBool" : "toInt"));
    }
    for (const std::size_t result : derivative_.results) args.push_back(fmt::format("adjoints[{}]", result));
    const std::string names = names_of(vjp().results);
    return fmt::format("{}const auto {} = call_operator<{}>(\"{}::{}\", {});\nreturn {{{}}};\n",
                       tensors > 0 ? "const variable_list saved = context->get_saved_variables();\n" : "",
                       vjp().results.size() > 1 ? "[" + names + "]" : names, signature(vjp()), library_, vjp().name, fmt::join(args, ", "),
                       fmt::join(adjoints(), ", "));
  }

  /// One for each parameter, undefined where there is none.
  std::vector<std::string> adjoints() const {
    std::vector<std::string> result(function_.params.size(), "at::Tensor()");
    for (std::size_t i = 0; i < derivative_.params.size(); ++i) result[derivative_.params[i]] = vjp().results.at(i).param->name;
    return result;
  }

  /// Floats that the derivative leaves out must not look as if they had none.
  std::string refuse_others() const {
    std::string result;
    for (std::size_t i = 0; i < function_.params.size(); ++i) {
      const Value& value = function_.params[i];
      const bool differentiated = std::find(derivative_.params.begin(), derivative_.params.end(), i) != derivative_.params.end();
      if (differentiated || !values::is_float(value.type())) continue;
      result += fmt::format(
          "TORCH_CHECK_VALUE(!at::GradMode::is_enabled() || !{}.requires_grad(), "
          "\"{}: {} requires a gradient, of which there is none\");\n",
          value.param->name, function_.name, value.name);
    }
    return result;
  }

  std::string apply() const {
    const std::string call = fmt::format("{}::apply({})", class_name(), names_of(function_.params));
    if (function_.results.size() == 1) return fmt::format("return {}[0];\n", call);
    const std::string results = free_name(function_, "results");
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < function_.results.size(); ++i) parts.push_back(fmt::format("{}[{}]", results, i));
    return fmt::format("const variable_list {} = {};\n{}", results, call, return_statement(function_, parts));
  }

  const std::string& library_;
  const Interface& interface_;
  const Function& function_;
  const Derivative& derivative_;
  std::string context_;
};

}  // namespace

std::string torch_rule(const std::string& library, const Interface& interface, const Function& function, const Derivative& derivative) {
  return Rule(library, interface, function, derivative).text();
}

}  // namespace boustro::bindings
