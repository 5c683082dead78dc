// Numbers that JAX passes to functions of the CPU.
#pragma once

#include <cstdint>

#include "templates/bindings/xla.hpp"

/// The one element of a buffer.
template <typename T, typename Buffer>
T read_number(const Buffer& buffer) {
  return *static_cast<const T*>(buffer.untyped_data());
}

/// An integer, which is of 64 bits where JAX has been told to have such.
inline int64_t read_any_integer(const ffi::AnyBuffer& buffer) {
  return buffer.element_type() == ffi::S64 ? read_number<int64_t>(buffer) : read_number<int32_t>(buffer);
}
