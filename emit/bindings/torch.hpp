// What the parts of a file for PyTorch agree on.
#pragma once

#include <string>
#include <vector>

#include "emit/bindings/call.hpp"
#include "emit/bindings/interface.hpp"

namespace boustro::bindings {

/// Where a function runs, which decides about memory, errors and the order of work.
enum class Device { cpu, gpu };

/// Arrays, and what is differentiated; other numbers are numbers.
inline bool is_tensor(const Value& value) { return value.is_array() || values::is_float(value.type()); }

/// `const at::Tensor& points, int64_t steps`, each name behind `prefix`.
std::string torch_parameters(const Function& function, const std::string& prefix);

/// `at::Tensor`, or a tuple of such.
std::string torch_result_type(const Function& function);

/// `points, centres`
std::string names_of(const std::vector<Value>& values);

/// `return {result, steps};`
std::string return_statement(const Function& function, const std::vector<std::string>& values);

/// The function around a call of an emitted one: `cost_on_cpu`, `cost_on_gpu`.
std::string torch_kernel(const Interface& interface, const Function& function, Device device, const CppText& text);

/// How autograd differentiates a function: a class, and the function `cost_with_derivative`.
std::string torch_rule(const std::string& library, const Interface& interface, const Function& function, const Derivative& derivative);

}  // namespace boustro::bindings
