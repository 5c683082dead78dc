// Operators of PyTorch, with their derivatives.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/docs.hpp"
#include "emit/bindings/element_types.hpp"
#include "emit/bindings/torch.hpp"
#include "emit/bindings/write.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::bindings {
namespace {

bool takes_tensors(const Function& function) { return std::any_of(function.params.begin(), function.params.end(), is_tensor); }

/// PyTorch has no arithmetic of some unsigned types.
void require_types(const Function& function) {
  const auto require = [&](const Value& value) {
    if (torch_name(value.type()).empty())
      source::refuse(source::Message::plan_cannot_translate, function.at,
                     fmt::format("a binding of PyTorch: `{}` of `{}` has elements of type {}, as no tensor has", value.name, function.name,
                                 values::name_of(value.type())));
  };
  for (const Value& value : function.params)
    if (is_tensor(value)) require(value);
  for (const Value& value : function.results) require(value);
}

std::string argument_type(const Value& value) {
  if (is_tensor(value)) return "const at::Tensor&";
  return value.type() == values::PrimType::boolean ? "bool" : "int64_t";
}

std::string kernels(const Interface& interface, Device device, CppText& text) {
  std::string result;
  for (const Function& function : interface.functions)
    if (device == Device::cpu || takes_tensors(function)) result += torch_kernel(interface, function, device, text);
  return result;
}

std::string rules(const std::string& library, const Interface& interface) {
  std::string result;
  for (const Function& function : interface.functions)
    if (const Derivative* derivative = derivative_of(interface, function)) result += torch_rule(library, interface, function, *derivative);
  return result.empty()
             ? ""
             : text::ruler("Derivatives") + "using torch::autograd::AutogradContext;\nusing torch::autograd::variable_list;\n\n" + result;
}

// ---- Registration

std::string schema(const Function& function) {
  std::vector<std::string> params;
  for (const Value& value : function.params)
    params.push_back(fmt::format("{} {}",
                                 is_tensor(value)                            ? "Tensor"
                                 : value.type() == values::PrimType::boolean ? "bool"
                                                                             : "int",
                                 value.name));
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
    derivatives +=
        line(derivative_of(cpu, function) ? "&" + name + "_with_derivative" : "torch::autograd::autogradNotImplementedFallback()");
    if (gpu) on_gpu += line("&" + name + "_on_gpu");
  }
  return fmt::format("TORCH_LIBRARY({}, library) {{\n{}}}\n\n", library, definitions) + implementations(library, "CPU", on_cpu) +
         implementations(library, "CUDA", on_gpu) +
         implementations(library, "BackendSelect", anywhere, "// Functions of numbers alone.\n") +
         implementations(library, "Meta", shapes, "// For whoever asks for shapes alone.\n") +
         implementations(library, "Autograd", derivatives);
}

// ---- The file

std::string head(const std::string& library, const Interface& cpu, const Interface* gpu) {
  const std::string gpu_source = gpu ? fmt::format("'{}.cu', ", gpu->plan->name) : "";
  return head_comment(
      fmt::format("{0}_torch.cpp: the functions of {1}.hpp as operators of PyTorch, `torch.ops.{0}`{2}.", library, cpu.plan->name,
                  gpu ? fmt::format(", on GPUs by {}.cu", library) : ""),
      fmt::format(
          "Floats are tensors, those without dimensions too, and are differentiated; integers and truth values are numbers. Tensors "
          "must have the type of the parameter, and are read where they lie unless they are not contiguous. Build, and load it by "
          "`torch.ops.load_library(\"./{}_torch.so\")`:",
          library),
      fmt::format("python3 -c \"from torch.utils.cpp_extension import load; load('{0}_torch', [{2}'{1}.cpp', '{0}_torch.cpp'], "
                  "is_python_module=False, build_directory='.', extra_cflags=['-std=c++20', '-O3', '-march=native', '-fopenmp'], "
                  "extra_ldflags=['-fopenmp']{3})\"",
                  library, cpu.plan->name, gpu_source, gpu ? ", extra_cuda_cflags=['-std=c++20', '-O3'], with_cuda=True" : ""));
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

std::string torch_parameters(const Function& function, const std::string& prefix) {
  std::vector<std::string> params;
  for (const Value& value : function.params)
    params.push_back(
        fmt::format("{} {}", argument_type(value), prefix.empty() ? value.param->name : free_name(function, prefix + value.param->name)));
  return fmt::format("{}", fmt::join(params, ", "));
}

std::string torch_result_type(const Function& function) {
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
           format::format_cpp(head(library, cpu, gpu) + includes(cpu, gpu, text) + "namespace {\n\n" + runtime + text::ruler("Functions") +
                              functions + derivatives + "}  // namespace\n\n" + registration(library, cpu, gpu))}};
}

}  // namespace boustro::bindings
