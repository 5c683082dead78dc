// Results that a function allocates on the host, as PyTorch's tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "templates/bindings/tensor.hpp"

/// A tensor of what a function has allocated, and gives back when nobody needs the tensor any more.
template <typename Allocator, typename T>
at::Tensor take_over(T* memory, at::ScalarType type, const std::vector<int64_t>& shape) {
  const at::TensorOptions options = at::TensorOptions().dtype(type);
  if (memory == nullptr) return at::empty(shape, options);
  return at::from_blob(
      memory, shape, [](void* given_back) { Allocator().deallocate(given_back); }, options);
}
