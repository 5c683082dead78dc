// What Python's libraries of arrays call types.
#pragma once

#include <string>
#include <type_traits>

/// The name of a type as NumPy, PyTorch and JAX have it: "float64".
template <typename T>
std::string dtype_name() {
  const std::string bits = std::to_string(8 * sizeof(T));
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_integral_v<T>) {
    return (std::is_signed_v<T> ? "int" : "uint") + bits;
  } else {
    return "float" + bits;
  }
}
