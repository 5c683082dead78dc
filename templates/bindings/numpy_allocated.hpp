// Results that a function allocates, as NumPy's arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "templates/bindings/numpy.hpp"

/// An array of what a function has allocated, and gives back when nobody needs the array any more.
template <typename Allocator, typename T>
py::object take_over(T* memory, const std::vector<int64_t>& shape) {
  const py::dtype dtype(dtype_name<T>());
  if (memory == nullptr) return py::array(dtype, shape);
  const py::capsule owner(memory, [](void* given_back) { Allocator().deallocate(given_back); });
  return py::array(dtype, shape, memory, owner);
}
