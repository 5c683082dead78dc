// PyTorch's tensors as arguments and results of C++ functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/ScalarType.h>

#include "templates/bindings/dtype_name.hpp"
#include "templates/bindings/extent.hpp"

/// PyTorch's name of a tensor's type, in Python: "float64".
inline std::string type_name(const at::Tensor& tensor) {
  const at::ScalarType type = tensor.scalar_type();
  const std::string bits = std::to_string(8 * tensor.element_size());
  if (type == at::kBool) return "bool";
  if (type == at::kByte) return "uint8";
  if (type == at::kBFloat16) return "bfloat16";
  return (at::isIntegralType(type, false) ? "int" : at::isComplexType(type) ? "complex" : "float") + bits;
}

/// Where all tensors of a call are: where its first one is.
class Place {
 public:
  void meet(Argument argument, const at::Tensor& tensor) {
    if (name_ == nullptr) {
      name_ = argument.name;
      device_ = tensor.device();
    } else if (tensor.device() != device_) {
      TORCH_CHECK_VALUE(false, argument.must("be on " + device_.str() + ", as " + name_ + " is, not on " + tensor.device().str()));
    }
  }
  at::Device device() const { return device_; }

 private:
  const char* name_ = nullptr;
  at::Device device_ = at::kCPU;
};

/// Type, device and shape of a tensor are those of the parameter.
template <typename T>
void check_tensor(Argument argument, const at::Tensor& tensor, Place& place, const std::vector<Dimension>& dimensions) {
  TORCH_CHECK_TYPE(type_name(tensor) == dtype_name<T>(), argument.must("be " + dtype_name<T>() + ", not " + type_name(tensor)));
  place.meet(argument, tensor);
  std::vector<int64_t> shape;
  for (const auto& size : tensor.sym_sizes()) shape.push_back(size.guard_int(__FILE__, __LINE__));
  try {
    meet_shape(argument, shape, dimensions);
  } catch (const std::invalid_argument& error) {
    TORCH_CHECK_VALUE(false, error.what());
  }
}

/// An array argument. It is read where it lies; only what is not contiguous is copied.
template <typename T>
class Input {
 public:
  Input(Argument argument, const at::Tensor& given, Place& place, const std::vector<Dimension>& dimensions) : tensor_(given) {
    check_tensor<T>(argument, given, place, dimensions);
  }
  const T* data() {
    tensor_ = tensor_.contiguous();
    return static_cast<const T*>(tensor_.data_ptr());
  }

 private:
  at::Tensor tensor_;
};

/// A number that is differentiated, and so a tensor without dimensions. To read it waits for the
/// device.
template <typename T>
class Number {
 public:
  Number(Argument argument, const at::Tensor& given, Place& place) : tensor_(given) { check_tensor<T>(argument, given, place, {}); }
  T value() const { return static_cast<T>(tensor_.item().toDouble()); }

 private:
  at::Tensor tensor_;
};

/// An integer of a type that is narrower than those of Python.
template <typename T>
T read_integer(Argument argument, int64_t given) {
  const T value = static_cast<T>(given);
  TORCH_CHECK_VALUE(static_cast<int64_t>(value) == given && (std::is_signed_v<T> || given >= 0),
                    argument.must("fit in " + dtype_name<T>() + ", unlike " + std::to_string(given)));
  return value;
}

/// A tensor for a result.
inline at::Tensor new_tensor(Argument result, at::ScalarType type, const Place& place, std::vector<int64_t> shape) {
  for (int64_t& extent : shape) extent = extent < 0 ? 0 : extent;  // the function fails
  try {
    return at::empty(shape, at::TensorOptions(place.device()).dtype(type));
  } catch (const c10::Error& error) {
    if (place.device().is_cuda()) throw;  // which callers may know by its type
    throw std::runtime_error(std::string(result.function) + ": no memory for " + result.name);
  }
}
