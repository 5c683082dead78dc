#ifdef CUDA_EMULATION_COUNTS

#include "access_counter.hpp"

#include <algorithm>

namespace cuda_emulation {
namespace {

/// In bytes; larger objects are copied by several.
constexpr std::size_t widest_access = 16;

}  // namespace

void AccessCounter::add(Counts& counts, int thread, void const* place, std::uintptr_t address,
                        std::size_t bytes) {
  counts.*numbers_.accesses += (bytes + widest_access - 1) / widest_access;
  counts.*numbers_.bytes += bytes;
  // calls of a library have no threads
  if (numbers_.requests != nullptr && thread >= 0) requests_.add(thread, place, address, bytes);
}

void AccessCounter::settle(Counts& counts) {
  if (numbers_.requests != nullptr)
    requests_.settle(counts.*numbers_.requests, counts.*numbers_.cost);
}
void AccessCounter::settle(Counts& counts, int warp) {
  if (numbers_.requests != nullptr)
    requests_.settle(warp, counts.*numbers_.requests, counts.*numbers_.cost);
}

void AtomicCounter::add(Counts& counts, std::uintptr_t address) {
  if (atomics_ == nullptr) return;
  ++(counts.*atomics_);
  if (most_ == nullptr) return;
  counts.*most_ = std::max(counts.*most_, ++times_[address]);
}

}  // namespace cuda_emulation

#endif
