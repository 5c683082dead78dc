// Memory that a function finds it needs while it runs, from PyTorch's cache, and results in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <c10/cuda/CUDACachingAllocator.h>

#include "templates/bindings/tensor_cuda.hpp"

/// An allocator of a function whose memory is PyTorch's.
template <typename Allocator>
class CachingAllocator : public Allocator {
 public:
  cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    try {
      *memory = c10::cuda::CUDACachingAllocator::raw_alloc_with_stream(bytes, stream);
      return cudaSuccess;
    } catch (const std::exception&) {
      return cudaErrorMemoryAllocation;
    }
  }
  cudaError_t deallocate(void* memory, cudaStream_t /*stream*/) noexcept override {
    c10::cuda::CUDACachingAllocator::raw_delete(memory);
    return cudaSuccess;
  }
};

/// A tensor of what such an allocator has handed out, which gets it back when nobody needs the
/// tensor any more.
template <typename T>
at::Tensor take_over_on_device(T* memory, at::ScalarType type, const std::vector<int64_t>& shape, at::Device device) {
  const at::TensorOptions options = at::TensorOptions(device).dtype(type);
  if (memory == nullptr) return at::empty(shape, options);
  return at::from_blob(
      memory, shape, [](void* given_back) { c10::cuda::CUDACachingAllocator::raw_delete(given_back); }, options);
}
