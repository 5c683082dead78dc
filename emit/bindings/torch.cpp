// Operators of PyTorch, with their derivatives.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/call.hpp"
#include "emit/bindings/docs.hpp"
#include "emit/bindings/element_types.hpp"
#include "emit/bindings/write.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::bindings {
namespace {

/// Where a function runs, which decides about memory, errors and the order of work.
enum class Device { cpu, gpu };

bool is_tensor(const Value& value) { return value.is_array() || values::is_float(value.type()); }

bool takes_tensors(const Function& function) {
  return std::any_of(function.params.begin(), function.params.end(), is_tensor);
}

/// PyTorch has no arithmetic of some unsigned types.
void require_types(const Function& function) {
  const auto require = [&](const Value& value) {
    if (torch_name(value.type()).empty())
      source::refuse(source::Message::plan_cannot_translate, function.at,
                     fmt::format("a binding of PyTorch: `{}` of `{}` has elements of type {}, as no tensor has", value.name,
                                 function.name, values::name_of(value.type())));
  };
  for (const Value& value : function.params)
    if (is_tensor(value)) require(value);
  for (const Value& value : function.results) require(value);
}

std::string argument_type(const Value& value) {
  if (is_tensor(value)) return "const at::Tensor&";
  return value.type() == values::PrimType::boolean ? "bool" : "int64_t";
}

std::string parameters(const Function& function, const std::string& prefix) {
  std::vector<std::string> params;
  for (const Value& value : function.params)
    params.push_back(fmt::format("{} {}", argument_type(value), prefix.empty() ? value.param->name : free_name(function, prefix + value.param->name)));
  return fmt::format("{}", fmt::join(params, ", "));
}

std::string result_type(const Function& function) {
  if (function.results.empty()) return "void";
  if (function.results.size() == 1) return "at::Tensor";
  return fmt::format("std::tuple<{}>", fmt::join(std::vector<std::string>(function.results.size(), "at::Tensor"), ", "));
}

std::string names_of(const std::vector<Value>& values) {
  std::vector<std::string> names;
  for (const Value& value : values) names.push_back(value.param->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// `return result;`
std::string return_statement(const Function& function, const std::vector<std::string>& values) {
  if (function.results.empty()) return "";
  const std::string list = fmt::format("{}", fmt::join(values, ", "));
  return function.results.size() == 1 ? "return " + list + ";\n" : "return {" + list + "};\n";
}

// ---- One function on one device

/// The function around a call of an emitted one.
class Kernel {
 public:
  Kernel(const Interface& interface, const Function& function, Device device, const CppText& text)
      : interface_(interface), function_(function), device_(device), text_(text), place_(free_name(function, "place")) {}

  std::string text() const {
    const bool gpu = device_ == Device::gpu;
    return fmt::format("{}{}{} {}_on_{}({}) {{\n{}{}}}\n\n", text::comment(description(function_), 0, "/// "),
                       gpu ? "" : fmt::format("template <bool {}>\n", compute()), result_type(function_), function_.entry->name,
                       gpu ? "gpu" : "cpu", parameters(function_, "given_"), inputs(), gpu ? gpu_body() : cpu_body());
  }

 private:
  std::string compute() const { return free_name(function_, "compute"); }
  std::string given(const Value& value) const { return free_name(function_, "given_" + value.param->name); }

  std::string input(const Value& value) const {
    const std::string type = element_type(value, text_), argument = argument_name(function_, value);
    if (value.is_array())
      return fmt::format("Input<{}> {}({}, {}, {}, {});\n", type, value.param->name, argument, given(value), place_,
                         dimensions(value, text_));
    if (is_tensor(value)) return fmt::format("const Number<{}> {}({}, {}, {});\n", type, value.param->name, argument, given(value), place_);
    if (value.type() == values::PrimType::boolean) return fmt::format("const bool {} = {};\n", value.param->name, given(value));
    return fmt::format("const auto {} = read_integer<{}>({}, {});\n", value.param->name, type, argument, given(value));
  }

  /// Integers first: extents of arrays may be among them.
  std::string inputs() const {
    std::string integers, tensors;
    for (const Value& value : function_.params) (is_tensor(value) ? tensors : integers) += input(value);
    return integers + fmt::format("Place {};\n", place_) + extent_variables(function_) + tensors;
  }

  std::string outputs() const {
    std::string result;
    for (const Value& value : function_.results)
      if (!value.param->late)
        result += fmt::format("const at::Tensor {} = new_tensor({}, {}, {}, {});\n", value.param->name, argument_name(function_, value),
                              torch_name(value.type()), place_, shape(function_, value, text_));
    return result;
  }

  /// As the classes of the runtime have it.
  Spelling spelled() const {
    return [this](const plan::Param& param) {
      if (param.access == plan::Access::written) return fmt::format("static_cast<{}*>({}.data_ptr())", element_of(param), param.name);
      if (param.type.pointer) return param.name + ".data()";
      return values::is_float(param.type.prim) ? param.name + ".value()" : param.name;
    };
  }
  std::string element_of(const plan::Param& param) const { return element_type(Value{{}, {}, &param}, text_); }

  std::string query() const {
    return fmt::format("std::size_t bytes = 0;\nrequire_success(\"{}\", {});\n", function_.name,
                       query_call(interface_, function_, spelled()));
  }

  std::vector<std::string> returned() const {
    std::vector<std::string> result;
    for (const Value& value : function_.results) result.push_back(value.param->late ? taken_over(value) : value.param->name);
    return result;
  }

  std::string taken_over(const Value& value) const {
    const std::string extents = shape(function_, value, text_);
    if (device_ == Device::gpu)
      return fmt::format("take_over_on_device({}, {}, {}, {}.device())", value.param->name, torch_name(value.type()), extents, place_);
    return fmt::format("take_over<{}::DefaultAllocator>({}, {}, {})", interface_.plan->name_space, value.param->name,
                       torch_name(value.type()), extents);
  }

  /// Why there is nothing to return where only shapes are asked for; empty if they are known.
  std::string unknown_shape() const {
    for (const Value& value : function_.results)
      if (value.param->late) return fmt::format("{}: the shape of {} depends on data", function_.name, value.name);
    return "";
  }

  std::string cpu_call() const {
    return fmt::format("{}const Scratch scratch(\"{}\", bytes);\n{}const auto status = {};\nrequire_success(\"{}\", status{});\n",
                       query(), function_.name, call_variables(interface_, function_, text_),
                       entry_call(interface_, function_, spelled()), function_.name,
                       function_.checks() ? ", " + failure_argument(interface_, function_) : "");
  }

  std::string cpu_body() const {
    const std::string result = return_statement(function_, returned());
    if (const std::string unknown = unknown_shape(); !unknown.empty())
      return fmt::format("\nif constexpr ({}) {{\n{}{}{}}} else {{\nthrow std::runtime_error(\"{}\");\n}}\n", compute(), outputs(), cpu_call(),
                         result, unknown);
    return fmt::format("{}\nif constexpr ({}) {{\n{}}}\n{}", outputs(), compute(), cpu_call(), result);
  }

  std::string gpu_body() const {
    const std::string& scope = interface_.plan->name_space;
    const CallWords words{.failure = "failure.data()", .stream = "stream"};
    std::string before, after;
    if (function_.entry->allocates) before += fmt::format("CachingAllocator<{}::Allocator> allocator;\n", scope);
    if (function_.checks()) {
      before += fmt::format("const FailureRecord<{}::Failure> failure({}.device());\n", scope, place_);
      after = fmt::format(
          "const auto failure_found = failure.read(\"{0}\", stream);\n"
          "if (failure_found.check != 0) throw std::runtime_error(\"{0}: \" + {1}::failure_text(failure_found));\n",
          function_.name, scope);
    }
    return fmt::format(
        "const c10::cuda::CUDAGuard {}({}.device());\nconst cudaStream_t stream = c10::cuda::getCurrentCUDAStream();\n"
        "{}\n{}const DeviceMemory scratch({}.device(), bytes);\n{}{}require_success(\"{}\", {});\n{}{}",
        free_name(function_, "guard"), place_, outputs(), query(), place_, before, late_variables(function_, text_), function_.name,
        entry_call(interface_, function_, spelled(), words), after, return_statement(function_, returned()));
  }

  const Interface& interface_;
  const Function& function_;
  Device device_;
  const CppText& text_;
  std::string place_;
};

std::string kernels(const Interface& interface, Device device, CppText& text) {
  std::string result;
  for (const Function& function : interface.functions)
    if (device == Device::cpu || takes_tensors(function)) result += Kernel(interface, function, device, text).text();
  return result;
}

// ---- Derivatives

/// What backward passes on: saved arguments in their order.
class Rule {
 public:
  Rule(const std::string& library, const Interface& interface, const Function& function, const Derivative& derivative)
      : library_(library), interface_(interface), function_(function), derivative_(derivative),
        context_(free_name(function, "context")) {}

  std::string text() const {
    return fmt::format(
        "/// {0}, and backwards {1}.\n"
        "class {2} : public torch::autograd::Function<{2}> {{\n public:\n"
        "static variable_list forward(AutogradContext* {3}, {4}) {{\n"
        "const at::AutoDispatchBelowADInplaceOrView {5};\n{6}{7}}}\n\n"
        "static variable_list backward(AutogradContext* context, const variable_list& adjoints) {{\n{8}}}\n}};\n\n"
        "{9} {0}_with_derivative({4}) {{\n{10}}}\n\n",
        function_.entry->name, derivative_.by, class_name(), context_, parameters(function_, ""), free_name(function_, "below"),
        save(), compute(), backward(), result_type(function_), apply());
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
                       arguments(function_), fixed.empty() ? "" : fmt::format("{}->mark_non_differentiable({{{}}});\n", context_, fmt::join(fixed, ", ")),
                       names);
  }

  static std::string signature(const Function& function) { return fmt::format("decltype({}_on_cpu<true>)", function.entry->name); }

  static std::string arguments(const Function& function) {
    return function.params.empty() ? "" : ", " + names_of(function.params);
  }

  const Function& vjp() const { return function_named(interface_, derivative_.by); }

  /// A parameter that forward has saved: the tensors in their order, others by name.
  std::string backward() const {
    std::vector<std::string> args;
    std::size_t tensors = 0;
    for (const Value& value : function_.params) {
      if (is_tensor(value))
        args.push_back(fmt::format("saved[{}]", tensors++));
      else
        args.push_back(fmt::format("context->saved_data[\"{}\"].{}()", value.name,
                                   value.type() == values::PrimType::boolean ? "toBool" : "toInt"));
    }
    for (const std::size_t result : derivative_.results) args.push_back(fmt::format("adjoints[{}]", result));
    const std::string names = names_of(vjp().results);
    return fmt::format("{}const auto {} = call_operator<{}>(\"{}::{}\", {});\nreturn {{{}}};\n",
                       tensors > 0 ? "const variable_list saved = context->get_saved_variables();\n" : "",
                       vjp().results.size() > 1 ? "[" + names + "]" : names, signature(vjp()), library_, vjp().name,
                       fmt::join(args, ", "), fmt::join(adjoints(), ", "));
  }

  /// One for each parameter, undefined where there is none.
  std::vector<std::string> adjoints() const {
    std::vector<std::string> result(function_.params.size(), "at::Tensor()");
    for (std::size_t i = 0; i < derivative_.params.size(); ++i) result[derivative_.params[i]] = vjp().results.at(i).param->name;
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

std::string rules(const std::string& library, const Interface& interface) {
  std::string result;
  for (const Function& function : interface.functions)
    if (const Derivative* derivative = derivative_of(interface, function)) result += Rule(library, interface, function, *derivative).text();
  return result.empty() ? "" : text::ruler("Derivatives") +
                                   "using torch::autograd::AutogradContext;\nusing torch::autograd::variable_list;\n\n" + result;
}

// ---- Registration

std::string schema(const Function& function) {
  std::vector<std::string> params;
  for (const Value& value : function.params)
    params.push_back(fmt::format("{} {}", is_tensor(value) ? "Tensor" : value.type() == values::PrimType::boolean ? "bool" : "int", value.name));
  const std::string results = fmt::format("{}", fmt::join(std::vector<std::string>(function.results.size(), "Tensor"), ", "));
  return fmt::format("{}({}) -> {}", function.name, fmt::join(params, ", "), function.results.size() == 1 ? results : "(" + results + ")");
}

std::string implementations(const std::string& library, std::string_view key, const std::string& lines, std::string_view comment = "") {
  return lines.empty() ? "" : fmt::format("{}TORCH_LIBRARY_IMPL({}, {}, library) {{\n{}}}\n\n", comment, library, key, lines);
}

std::string registration(const std::string& library, const Interface& cpu, const Interface* gpu) {
  std::string definitions, on_cpu, on_gpu, anywhere, shapes, derivatives;
  for (const Function& function : cpu.functions) {
    const std::string& name = function.entry->name;
    const auto line = [&](const std::string& kernel) { return fmt::format("library.impl(\"{}\", {});\n", function.name, kernel); };
    definitions += fmt::format("library.def(\"{}\");\n", schema(function));
    if (!takes_tensors(function)) {
      anywhere += line("&" + name + "_on_cpu<true>");
      continue;
    }
    on_cpu += line("&" + name + "_on_cpu<true>");
    shapes += line("&" + name + "_on_cpu<false>");
    derivatives += line(derivative_of(cpu, function) ? "&" + name + "_with_derivative" : "torch::autograd::autogradNotImplementedFallback()");
    if (gpu) on_gpu += line("&" + name + "_on_gpu");
  }
  return fmt::format("TORCH_LIBRARY({}, library) {{\n{}}}\n\n", library, definitions) + implementations(library, "CPU", on_cpu) +
         implementations(library, "CUDA", on_gpu) + implementations(library, "BackendSelect", anywhere, "// Functions of numbers alone.\n") +
         implementations(library, "Meta", shapes, "// For whoever asks for shapes alone.\n") + implementations(library, "Autograd", derivatives);
}

// ---- The file

std::string head(const std::string& library, const Interface& cpu, const Interface* gpu) {
  const std::string gpu_source = gpu ? fmt::format("'{}.cu', ", gpu->plan->name) : "";
  return fmt::format(
      "// {0}_torch.cpp: the functions of {1}.hpp as operators of PyTorch, `torch.ops.{0}`{2}.\n//\n"
      "// Floats are tensors, those without dimensions too, and are differentiated; integers and truth values are numbers. Tensors must\n"
      "// have the type of the parameter, and are read where they lie unless they are not contiguous. Build, and load it by\n"
      "// `torch.ops.load_library(\"./{0}_torch.so\")`:\n//\n"
      "//     python3 -c \"from torch.utils.cpp_extension import load; load('{0}_torch', [{3}'{1}.cpp', '{0}_torch.cpp'], "
      "is_python_module=False, build_directory='.', extra_cflags=['-std=c++17', '-O3', '-march=native', '-fopenmp'], "
      "extra_ldflags=['-fopenmp']{4})\"\n",
      library, cpu.plan->name, gpu ? fmt::format(", on GPUs by {}.cu", library) : "", gpu_source,
      gpu ? ", extra_cuda_cflags=['-std=c++17', '-O3'], with_cuda=True" : "");
}

void need_runtime(const Interface& interface, Device device, text::Needs& needs) {
  const bool gpu = device == Device::gpu;
  for (const Function& function : interface.functions) {
    if (gpu && function.entry->allocates) needs.templates.insert("bindings/tensor_cuda_allocated");
    if (!gpu && has_late_results(function)) needs.templates.insert("bindings/tensor_allocated");
  }
  needs.templates.insert({"bindings/tensor", gpu ? "bindings/tensor_cuda" : "bindings/scratch_memory"});
  needs.headers.insert("torch/library.h");
}

std::string includes(const Interface& cpu, const Interface* gpu, const CppText& text) {
  return (gpu ? fmt::format("#include \"{}.hpp\"\n", gpu->plan->name) : "") + text::includes(*cpu.plan, text.needs, text.dialect);
}

}  // namespace

std::vector<File> write_torch(const Interface& cpu, const Interface* gpu) {
  for (const Function& function : cpu.functions) require_types(function);
  const std::string library = (gpu ? gpu : &cpu)->plan->name;
  CppText text, cuda(templates::Language::cuda);
  std::string functions = require_function(*cpu.plan) + kernels(cpu, Device::cpu, text);
  need_runtime(cpu, Device::cpu, text.needs);
  if (gpu) {
    functions += kernels(*gpu, Device::gpu, cuda);
    need_runtime(*gpu, Device::gpu, text.needs);
  }
  const std::string derivatives = rules(library, cpu);
  if (!derivatives.empty()) text.needs.templates.insert("bindings/call_operator");
  text.needs.headers.insert({"torch/csrc/autograd/autograd_not_implemented_fallback.h", "torch/csrc/autograd/custom_function.h"});
  const std::string runtime = text::runtime(text.needs, text.dialect);
  return {{library + "_torch.cpp",
           format::format_cpp(head(library, cpu, gpu) + includes(cpu, gpu, text) + "namespace {\n\n" + runtime +
                              text::ruler("Functions") + functions + derivatives + "}  // namespace\n\n" +
                              registration(library, cpu, gpu))}};
}

}  // namespace boustro::bindings
