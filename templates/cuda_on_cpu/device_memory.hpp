// Device memory: ordinary heap blocks, of exactly the size asked for, so that ASan sees an
// access one element too far.  Under ASan they are poisoned while the host runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace cuda_emulation {

class DeviceMemory {
 public:
  void* allocate(std::size_t bytes);
  /// False if nothing was allocated at that address.
  bool free(void* address);
  /// Whether `pointer` points into an allocation or to its end.
  bool contains(void const* pointer) const;
  /// Bytes from `pointer` to its allocation's end; 0 if it lies in none.
  std::size_t bytes_from(void const* pointer) const;

  /// In between the memory may be touched.
  void begin_access();
  void end_access();

  /// A leak of device memory makes the test fail, as a leak of host memory does under ASan.
  ~DeviceMemory();

 private:
  std::map<std::uintptr_t, std::size_t> allocations_;
  int accessors_ = 0;
};

extern DeviceMemory device_memory;

}  // namespace cuda_emulation
