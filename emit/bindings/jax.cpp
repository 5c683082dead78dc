// Bindings for JAX: what they cannot pass, and the module of Python.
#include "emit/bindings/jax.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/call.hpp"
#include "emit/bindings/docs.hpp"
#include "emit/bindings/element_types.hpp"
#include "emit/bindings/python_text.hpp"
#include "emit/bindings/write.hpp"
#include "frontend/source/messages.hpp"
#include "templates/embedded.hpp"

namespace boustro::bindings {
namespace {

void refuse(const Function& function, const std::string& reason) {
  source::refuse(source::Message::plan_cannot_translate, function.at, fmt::format("a binding of JAX: `{}` {}", function.name, reason));
}

/// JAX knows all shapes before it computes anything.
void require_known_shapes(const Function& function) {
  if (function.results.empty()) refuse(function, "returns nothing");
  for (const Value& value : function.results)
    if (value.param->late) refuse(function, fmt::format("returns `{}`, whose size depends on data", value.name));
}

/// The functions of the module around one entry.
class Wrapper {
 public:
  Wrapper(const std::string& module, const Interface& interface, const Function& function)
      : module_(module), interface_(interface), function_(function), derivative_(derivative_of(interface, function)) {}

  std::string text() const { return public_function() + private_function() + (!derivative_ ? "" : derivative_->reverse ? vjp() : jvp()); }

 private:
  static std::string hidden(const Function& function) { return "_" + function.entry->name; }
  /// Inside of the module: no two are alike.
  static std::string local(const Value& value) { return python_identifier(value.param->name); }

  static std::vector<std::string> locals(const Function& function) {
    std::vector<std::string> names;
    for (const Value& value : function.params) names.push_back(local(value));
    return names;
  }
  static std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

  std::string public_function() const {
    std::vector<std::string> names;
    std::string statics, others;
    for (const Value& value : function_.params) {
      names.push_back(value.name);
      (is_attribute(function_, value) ? statics : others) += fmt::format("    {} = arguments_.{}\n", value.name, read(value));
    }
    return fmt::format("def {0}({1}):\n{2}    arguments_ = _Arguments(\"{0}\")\n{3}{4}    return {5}({1})\n\n\n", function_.name,
                       joined(names), python_docstring(docstring_body(function_, "array")), statics, others, hidden(function_));
  }

  /// `array("points", points, "float32", "n", "d")`
  std::string read(const Value& value) const {
    if (is_attribute(function_, value)) return fmt::format("static(\"{0}\", {0})", value.name);
    if (is_free_integer(function_, value)) return fmt::format("integer(\"{0}\", {0})", value.name);
    std::string dimensions;
    for (const plan::Expr& extent : value.param->extents) {
      const auto* variable = std::get_if<plan::Var>(&extent.head);
      dimensions += variable ? fmt::format(", \"{}\"", size_name(variable->name)) : ", " + python_expression(function_, extent);
    }
    return fmt::format("array(\"{0}\", {0}, \"{1}\"{2})", value.name, numpy_name(value.type()), dimensions);
  }

  /// A parameter goes by the name that callers know.
  std::string size_name(const std::string& name) const {
    for (const Value& value : function_.params)
      if (value.param->name == name) return value.name;
    return name;
  }

  std::string decorator() const {
    if (!derivative_) return "";
    const std::string kind = derivative_->reverse ? "jax.custom_vjp" : "jax.custom_jvp";
    const std::string statics = static_positions();
    return statics.empty() ? "@" + kind + "\n" : fmt::format("@functools.partial({}, nondiff_argnums=({},))\n", kind, statics);
  }

  std::string static_positions() const {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < function_.params.size(); ++i)
      if (is_attribute(function_, function_.params[i])) positions.push_back(i);
    return fmt::format("{}", fmt::join(positions, ", "));
  }

  /// `n = points.shape[0]`, for sizes that results have.
  std::string sizes() const {
    std::string result;
    for (const plan::Param* size : function_.sizes) {
      const Value as_value{{}, {}, size};
      if (!decides_results(size->name)) continue;
      result += fmt::format("    {} = {}\n", python_identifier(size->name), source_of(size->name));
    }
    return result;
  }

  bool decides_results(const std::string& size) const {
    return std::any_of(function_.results.begin(), function_.results.end(), [&](const Value& value) {
      return std::any_of(value.param->extents.begin(), value.param->extents.end(),
                         [&](const plan::Expr& extent) { return mentions(extent, size); });
    });
  }

  std::string source_of(const std::string& size) const {
    for (const Value& value : function_.params)
      for (std::size_t i = 0; i < value.param->extents.size(); ++i)
        if (const auto* variable = std::get_if<plan::Var>(&value.param->extents[i].head); variable && variable->name == size)
          return fmt::format("{}.shape[{}]", local(value), i);
    return "0";
  }

  std::string result_types() const {
    std::vector<std::string> types;
    for (const Value& value : function_.results) {
      std::string extents;
      for (const plan::Expr& extent : value.param->extents) extents += python_expression(function_, extent) + ", ";
      if (value.param->extents.size() > 1)
        extents.resize(extents.size() - 2);
      else if (!extents.empty())
        extents.pop_back();
      types.push_back(fmt::format("(({}), \"{}\")", extents, numpy_name(value.type())));
    }
    return "[" + joined(types) + "]";
  }

  std::string private_function() const {
    std::string arguments;
    for (const Value& value : function_.params)
      if (!is_attribute(function_, value)) arguments += ", " + local(value);
    for (const Value& value : function_.params)
      if (is_attribute(function_, value)) arguments += fmt::format(", {}={}", value.name, local(value));
    return fmt::format("{}def {}({}):\n{}    return _call_foreign(\"{}.{}\", {}{})\n\n\n", decorator(), hidden(function_),
                       joined(locals(function_)), sizes(), module_, function_.name, result_types(), arguments);
  }

  /// The parameters that are traced, and those that are not.
  std::vector<std::string> traced(bool attributes) const {
    std::vector<std::string> names;
    for (const Value& value : function_.params)
      if (is_attribute(function_, value) == attributes) names.push_back(local(value));
    return names;
  }

  const Function& by() const { return function_named(interface_, derivative_->by); }

  /// `value[0]`, or the value itself if a function has one result alone.
  static std::string part(const std::string& value, std::size_t i, std::size_t count) {
    return count == 1 ? value : fmt::format("{}[{}]", value, i);
  }

  static std::string tuple(const std::vector<std::string>& names) { return "(" + joined(names) + (names.size() == 1 ? ",)" : ")"); }

  std::string vjp() const {
    std::vector<std::string> args = locals(function_), statics = traced(true), adjoints;
    for (const std::size_t result : derivative_->results) args.push_back(part("adjoints_", result, function_.results.size()));
    for (std::size_t i = 0; i < function_.params.size(); ++i) {
      const auto found = std::find(derivative_->params.begin(), derivative_->params.end(), i);
      if (is_attribute(function_, function_.params[i])) continue;
      adjoints.push_back(found == derivative_->params.end()
                             ? not_differentiated(function_.params[i])
                             : part("found_", static_cast<std::size_t>(found - derivative_->params.begin()), derivative_->params.size()));
    }
    const std::string name = hidden(function_), saved = tuple(traced(false));
    statics.insert(statics.end(), {"saved_", "adjoints_"});
    return fmt::format(
        "def _forward_of{0}({1}):\n    return {0}({1}), {2}\n\n\n"
        "def _backward_of{0}({3}):\n    {2} = saved_\n    found_ = {4}({5})\n    return {6}\n\n\n"
        "{0}.defvjp(_forward_of{0}, _backward_of{0})\n\n\n",
        name, joined(locals(function_)), saved, joined(statics), hidden(by()), joined(args), tuple(adjoints));
  }

  /// A float that the derivative leaves out has no number for an adjoint.
  static std::string not_differentiated(const Value& value) {
    return values::is_float(value.type()) ? fmt::format("jnp.full_like({}, jnp.nan)", local(value)) : "None";
  }

  std::string jvp() const {
    std::vector<std::string> args = locals(function_), statics = traced(true), positions, tangents;
    for (const std::size_t param : derivative_->params) args.push_back(fmt::format("tangents_[{}]", traced_position(param)));
    for (std::size_t i = 0; i < function_.results.size(); ++i) {
      const auto found = std::find(derivative_->results.begin(), derivative_->results.end(), i);
      const std::string result = part("results_", i, function_.results.size());
      tangents.push_back(found == derivative_->results.end()
                             ? fmt::format("np.zeros({}.shape, jax.dtypes.float0)", result)
                             : part("found_", static_cast<std::size_t>(found - derivative_->results.begin()), derivative_->results.size()));
    }
    statics.insert(statics.end(), {"primals_", "tangents_"});
    return fmt::format(
        "@{0}.defjvp\ndef _tangent_of{0}({1}):\n    {2} = primals_\n    results_ = {0}({3})\n    found_ = {4}({5})\n    return results_, "
        "{6}\n\n\n",
        hidden(function_), joined(statics), tuple(traced(false)), joined(locals(function_)), hidden(by()), joined(args),
        tangents.size() == 1 ? tangents[0] : tuple(tangents));
  }

  /// Of a parameter among those that are traced.
  std::size_t traced_position(std::size_t param) const {
    std::size_t position = 0;
    for (std::size_t i = 0; i < param; ++i) position += !is_attribute(function_, function_.params[i]);
    return position;
  }

  const std::string& module_;
  const Interface& interface_;
  const Function& function_;
  const Derivative* derivative_;
};

/// Loads the handlers, and tells JAX of them.
std::string loading(const std::string& module, const Interface& cpu, bool with_gpu) {
  std::string names;
  for (const Function& function : cpu.functions) names += fmt::format("\"{}\", ", function.name);
  const auto line = [&](std::string_view device, std::string_view platform) {
    return fmt::format(
        "    jax.ffi.register_ffi_target(f\"{0}.{{_name}}\", jax.ffi.pycapsule(_library[f\"{0}_{{_name}}_on_{1}\"]), platform=\"{2}\")\n",
        module, device, platform);
  };
  return fmt::format("_library = ctypes.CDLL(str(pathlib.Path(__file__).with_name(\"lib{}_jax.so\")))\nfor _name in ({}):\n", module,
                     names.substr(0, names.size() - (cpu.functions.size() > 1 ? 2 : 1))) +
         line("cpu", "cpu") + (with_gpu ? line("gpu", "CUDA") : "");
}

}  // namespace

std::string jax_module(const std::string& module, const Interface& cpu, bool with_gpu) {
  std::string functions;
  for (const Function& function : cpu.functions) functions += Wrapper(module, cpu, function).text();
  while (functions.ends_with("\n\n")) functions.pop_back();
  return fmt::format(
      "\"\"\"The entry points of {0} for JAX{1}.\n\nThey can be compiled, mapped (one call after the other) and differentiated as far as "
      "their "
      "derivatives\nwere translated. The head of {2}_jax.cpp says how to build lib{2}_jax.so, which lies beside this file.\n\"\"\"\n"
      "import ctypes\nimport functools\nimport operator\nimport pathlib\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as "
      "np\n\n{3}\n\n{4}\n\n{5}",
      cpu.plan->source, with_gpu ? ", on CPUs and GPUs" : "", module, loading(module, cpu, with_gpu),
      templates::find("bindings/jax_call", templates::Language::python)->text, functions);
}

std::vector<File> write_jax(const Interface& cpu, const Interface* gpu) {
  for (const Function& function : cpu.functions) require_known_shapes(function);
  const std::string module = (gpu ? gpu : &cpu)->plan->name;
  return {{module + "_jax.cpp", jax_handlers(module, cpu, gpu)}, {module + "_jax.py", jax_module(module, cpu, gpu != nullptr)}};
}

}  // namespace boustro::bindings
