// An array in memory of the caller's allocator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "templates/allocator.hpp"

/// Array in memory from the caller's allocator, to which the destructor returns it.
template <typename T>
class Buffer {
 public:
  explicit Buffer(Allocator& allocator) : allocator_(allocator) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { deallocate(); }

  /// Makes room for an array of these `extents`, whose elements are undefined; returns false if
  /// there is none.
  bool allocate(std::initializer_list<int64_t> extents) {
    std::size_t bytes = sizeof(T);
    bool empty = false, fits = true;
    for (const int64_t extent : extents) {
      empty = empty || extent <= 0;
      if (empty) continue;
      fits = fits && static_cast<std::size_t>(extent) <= PTRDIFF_MAX / bytes;
      if (fits) bytes *= static_cast<std::size_t>(extent);
    }
    if (empty || (fits && bytes <= bytes_)) return true;
    deallocate();
    if (!fits) return false;
    data_ = static_cast<T*>(allocator_.allocate(bytes));
    if (data_ != nullptr) bytes_ = bytes;
    return data_ != nullptr;
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
  void deallocate() {
    if (data_ != nullptr) allocator_.deallocate(release());
  }

  Allocator& allocator_;
  T* data_ = nullptr;
  std::size_t bytes_ = 0;
};
