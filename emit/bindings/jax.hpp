// What the two files for JAX agree on: handlers in C++, and the module of Python that calls them.
#pragma once

#include <string>

#include "emit/bindings/interface.hpp"

namespace boustro::bindings {

/// Integers that shapes depend on are attributes of a call, known while JAX traces; all else is a buffer.
inline bool is_attribute(const Function& function, const Value& value) {
  return !value.is_array() && values::is_integer(value.type()) && decides_shapes(function, value);
}

/// An integer by itself, whose width JAX decides.
inline bool is_free_integer(const Function& function, const Value& value) {
  return !value.is_array() && values::is_integer(value.type()) && !is_attribute(function, value);
}

/// The name of a handler in the shared library: `kmeans_cost_on_cpu`.
inline std::string handler_name(const std::string& module, const Function& function, bool gpu) {
  return module + "_" + function.name + (gpu ? "_on_gpu" : "_on_cpu");
}

/// The C++ file with the handlers.
std::string jax_handlers(const std::string& module, const Interface& cpu, const Interface* gpu);

/// The module of Python.
std::string jax_module(const std::string& module, const Interface& cpu, bool with_gpu);

}  // namespace boustro::bindings
