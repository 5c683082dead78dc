// A module of Python by pybind11, on NumPy's arrays.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/bindings/call.hpp"
#include "emit/bindings/docs.hpp"
#include "emit/bindings/element_types.hpp"
#include "emit/bindings/write.hpp"
#include "emit/format/format.hpp"
#include "emit/plan/query_name.hpp"
#include "emit/text/comment.hpp"
#include "emit/text/file.hpp"

namespace boustro::bindings {
namespace {

/// The C++ name of an argument as Python gives it.
std::string given(const Function& function, const Value& value) { return free_name(function, "given_" + value.param->name); }

std::string parameters(const Function& function) {
  std::vector<std::string> params;
  for (const Value& value : function.params) params.push_back("const py::object& " + given(function, value));
  return fmt::format("{}", fmt::join(params, ", "));
}

/// Scalars first: extents of arrays may be among them.
std::string inputs(const Function& function, const CppText& text) {
  std::string scalars, arrays;
  for (const Value& value : function.params) {
    if (value.is_array()) {
      arrays += fmt::format("const Input<{}> {}({}, {}, {});\n", element_type(value, text), value.param->name,
                            argument_name(function, value), given(function, value), dimensions(value, text));
    } else {
      scalars += fmt::format("const auto {} = read_scalar<{}>({}, {});\n", value.param->name, element_type(value, text),
                             argument_name(function, value), given(function, value));
    }
  }
  return scalars + extent_variables(function) + arrays;
}

std::string outputs(const Function& function, const CppText& text) {
  std::string result;
  for (const Value& value : function.results) {
    if (value.param->late) continue;
    result += fmt::format("Output<{}> {}({}, {});\n", element_type(value, text), value.param->name, argument_name(function, value),
                          shape(function, value, text));
  }
  return result;
}

/// As objects of the classes above have them.
std::string spelled(const plan::Param& param) { return param.type.pointer ? param.name + ".data()" : param.name; }

std::string scratch(const Interface& interface, const Function& function) {
  return fmt::format("\nstd::size_t bytes = 0;\nrequire_success(\"{0}\", {1});\nconst Scratch scratch(\"{0}\", bytes);\n", function.name,
                     query_call(interface, function, spelled));
}

std::string call(const Interface& interface, const Function& function) {
  return fmt::format(
      "\nauto status = {}::Status::success;\n{{\nconst py::gil_scoped_release {};\nstatus = {};\n}}\n"
      "require_success(\"{}\", status{});\n",
      interface.plan->name_space, free_name(function, "others_run"), entry_call(interface, function, spelled), function.name,
      function.checks() ? ", " + failure_argument(interface, function) : "");
}

/// Nothing, a value, or a tuple.
std::string returned(const Interface& interface, const Function& function, const CppText& text) {
  std::vector<std::string> values;
  for (const Value& value : function.results)
    values.push_back(value.param->late ? fmt::format("take_over<{}::DefaultAllocator>({}, {})", interface.plan->name_space,
                                                     value.param->name, shape(function, value, text))
                                       : value.param->name + ".value()");
  return values.size() == 1 ? values[0] : fmt::format("py::make_tuple({})", fmt::join(values, ", "));
}

std::string wrapper(const Interface& interface, const Function& function, const CppText& text) {
  return fmt::format("/// {}\npy::object call_{}({}) {{\n{}{}{}{}{}return {};\n}}\n\n", function.entry->source, function.entry->name,
                     parameters(function), inputs(function, text), scratch(interface, function), outputs(function, text),
                     call_variables(interface, function, text), call(interface, function), returned(interface, function, text));
}

std::string definition(const Function& function) {
  std::string args;
  for (const Value& value : function.params) args += fmt::format(", py::arg(\"{}\")", value.name);
  return fmt::format("module.def(\"{}\", &call_{}{}, {});\n", function.name, function.entry->name, args,
                     raw_string(docstring(function, "array")));
}

std::string head(const plan::Program& plan) {
  return head_comment(
      fmt::format("{0}_python.cpp: the functions of {0}.hpp as a module of Python, `import {0}`, on arrays of NumPy.", plan.name),
      "Arrays must have the type of the parameter, and are read where they lie unless they are not contiguous. None is changed. Other "
      "threads of Python run during a call. Build, with the headers of pybind11:",
      fmt::format("c++ -std=c++17 -O3 -march=native -fopenmp -shared -fPIC $(python3-config --includes) {0}.cpp {0}_python.cpp "
                  "-o {0}$(python3-config --extension-suffix)",
                  plan.name));
}

}  // namespace

std::vector<File> write_python(const Interface& interface) {
  const plan::Program& plan = *interface.plan;
  CppText text;
  text.needs.templates = {"bindings/numpy", "bindings/scratch_memory"};
  std::string wrappers, definitions;
  for (const Function& function : interface.functions) {
    if (has_late_results(function)) text.needs.templates.insert("bindings/numpy_allocated");
    wrappers += wrapper(interface, function, text);
    definitions += definition(function);
  }
  const std::string runtime = text::runtime(text.needs, text.dialect);
  const std::string file =
      head(plan) + text::includes(plan, text.needs, text.dialect) + "namespace {\n\nnamespace py = pybind11;\n\n" + runtime +
      text::ruler("Functions") + require_function(plan) + wrappers + "}  // namespace\n\n" +
      fmt::format(
          "PYBIND11_MODULE({}, module) {{\nmodule.doc() = \"The entry points of {}.\";\n"
          "py::options options;\noptions.disable_function_signatures();  // which say less than the descriptions\n{}}}\n",
          plan.name, plan.source, definitions);
  return {{plan.name + "_python.cpp", format::format_cpp(file)}};
}

}  // namespace boustro::bindings
