// The memory of entries that find out only while they run how much they need; part of the header of files with
// such entries.
#pragma once

#include <cstddef>

/// Source of device memory, in stream order, for functions that learn the size only while they run.
/// Derive from it to supply memory of your own. It is called from the thread that calls the
/// function, and must outlive the memory that it hands out.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Sets `*memory` to `bytes` bytes, more than 0, aligned to 256 bytes, for work that is queued on
  /// `stream` from now on.
  virtual cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) noexcept = 0;
  /// Takes back memory from allocate(). Work that was queued on `stream` before may still use it.
  virtual cudaError_t deallocate(void* memory, cudaStream_t stream) noexcept = 0;
};

/// Allocates from the current memory pool of the stream's device.
class DefaultAllocator : public Allocator {
 public:
  cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    return cudaMallocAsync(memory, bytes, stream);
  }
  cudaError_t deallocate(void* memory, cudaStream_t stream) noexcept override {
    return cudaFreeAsync(memory, stream);
  }
};
