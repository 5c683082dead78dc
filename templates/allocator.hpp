// Where entries get memory whose size they find out while they run; part of the header of files with such entries.
#pragma once

#include <cstddef>
#include <new>

/// Where functions get memory whose size they know only while they run. Derive from it to hand out
/// memory of your own; it is called from the thread that calls the function, and must outlive what
/// it hands out.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Memory of `bytes`, more than 0, aligned to 64 bytes; null if there is none.
  virtual void* allocate(std::size_t bytes) noexcept = 0;
  /// Takes back what allocate handed out.
  virtual void deallocate(void* memory) noexcept = 0;
};

/// Memory by operator new.
class DefaultAllocator : public Allocator {
 public:
  void* allocate(std::size_t bytes) noexcept override {
    return ::operator new(bytes, std::align_val_t{64}, std::nothrow);
  }
  void deallocate(void* memory) noexcept override {
    ::operator delete(memory, std::align_val_t{64});
  }
};
