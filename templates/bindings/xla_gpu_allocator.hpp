// Memory that a function finds it needs while it runs, from XLA.
#pragma once

#include <cstddef>

#include "templates/bindings/xla_gpu.hpp"

/// An allocator of a function that gives everything back at the end of the call.
template <typename Allocator>
class CallAllocator : public Allocator {
 public:
  explicit CallAllocator(ffi::ScratchAllocator& memory) : memory_(memory) {}
  cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t /*stream*/) noexcept override {
    const auto found = memory_.Allocate(bytes, 256);
    *memory = found.value_or(nullptr);
    return found ? cudaSuccess : cudaErrorMemoryAllocation;
  }
  cudaError_t deallocate(void* /*memory*/, cudaStream_t /*stream*/) noexcept override { return cudaSuccess; }

 private:
  ffi::ScratchAllocator& memory_;
};
