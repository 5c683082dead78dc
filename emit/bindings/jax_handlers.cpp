// Handlers of XLA's interface for foreign functions: the C++ half of the bindings for JAX.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/call.hpp"
#include "emit/bindings/docs.hpp"
#include "emit/bindings/element_types.hpp"
#include "emit/bindings/jax.hpp"
#include "emit/format/format.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"

namespace boustro::bindings {
namespace {

std::string buffer_type(const Value& value) { return fmt::format("ffi::Buffer<ffi::{}>", xla_name(value.type())); }

/// One function on one device.
class Handler {
 public:
  Handler(const std::string& module, const Interface& interface, const Function& function, bool gpu, const CppText& text)
      : module_(module), interface_(interface), function_(function), gpu_(gpu), text_(text), memory_(free_name(function, "memory")) {}

  std::string text() const {
    return fmt::format("{}ffi::Error {}({}) {{\nreturn handled([&] {{\n{}{}}});\n}}\n\n", text::comment(description(function_), 0, "/// "),
                       function_name(), parameters(), inputs(), gpu_ ? gpu_call() : cpu_call());
  }

  std::string symbol() const {
    std::string binding = "ffi::Ffi::Bind()";
    if (gpu_) binding += ".Ctx<ffi::PlatformStream<cudaStream_t>>().Ctx<ffi::ScratchAllocator>()";
    for (const Value& value : function_.params)
      if (!is_attribute(function_, value)) binding += fmt::format(".Arg<{}>()", argument_type(value));
    for (const Value& value : function_.results) binding += fmt::format(".Ret<{}>()", buffer_type(value));
    for (const Value& value : function_.params)
      if (is_attribute(function_, value)) binding += fmt::format(".Attr<int64_t>(\"{}\")", value.name);
    return fmt::format("XLA_FFI_DEFINE_HANDLER_SYMBOL({}, {}, {});\n", handler_name(module_, function_, gpu_), function_name(), binding);
  }

 private:
  std::string function_name() const { return function_.entry->name + (gpu_ ? "_on_gpu" : "_on_cpu"); }
  std::string given(const Value& value) const { return free_name(function_, "given_" + value.param->name); }

  std::string argument_type(const Value& value) const { return is_free_integer(function_, value) ? "ffi::AnyBuffer" : buffer_type(value); }

  /// Attributes come last.
  std::string parameters() const {
    std::vector<std::string> params, attributes;
    if (gpu_) params = {"cudaStream_t stream", "ffi::ScratchAllocator " + memory_};
    for (const Value& value : function_.params) {
      if (is_attribute(function_, value))
        attributes.push_back("int64_t " + given(value));
      else
        params.push_back(fmt::format("{} {}", argument_type(value), given(value)));
    }
    for (const Value& value : function_.results) params.push_back(fmt::format("ffi::Result<{}> {}", buffer_type(value), value.param->name));
    params.insert(params.end(), attributes.begin(), attributes.end());
    return fmt::format("{}", fmt::join(params, ", "));
  }

  std::string number(const Value& value) const {
    const std::string type = element_type(value, text_), name = given(value);
    if (is_attribute(function_, value)) return fmt::format("read_integer<{}>({}, {})", type, argument_name(function_, value), name);
    if (is_free_integer(function_, value))
      return fmt::format("read_integer<{}>({}, read_any_integer({}))", type, argument_name(function_, value),
                         gpu_ ? fmt::format("\"{}\", {}, stream", function_.name, name) : name);
    return gpu_ ? fmt::format("read_from_device<{}>(\"{}\", {}.untyped_data(), stream)", type, function_.name, name)
                : fmt::format("read_number<{}>({})", type, name);
  }

  /// Numbers first: extents of arrays may be among them.
  std::string inputs() const {
    std::string numbers, arrays;
    for (const Value& value : function_.params) {
      if (!value.is_array()) numbers += fmt::format("const auto {} = {};\n", value.param->name, number(value));
      arrays += check(value, given(value), dimensions(value, text_));
    }
    for (const Value& value : function_.results) arrays += check(value, "*" + value.param->name, shape(function_, value, text_));
    return numbers + extent_variables(function_) + arrays;
  }

  std::string check(const Value& value, const std::string& buffer, const std::string& extents) const {
    if (!value.is_array()) return "";
    return fmt::format("check_shape({}, {}, {});\n", argument_name(function_, value), buffer, extents);
  }

  /// Pointers into buffers, and numbers by the names above.
  Spelling spelled() const {
    return [this](const plan::Param& param) {
      const std::string element = element_type(Value{{}, {}, &param}, text_);
      if (param.access == plan::Access::written) return fmt::format("static_cast<{}*>({}->untyped_data())", element, param.name);
      if (!param.type.pointer) return param.name;
      return fmt::format("static_cast<const {}*>({}.untyped_data())", element, free_name(function_, "given_" + param.name));
    };
  }

  std::string query() const {
    return fmt::format("\nstd::size_t bytes = 0;\nrequire_success(\"{}\", {});\n", function_.name,
                       query_call(interface_, function_, spelled()));
  }

  std::string cpu_call() const {
    return fmt::format("{}const Scratch scratch(\"{}\", bytes);\n{}const auto status = {};\nrequire_success(\"{}\", status{});\n", query(),
                       function_.name, call_variables(interface_, function_, text_), entry_call(interface_, function_, spelled()),
                       function_.name, function_.checks() ? ", " + failure_argument(interface_, function_) : "");
  }

  std::string gpu_call() const {
    const std::string& scope = interface_.plan->name_space;
    std::string before, after;
    if (function_.entry->allocates) before += fmt::format("CallAllocator<{}::Allocator> allocator({});\n", scope, memory_);
    if (function_.checks()) {
      before += fmt::format("void* const failure = device_memory(\"{0}\", {1}, sizeof({2}::Failure));\n", function_.name, memory_, scope);
      after = fmt::format(
          "const auto failure_found = read_from_device<{1}::Failure>(\"{0}\", failure, stream);\n"
          "if (failure_found.check != 0) throw std::runtime_error(\"{0}: \" + {1}::failure_text(failure_found));\n",
          function_.name, scope);
    }
    const CallWords words{.failure = fmt::format("static_cast<{}::Failure*>(failure)", scope), .scratch = "scratch", .stream = "stream"};
    return fmt::format("{}void* const scratch = device_memory(\"{}\", {}, bytes);\n{}require_success(\"{}\", {});\n{}", query(),
                       function_.name, memory_, before, function_.name, entry_call(interface_, function_, spelled(), words), after);
  }

  const std::string& module_;
  const Interface& interface_;
  const Function& function_;
  bool gpu_;
  const CppText& text_;
  std::string memory_;
};

std::string opening(const std::string& module, const Interface& cpu, const Interface* gpu) {
  const std::string include = "-isystem $(python3 -c \"import jax.ffi; print(jax.ffi.include_dir())\")";
  const std::string build =
      gpu ? fmt::format("nvcc -std=c++17 -O3 -shared -Xcompiler -fPIC,-march=native,-fopenmp {} {}.cu {}.cpp {}_jax.cpp -o lib{}_jax.so",
                        include, gpu->plan->name, cpu.plan->name, module, module)
          : fmt::format("c++ -std=c++17 -O3 -march=native -fopenmp -shared -fPIC {} {}.cpp {}_jax.cpp -o lib{}_jax.so", include,
                        cpu.plan->name, module, module);
  return head_comment(fmt::format("{0}_jax.cpp: the functions of {1}.hpp{2} as handlers of XLA, for {0}_jax.py, which calls them.", module,
                                  cpu.plan->name, gpu ? fmt::format(" and of {}.hpp", gpu->plan->name) : ""),
                      "Build, beside that module:", build);
}

void need_pieces(const Interface& interface, bool gpu, text::Needs& needs) {
  for (const Function& function : interface.functions)
    if (gpu && function.entry->allocates) needs.templates.insert("bindings/xla_gpu_allocator");
  if (gpu)
    needs.templates.insert("bindings/xla_gpu");
  else
    needs.templates.insert({"bindings/xla_cpu", "bindings/scratch_memory"});
}

void add_handlers(const std::string& module, const Interface& interface, bool gpu, CppText& text, std::string& functions,
                  std::string& symbols) {
  for (const Function& function : interface.functions) {
    const Handler handler(module, interface, function, gpu, text);
    functions += handler.text();
    symbols += handler.symbol();
  }
}

}  // namespace

std::string jax_handlers(const std::string& module, const Interface& cpu, const Interface* gpu) {
  CppText text, cuda(templates::Language::cuda);
  std::string functions, symbols;
  add_handlers(module, cpu, false, text, functions, symbols);
  need_pieces(cpu, false, text.needs);
  if (gpu) {
    add_handlers(module, *gpu, true, cuda, functions, symbols);
    need_pieces(*gpu, true, text.needs);
  }
  const std::string runtime = text::runtime(text.needs, text.dialect);
  const std::string gpu_header = gpu ? fmt::format("#include \"{}.hpp\"\n", gpu->plan->name) : "";
  return format::format_cpp(opening(module, cpu, gpu) + gpu_header + text::includes(*cpu.plan, text.needs, text.dialect) +
                            "namespace {\n\nnamespace ffi = xla::ffi;\n\n" + runtime + text::ruler("Functions") +
                            require_function(*cpu.plan) + functions + "}  // namespace\n\n" + symbols);
}

}  // namespace boustro::bindings
