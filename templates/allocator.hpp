// The memory of entries that find out only while they run how much they need; part of the header of files with
// such entries.
#pragma once

#include <cstddef>
#include <new>

/// Source of memory for functions that learn the size only while they run. Derive from it to supply
/// memory of your own. It is called from the thread that calls the function, and must outlive the
/// memory that it hands out.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Returns `bytes` bytes, more than 0, aligned to 64 bytes; null if there is no such memory.
  virtual void* allocate(std::size_t bytes) noexcept = 0;
  /// Takes back memory from allocate().
  virtual void deallocate(void* memory) noexcept = 0;
};

/// Allocates by operator new.
class DefaultAllocator : public Allocator {
 public:
  void* allocate(std::size_t bytes) noexcept override {
    return ::operator new(bytes, std::align_val_t{64}, std::nothrow);
  }
  void deallocate(void* memory) noexcept override {
    ::operator delete(memory, std::align_val_t{64});
  }
};
