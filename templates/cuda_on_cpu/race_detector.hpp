// finds data races between the emulated threads of one kernel launch.
//
// The rewritten code is compiled with -fsanitize=thread, but not linked with ThreadSanitizer:
// race_detector.cpp defines the functions that the compiler calls at each memory access.  (The
// real ThreadSanitizer keeps track of 255 threads at most, and knows nothing of blocks.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_emulation {

/// Where execution stands; what the scheduler tells the detector.
struct ExecutionPoint {
  int thread = -1;             // linear index in the block; -1 outside of kernels
  std::uint32_t block = 0;     // counts over all launches
  std::uint32_t barriers = 0;  // block-wide barriers that the block has completed
  std::uint32_t first_block_of_grid = 0;
  std::uintptr_t stack_begin = 0, stack_end = 0;  // of the running fiber
};
extern ExecutionPoint execution_point;

#ifdef CUDA_EMULATION_RACES
void race_begin_block();
/// The lanes (a set) of a warp have met at a __syncwarp().
void race_warp_barrier(int warp, unsigned lanes);
/// The memory was allocated anew.
void race_forget(void const* address, std::size_t bytes);
#else
inline void race_begin_block() {}
inline void race_warp_barrier(int, unsigned) {}
inline void race_forget(void const*, std::size_t) {}
#endif

}  // namespace cuda_emulation
