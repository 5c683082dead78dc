// An array in memory of the caller's allocator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "templates/allocator.cuh"

/// Array in device memory from the caller's allocator, to which the destructor returns it.
template <typename T>
class Buffer {
 public:
  Buffer(Allocator& allocator, cudaStream_t stream) : allocator_(allocator), stream_(stream) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { static_cast<void>(deallocate()); }

  /// Makes room for an array of these `extents`, whose elements are undefined.
  cudaError_t allocate(std::initializer_list<int64_t> extents) {
    std::size_t bytes = sizeof(T);
    bool empty = false, fits = true;
    for (const int64_t extent : extents) {
      empty = empty || extent <= 0;
      if (empty) continue;
      fits = fits && static_cast<std::size_t>(extent) <= PTRDIFF_MAX / bytes;
      if (fits) bytes *= static_cast<std::size_t>(extent);
    }
    if (empty || (fits && bytes <= bytes_)) return cudaSuccess;
    if (const auto error = deallocate()) return error;
    if (!fits) return cudaErrorMemoryAllocation;
    void* memory = nullptr;
    if (const auto error = allocator_.allocate(&memory, bytes, stream_)) return error;
    data_ = static_cast<T*>(memory);
    bytes_ = bytes;
    return cudaSuccess;
  }
  /// Gives up ownership of the memory and returns it; null if there is none.
  T* release() {
    bytes_ = 0;
    return std::exchange(data_, nullptr);
  }
  void swap(Buffer& other) {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  operator T*() const { return data_; }

 private:
  cudaError_t deallocate() {
    return data_ == nullptr ? cudaSuccess : allocator_.deallocate(release(), stream_);
  }

  Allocator& allocator_;
  cudaStream_t stream_;
  T* data_ = nullptr;
  std::size_t bytes_ = 0;
};
