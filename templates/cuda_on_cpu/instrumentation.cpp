// Tells the observer of the memory accesses that the compiler reports.
#include "observer.hpp"

#ifdef CUDA_EMULATION_OBSERVED

#include <cstring>

using namespace cuda_emulation;

// What -fsanitize=thread makes the compiler call.
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define CUDA_EMULATION_ACCESS(prefix, size)                                   \
  void __tsan_##prefix##read##size(void* address) {                           \
    observe_access(address, size, read_access, __builtin_return_address(0));  \
  }                                                                           \
  void __tsan_##prefix##write##size(void* address) {                          \
    observe_access(address, size, write_access, __builtin_return_address(0)); \
  }                                                                           \
  void __tsan_##prefix##volatile_read##size(void* address) {                  \
    observe_access(address, size, atomic_access, __builtin_return_address(0)); \
  }                                                                           \
  void __tsan_##prefix##volatile_write##size(void* address) {                 \
    observe_access(address, size, atomic_access, __builtin_return_address(0)); \
  }
CUDA_EMULATION_ACCESS(, 1)
CUDA_EMULATION_ACCESS(, 2)
CUDA_EMULATION_ACCESS(, 4)
CUDA_EMULATION_ACCESS(, 8)
CUDA_EMULATION_ACCESS(, 16)
CUDA_EMULATION_ACCESS(unaligned_, 2)
CUDA_EMULATION_ACCESS(unaligned_, 4)
CUDA_EMULATION_ACCESS(unaligned_, 8)
CUDA_EMULATION_ACCESS(unaligned_, 16)

void __tsan_read_range(void* address, std::size_t size) {
  observe_access(address, size, read_access, __builtin_return_address(0));
}
void __tsan_write_range(void* address, std::size_t size) {
  observe_access(address, size, write_access, __builtin_return_address(0));
}
void* __tsan_memcpy(void* to, void const* from, std::size_t size) {
  observe_access(from, size, read_access, __builtin_return_address(0));
  observe_access(to, size, write_access, __builtin_return_address(0));
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, void const* from, std::size_t size) {
  observe_access(from, size, read_access, __builtin_return_address(0));
  observe_access(to, size, write_access, __builtin_return_address(0));
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, std::size_t size) {
  observe_access(to, size, write_access, __builtin_return_address(0));
  return std::memset(to, value, size);
}

}  // extern "C"

#endif
