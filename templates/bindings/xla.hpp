// XLA's buffers as arguments and results of C++ functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <xla/ffi/api/ffi.h>

#include "templates/bindings/dtype_name.hpp"
#include "templates/bindings/extent.hpp"

/// Runs the body of a handler; what it throws becomes an error of XLA's.
template <typename Body>
ffi::Error handled(const Body& body) {
  try {
    body();
    return ffi::Error::Success();
  } catch (const std::invalid_argument& error) {
    return ffi::Error::InvalidArgument(error.what());
  } catch (const std::bad_alloc& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, error.what());
  } catch (const std::exception& error) {
    return ffi::Error::Internal(error.what());
  }
}

/// The shape of a buffer is that of the parameter or result.
template <typename Buffer>
void check_shape(Argument argument, const Buffer& buffer, const std::vector<Dimension>& dimensions) {
  const auto shape = buffer.dimensions();
  meet_shape(argument, {shape.begin(), shape.end()}, dimensions);
}

/// An integer of a type that is narrower than what JAX passes.
template <typename T>
T read_integer(Argument argument, int64_t given) {
  const T value = static_cast<T>(given);
  if (static_cast<int64_t>(value) != given || (std::is_unsigned_v<T> && given < 0))
    throw std::invalid_argument(argument.must("fit in " + dtype_name<T>() + ", unlike " + std::to_string(given)));
  return value;
}
