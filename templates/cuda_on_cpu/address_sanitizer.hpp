// Whether this is an ASan build, and what AddressSanitizer must be told about stack switches.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define CUDA_EMULATION_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUDA_EMULATION_ASAN 1
#endif
#endif

#ifdef CUDA_EMULATION_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cuda_emulation {

struct StackRange {
  void const* bottom = nullptr;
  std::size_t size = 0;
};

inline void start_stack_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] StackRange to) {
#ifdef CUDA_EMULATION_ASAN
  __sanitizer_start_switch_fiber(fake_stack, to.bottom, to.size);
#endif
}
inline void finish_stack_switch([[maybe_unused]] void* fake_stack,
                                [[maybe_unused]] StackRange* from) {
#ifdef CUDA_EMULATION_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, from ? &from->bottom : nullptr,
                                  from ? &from->size : nullptr);
#endif
}

}  // namespace cuda_emulation
