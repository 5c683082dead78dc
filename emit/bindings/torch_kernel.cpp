// The functions that PyTorch calls: arguments are checked, and an emitted function called on one device.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/docs.hpp"
#include "emit/bindings/element_types.hpp"
#include "emit/bindings/torch.hpp"
#include "emit/text/comment.hpp"

namespace boustro::bindings {
namespace {

/// The function around a call of an emitted one.
class Kernel {
 public:
  Kernel(const Interface& interface, const Function& function, Device device, const CppText& text)
      : interface_(interface), function_(function), device_(device), text_(text), place_(free_name(function, "place")) {}

  std::string text() const {
    const bool gpu = device_ == Device::gpu;
    return fmt::format("{}{}{} {}_on_{}({}) {{\n{}{}}}\n\n", text::comment(description(function_), 0, "/// "),
                       gpu ? "" : fmt::format("template <bool {}>\n", compute()), torch_result_type(function_), function_.entry->name,
                       gpu ? "gpu" : "cpu", torch_parameters(function_, "given_"), inputs(), gpu ? gpu_body() : cpu_body());
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
    return fmt::format("{}const Scratch scratch(\"{}\", bytes);\n{}const auto status = {};\nrequire_success(\"{}\", status{});\n", query(),
                       function_.name, call_variables(interface_, function_, text_), entry_call(interface_, function_, spelled()),
                       function_.name, function_.checks() ? ", " + failure_argument(interface_, function_) : "");
  }

  std::string cpu_body() const {
    const std::string result = return_statement(function_, returned());
    if (const std::string unknown = unknown_shape(); !unknown.empty())
      return fmt::format("\nif constexpr ({}) {{\n{}{}{}}} else {{\nthrow std::runtime_error(\"{}\");\n}}\n", compute(), outputs(),
                         cpu_call(), result, unknown);
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

}  // namespace

std::string torch_kernel(const Interface& interface, const Function& function, Device device, const CppText& text) {
  return Kernel(interface, function, device, text).text();
}

}  // namespace boustro::bindings
