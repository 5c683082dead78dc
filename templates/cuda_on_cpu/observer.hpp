// What the scheduler, the host runtime and the instrumented code tell of a running program. In the
// mode `races` the race detector listens, in the mode `counts` the counter, in all others nobody.
//
// For both the rewritten code is compiled with -fsanitize=thread, but not linked with
// ThreadSanitizer: instrumentation.cpp defines the functions that the compiler calls at each memory
// access.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(CUDA_EMULATION_RACES) || defined(CUDA_EMULATION_COUNTS)
#define CUDA_EMULATION_OBSERVED 1
#endif

namespace cuda_emulation {

/// Where execution stands; what the scheduler tells the observer.
struct ExecutionPoint {
  int thread = -1;             // linear index in the block; -1 outside of kernels
  std::uint32_t block = 0;     // counts over all launches
  std::uint32_t barriers = 0;  // block-wide barriers that the block has completed
  std::uint32_t first_block_of_grid = 0;
  std::uintptr_t stack_begin = 0, stack_end = 0;  // of the running fiber
};
extern ExecutionPoint execution_point;

enum AccessKind { read_access, write_access, atomic_access, access_kinds };

/// What the host asks the device for.
enum class Work { kernel, library, copy, fill, wait };

/// A function whose accesses, to its own variables, are no business of the observer.
#define CUDA_EMULATION_UNREPORTED __attribute__((no_sanitize("thread")))
/// A function whose parameters and variables shall be its caller's registers.
#define CUDA_EMULATION_INLINED __attribute__((always_inline))

#ifdef CUDA_EMULATION_COUNTS
/// While one lives, accesses are not counted: how the real library makes them is not known.
class Uncounted {
 public:
  Uncounted();
  ~Uncounted();
  Uncounted(Uncounted const&) = delete;
  Uncounted& operator=(Uncounted const&) = delete;
};
#else
struct Uncounted {
  Uncounted() {}
};
#endif

#ifdef CUDA_EMULATION_OBSERVED

/// A kernel or a call of a library begins; what is accessed until observe_end is its own.
void observe_begin(Work work, char const* name, std::size_t blocks, std::size_t threads_per_block);
void observe_end();
void observe_block();
/// A piece of the block's shared memory, allocated anew.
void observe_shared_memory(void const* address, std::size_t bytes);
/// All threads of the block have met.
void observe_block_barrier();
/// The lanes (a set) of a warp have met at a __syncwarp().
void observe_warp_barrier(int warp, unsigned lanes);
/// `location`: the return address in the code that does it.
void observe_access(void const* address, std::size_t bytes, AccessKind kind, void const* location);
/// Bytes of device memory that are read and written without a kernel.
void observe_transfer(Work work, char const* name, std::size_t bytes_read,
                      std::size_t bytes_written);
/// From here on the work is that of the program's entry point, until here.
void observe_entry_begin();
void observe_entry_end();

#else

inline void observe_begin(Work, char const*, std::size_t, std::size_t) {}
inline void observe_end() {}
inline void observe_block() {}
inline void observe_shared_memory(void const*, std::size_t) {}
inline void observe_block_barrier() {}
inline void observe_warp_barrier(int, unsigned) {}
inline void observe_access(void const*, std::size_t, AccessKind, void const*) {}
inline void observe_transfer(Work, char const*, std::size_t, std::size_t) {}
inline void observe_entry_begin() {}
inline void observe_entry_end() {}

#endif

}  // namespace cuda_emulation
