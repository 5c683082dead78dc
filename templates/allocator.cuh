// Where entries get memory whose size they find out while they run; part of the header of files with such entries.
#pragma once

#include <cstddef>

/// Where functions get device memory whose size they know only while they run, in the order of a
/// stream. Derive from it to hand out memory of your own; it is called from the thread that calls
/// the function, and must outlive what it hands out.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Sets *memory to `bytes`, more than 0, aligned to 256 bytes, for work that is queued on
  /// `stream` from now on.
  virtual cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) noexcept = 0;
  /// Takes back what allocate handed out. Work that was queued on `stream` before may still use
  /// it.
  virtual cudaError_t deallocate(void* memory, cudaStream_t stream) noexcept = 0;
};

/// Memory of the pool that belongs to the current device.
class DefaultAllocator : public Allocator {
 public:
  cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) noexcept override {
    return cudaMallocAsync(memory, bytes, stream);
  }
  cudaError_t deallocate(void* memory, cudaStream_t stream) noexcept override {
    return cudaFreeAsync(memory, stream);
  }
};
